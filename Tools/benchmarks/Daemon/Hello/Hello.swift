import CLibrary
import Hummingbird

/// A minimal Hummingbird server, for comparison with the daemon's API.
@main
struct Hello {
  static func main() async throws {
    let router = Router()
    router.get("/hello") { _, _ in "hello" }
    let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        print("http://127.0.0.1:\(channel.localAddress?.port ?? port)")
        fflush(nil)
      })
    try await application.run()
  }
}
