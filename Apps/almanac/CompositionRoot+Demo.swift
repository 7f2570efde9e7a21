import Models
import Networking
import Ports

/// The servers of the demo: recordings inside the program.
struct DemoServers: Sendable {
  /// Where the recordings say that they came from.
  let settings = Settings(servers: [
    .users: Settings.Server(url: "https://api.example.com"), .people: Settings.Server(url: "https://api.example.com"),
  ])
  /// Answers from the recordings.
  let transport: HARTransport

  /// Reads the recordings.
  init(coder: any RecordCoder, time: any TimeSource) {
    let seed = HARFile(name: "demo", bytes: DemoRecordings.har(coder))
    do throws(TransportError) { transport = try HARTransport([seed], coder: coder, time: time) } catch {
      preconditionFailure("the demo's recordings cannot be read: \(error)")
    }
  }
}
