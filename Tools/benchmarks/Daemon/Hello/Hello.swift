import Hummingbird

/// The least that Hummingbird can do: the peer of the daemon's API.
@main
struct Hello {
  static func main() async throws {
    let router = Router()
    router.get("/hello") { _, _ in "hello" }
    let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 8080
    let application = Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { print("http://127.0.0.1:\($0.localAddress?.port ?? port)") })
    try await application.run()
  }
}
