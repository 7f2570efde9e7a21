import Hummingbird
import Ports
import Synchronization

/// What the pages say after a form was sent: each text once, on the page to which its form leads. The address of that page
/// names the text, so that it is neither shown in another tab nor taken by the renewal of one.
final class FormNotes: Sendable {
  /// How many texts wait at most; the oldest are forgotten.
  static let most = 64
  private static let parameter = "note"

  private let waiting = Mutex<[(id: String, note: Note)]>([])

  /// What is said, perhaps the button that takes it back, the address that tells what became of it since, and whether it
  /// says why nothing was done.
  typealias Note = (text: String, undo: HTML?, outcome: String?, isBad: Bool)

  /// The answer to a form: the way to the next page, which says a text.
  ///
  /// - Parameter place: the path of the page, and perhaps the part of it after `#`.
  func answer(
    _ place: String, saying text: String, undo: HTML? = nil, outcome: String? = nil, isBad: Bool = false,
    _ random: any RandomSource
  ) -> Response {
    let id = String(random.next(), radix: 36)
    waiting.withLock { $0 = ($0 + [(id, (text, undo, outcome, isBad))]).suffix(Self.most) }
    let parts = place.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let part = parts.count > 1 ? "#\(parts[1])" : ""
    let mark = parts[0].contains("?") ? "&" : "?"
    return Response(status: .seeOther, headers: [.location: "\(parts[0])\(mark)\(Self.parameter)=\(id)\(part)"])
  }

  /// An address without the text that it names.
  static func without(_ address: String) -> String {
    let parts = address.split(separator: "?", maxSplits: 1)
    let rest = parts.dropFirst().joined().split(separator: "&").filter { !$0.hasPrefix("\(parameter)=") }
    return (parts.first.map(String.init) ?? "/") + (rest.isEmpty ? "" : "?\(rest.joined(separator: "&"))")
  }

  /// The text that an address names, which is forgotten; `nil` where it was shown.
  func take(_ call: APIRequest) -> Note? {
    guard let id = call.query(Self.parameter) else { return nil }
    return waiting.withLock { waiting in
      waiting.firstIndex { $0.id.utf8.elementsEqual(id.utf8) }.map { waiting.remove(at: $0).note }
    }
  }
}
