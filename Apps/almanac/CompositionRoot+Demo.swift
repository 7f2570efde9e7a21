import Models
import Networking
import Ports

/// The servers of the demo: recordings inside the program.
enum DemoServers {
  /// Where the recordings say that they came from.
  static let settings = Settings(servers: [
    .users: Settings.Server(url: "https://api.example.com"), .people: Settings.Server(url: "https://api.example.com"),
  ])

  /// Answers from the recordings.
  static func transport(coder: any RecordCoder, time: any TimeSource) -> HARTransport {
    let seed = HARFile(name: "demo", bytes: DemoRecordings.har(coder))
    do throws(TransportError) { return try HARTransport([seed], coder: coder, time: time) } catch {
      preconditionFailure("the demo's recordings cannot be read: \(error)")
    }
  }
}
