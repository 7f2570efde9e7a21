import CLibrary
public import Models
public import Ports

/// The calls of assistants: a line of JSON each in `mcp.log`. A file of a megabyte becomes `mcp.log.1`, in place of the former.
public struct AssistantLog: Sendable {
  static let largest = 1 << 20
  /// How many bytes of arguments are kept.
  static let longestArguments = 500

  private let path: String
  private let coder: any RecordCoder
  private let time: any TimeSource

  /// - Parameter folder: where the file is made.
  public init(folder: String, coder: any RecordCoder, time: any TimeSource) {
    (path, self.coder, self.time) = (folder + "/mcp.log", coder, time)
  }

  /// Adds a call. A log that cannot be written stops no assistant: it does what it may do in any case.
  func add(_ client: String, _ call: String, _ arguments: JSONObject, failure: Failure?) {
    let text = String(decoding: coder.encode(arguments), as: UTF8.self)
    let line: JSONObject = [
      "at": .string(time.now.description), "client": .string(String(client.prefix(80))), "call": .string(call),
      "arguments": .string(Self.cut(text)), "outcome": failure == nil ? "done" : "refused",
      "why": .of(failure.map { Self.cut($0.message) }),
    ]
    // Whoever reads the file sees what an assistant wrote, in the order in which it was written.
    let visible = line.members.map { JSONObject.Member(key: $0.key, value: UntrustedText.escaped($0.value)) }
    let bytes = coder.encode(JSONObject(members: visible)) + [0x0A]
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // Lines of several programs are not mixed: each is one write at the end.
    _ = write(descriptor, bytes, bytes.count)
    if lseek(descriptor, 0, SEEK_END) > Self.largest { rename(path, path + ".1") }
  }

  /// The calls of both files, oldest first. What cannot be read is left out.
  public func calls() -> [JSONObject] {
    ["\(path).1", path].flatMap { file -> [JSONObject] in
      guard let bytes = Self.bytes(of: file) else { return [] }
      return bytes.split(separator: 0x0A).compactMap { try? coder.decode(Array($0)) }
    }
  }

  private static func bytes(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 2 * largest)
    let count = read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : Array(bytes.prefix(count))
  }

  private static func cut(_ text: String) -> String {
    text.utf8.count <= longestArguments
      ? text : String(decoding: text.utf8.prefix(longestArguments), as: UTF8.self) + "…"
  }
}
