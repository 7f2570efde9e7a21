/// `Modules/Features/…/…Source.swift`: the follows and their URLs.
enum SourceTemplate {
  static func text(_ source: NewSource) -> String {
    """
    public import Models
    public import Ports

    /// Follows `\(source.form)`: `GET {url}\(source.path)`.
    ///
    /// A pull is one request, conditional where all that it brought before is still here.
    public struct \(source.source): Source {
      /// The source `\(source.name)`.
      public let descriptor = SourceDescriptor(
        name: .\(source.nameCase), summary: "\(source.words) of \(source.module)",
        forms: [.init("\(source.template)", "\(source.parameters.isEmpty ? "the whole list" : "one answer")")],
    \(collections(source))

      private let parser: any ResponseParser<[\(source.record)]>
      private let settings: Settings.Server?

      /// A source that reads answers with `parser`\(source.url == nil
        ? ", from the server of the settings." : ", from the server of the settings where they name one.")
      public init(parser: any ResponseParser<[\(source.record)]>, settings: Settings.Server?) {
        self.parser = parser
        self.settings = settings
      }

      /// Pulls what the follow names, unless the server says that nothing changed.
      public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
        \(source.parameters.isEmpty ? "_" : "let parameters") = try match(follow)\(source.parameters.isEmpty ? "" : ".parameters")
        let client = try SourceClient(descriptor, settings, transport: context.transport)
        let url = "\\(client.base)\(path(source))"
        let before = (context.memory["ids"]?.array ?? []).compactMap(\\.string)
        // A 304 is of use only where every record is still here.
        let validator = try areHere(before, context.snapshot) ? ValidatorMemory(context.memory, url: url).validator : nil
        guard let answer = try await client.get(url, parser, validator: validator) else { return .notModified(url: url) }
        let (records, rejects) = (answer.parsed.value, answer.parsed.rejects)
        let now = records.map(\\.id)
        var memory = ValidatorMemory(url: url, answer.validator).fields
        memory.append("ids", .array(now.map { .string($0) }))
        \(source.parameters.isEmpty ? "var page =" : "return") PullPage(
          changes: records.map { PulledChange($0) }, rejects: rejects, url: url, memory: rejects.isEmpty ? memory : [:],
          progress: .init(done: records.count, total: records.count))\(inventory(source))
      }

      /// O(records).
      private func areHere(_ ids: [String], _ snapshot: any StoreSnapshot) throws(SourceError) -> Bool {
        do throws(StoreError) {
          for id in ids {
            guard try snapshot.record(\(source.record).collection, id) != nil else { return false }
          }
          return !ids.isEmpty
        } catch {
          throw .store(error)
        }
      }
    }

    extension SourceName {
      /// \(source.module): `\(source.form)`.
      public static let \(source.nameCase) = SourceName(rawValue: "\(source.name)")
    }

    """
  }

  private static func collections(_ source: NewSource) -> String {
    let columns = (["id"] + source.fields.map(\.name)).map { "\"\($0)\"" }
    let url = source.url.map { "    defaultURL: \"\($0)\")" }
    let line = "    collections: [.init(\(source.record).self, columns: [\(columns.joined(separator: ", "))])]"
    let tail = url == nil ? ")" : ","
    guard (line + tail).utf8.count > Layout.width else { return line + tail + (url.map { "\n" + $0 } ?? "") }
    let list = Layout.fill(columns, indentation: 10, tail: ",")
    return """
          collections: [
            .init(
              \(source.record).self,
              columns: [
      \(list)
              ])
          ]\(tail)\(url.map { "\n" + $0 } ?? "")
      """
  }

  /// A complete list shows removals; the response to a parameter does not. The engine remembers the list, also where the
  /// memory of the follow is empty.
  private static func inventory(_ source: NewSource) -> String {
    guard source.parameters.isEmpty else { return "" }
    return """

          page.inventory = now.map { .init(\(source.record).collection, $0) }
          // The ids of rejected records are not known.
          page.doubt = rejects.isEmpty ? nil : .unreadableID
          return page
      """
  }

  /// The path of the URL, with the parameters of the follow.
  private static func path(_ source: NewSource) -> String {
    source.parameters.enumerated().reduce(source.path) { path, parameter in
      path.replacing("{\(parameter.element)}", with: "\\(percentEncoded(parameters[\(parameter.offset)]))")
    }
  }
}
