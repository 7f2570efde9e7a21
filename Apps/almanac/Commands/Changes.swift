import ArgumentParser
import Models
import Ports

/// `almanac changes`
struct Changes: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "changes",
    abstract: "Every commit in order, as JSON Lines, each line with its cursor.",
    discussion: "Go on with --since and the last cursor that was handled; --follow waits for more.")

  @Option(help: "Only what came after this cursor.") var since: String?
  @Flag(help: "Wait for more.") var follow = false
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let library = try services.library()
    var cursor = since.map { ChangeCursor($0) }
    while true {
      let changes = try library.changes(since: cursor, limit: 1000)
      for change in changes { services.terminal.write(line(change, services.coder)) }
      if let last = changes.last { cursor = last.cursor }
      guard services.terminal.hasReader else { return .done }
      if changes.count == 1000 { continue }
      guard follow else { return .done }
      services.terminal.flush()
      do throws(CancellationError) { try await services.time.sleep(for: .milliseconds(250)) } catch { return .done }
    }
  }

  private func line(_ change: StoreChange, _ coder: any RecordCoder) -> [UInt8] {
    let head: JSONObject = [
      "cursor": .string(change.cursor.description), "at": .string(change.at.description),
      "op": change.record == nil ? "delete" : "put", "collection": .string(change.collection.rawValue),
      "id": .string(change.id),
    ]
    let bytes = coder.encode(head)
    guard let record = change.record else { return bytes + [0x0A] }
    return bytes.dropLast() + Array(",\"record\":".utf8) + record + [0x7D, 0x0A]
  }
}
