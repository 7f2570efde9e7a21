/// `Tests/…Tests/…Sample.swift`: an answer as the API's documentation shows it, and what it means.
enum SampleTemplate {
  static func text(_ source: NewSource) -> String {
    let members =
      ["\"\(source.id.member)\": \"one\""] + source.fields.map { "\"\($0.member)\": \($0.sampleJSON)" }
    let values = ["id: \"one\""] + source.fields.map { "\($0.name): \($0.sample)" }
    let object = "{\n\(members.map { "      \($0)" }.joined(separator: ",\n"))\n    }"
    let answer = source.wrapper.map { "{\"\($0)\": \(object)}" } ?? object
    return """
      import Models

      /// An answer, and what it means. Put one here that the API really gave.
      enum \(source.record)Sample {
        /// The answer.
        static let answer = #\"""
          \(answer)
          \"""#

        /// The record in it.
        static let record = \(Layout.call("\(source.record)(", values, ")", indentation: 2).drop { $0 == " " })
      }

      """
  }
}
