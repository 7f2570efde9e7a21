/// `Tests/…Tests/…Sample.swift`: an answer as the API's documentation shows it, and what it means.
enum SampleTemplate {
  static func text(_ source: NewSource) -> String {
    var sample = SampleTree.value("null")
    let under = source.under?.steps ?? []
    sample.put("\"one\"", at: (under + source.id.member.steps)[...])
    for field in source.fields { sample.put(field.sampleJSON, at: (under + field.member.steps)[...]) }
    let values = ["id: \"one\""] + source.fields.map { "\($0.name): \($0.sample)" }
    return """
      import Models

      /// An answer, and what it means. Put one here that the API really gave.
      enum \(source.record)Sample {
        /// The answer.
        static let answer = #\"""
          \(sample.text(indentation: 4))
          \"""#

        /// The record in it.
        static let record = \(Layout.call("\(source.record)(", values, ")", indentation: 2).drop { $0 == " " })
      }

      """
  }
}
