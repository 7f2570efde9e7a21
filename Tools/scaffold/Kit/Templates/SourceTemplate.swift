/// `Modules/Features/…/…Source.swift` and the memory beside it: which addresses, which rules.
enum SourceTemplate {
  static func text(_ source: NewSource) -> String {
    """
    public import Models
    public import Ports

    /// Follows `\(source.form)`: `GET {url}\(source.path)`.
    ///
    /// A pull is one request, conditional where all that it brought before is still here.
    public struct \(source.source): Source {
      /// `\(source.name)`.
      public let name = SourceName.\(source.nameCase)
      /// The path of the follows.
      public let forms = ["\(source.form)"]
      /// Limits mean nothing here.
      public let defaultLimit: Int? = nil

      private let parser: any ResponseParser<[\(source.record)]>
      private let base: String\(source.url == nil ? "?" : "")

      /// A source that reads answers with `parser`\(source.url == nil
        ? "; there is no server but the one of the settings." : ", and asks the server of the settings where they name one.")
      public init(parser: any ResponseParser<[\(source.record)]>, settings: Settings.Server?) {
        self.parser = parser
        var base = settings?.url\(source.url.map { " ?? \"\($0)\"" } ?? "")
        while base\(source.url == nil ? "?.hasSuffix(\"/\") == true { base?.removeLast() }"
          : ".hasSuffix(\"/\") { base.removeLast() }")
        self.base = base
      }

      /// Checks a follow's path, and that it has no settings of other sources.
      public func check(_ follow: Follow) throws(FollowError) {
        _ = try parameters(of: follow)
      }

      /// Pulls what the follow names, unless the server says that nothing changed.
      public func pull(_ follow: Follow, _ context: PullContext) async throws(SourceError) -> PullPage {
        let url = try url(of: follow)
        let memory = \(source.module)Memory(context.memory, url: url)
        let isHere: Bool
        do throws(StoreError) { isHere = try memory.isHere(context.snapshot) } catch { throw .store(error) }
        let response: HTTPResponse
        do throws(TransportError) {
          response = try await context.transport.send(
            HTTPRequest(
              .get, url, headers: ["Accept": "application/json"], validator: isHere ? memory.validator : nil))
        } catch {
          throw .transport(error)
        }
        if response.status == 304, isHere { return .notModified(url: url) }
        guard response.isSuccess else { throw .status(response, url: url) }
        let parsed: Parsed<[\(source.record)]>
        do throws(ParsingError) { parsed = try parser.parse(response.body) } catch { throw .parsing(error, url: url) }
        let now = \(source.module)Memory(url: url, response.validator, ids: parsed.value.map(\\.id))
        return PullPage(
          changes: parsed.value.map { PulledChange($0) }, rejects: parsed.rejects, url: url,
          memory: parsed.rejects.isEmpty ? now.fields : [:],\(listing(source))
          progress: .init(done: parsed.value.count, total: parsed.value.count))
      }

    \(address(source))
      private func parameters(of follow: Follow) throws(FollowError) -> [String] {
        let parameters = follow.parameters
        let isPlain = parameters.allSatisfy { text in
          !text.isEmpty && text != "." && text != ".." && text.utf8.count <= 512
            && !text.utf8.contains { $0 < 0x20 || $0 == 0x7F }
        }
        guard follow.source == name, parameters.count == \(source.parameters.count), isPlain else {
          throw FollowError(
            follow: follow.path, message: "not a follow of \(source.name)", allowed: "the form is \\(forms[0])")
        }
        guard follow.limit == nil, follow.genre == nil, follow.feed == nil else {
          throw FollowError(
            follow: follow.path, message: "\(source.name) has no limit, genre or feed", allowed: "leave them out")
        }
        return parameters
      }
    }

    """
  }

  /// A list of everything tells what is gone; one that was asked for by a parameter does not.
  private static func listing(_ source: NewSource) -> String {
    guard source.parameters.isEmpty else { return "" }
    return """

            listing: parsed.rejects.isEmpty
              ? PullPage.Listing(collection: .\(source.collectionCase), before: memory.ids, now: now.ids) : nil,
      """
  }

  private static func address(_ source: NewSource) -> String {
    var path = source.path
    for (index, name) in source.parameters.enumerated() {
      guard let range = path.firstRange(of: "{\(name)}") else { continue }
      path.replaceSubrange(range, with: "\\(percentEncoded(parameters[\(index)]))")
    }
    let guarded = """
          guard let base else {
            throw .configuration(
              message: "the server of \(source.name) is not known",
              hint: "set servers.\(source.name).url in the config, or pass --server \(source.name)=URL")
          }

      """
    let parameters = """
          let parameters: [String]
          do throws(FollowError) { parameters = try self.parameters(of: follow) } catch { throw .follow(error) }

      """
    let check = "    do throws(FollowError) { try check(follow) } catch { throw .follow(error) }\n"
    return """
        private func url(of follow: Follow) throws(SourceError) -> String {
      \(source.parameters.isEmpty ? check : parameters)\(source.url == nil ? guarded : "")    return "\\(base)\(path)"
        }

      """
  }
}
