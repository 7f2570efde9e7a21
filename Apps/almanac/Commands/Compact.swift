import ArgumentParser
import Models
import Ports

/// `almanac compact`
struct Compact: ServiceCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Fold the journal into the collection files; it also happens by itself.")

  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let store = try services.store()
    let statistics = try await Failure.from { () async throws(StoreError) in try await store.compact() }
    let fields: JSONObject = ["records": .int(statistics.records), "bytes": .int(statistics.bytes)]
    Answer(terminal: services.terminal).done(fields) {
      services.terminal.line("\(statistics.records) records, \(statistics.bytes) bytes")
    }
    return .done
  }
}
