import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite("Tokens of sources")
struct TokenFolderTests {
  private let folder = TemporaryFolder()
  private let shop = SourceName(rawValue: "shop")
  private var definitions: DefinitionFolder { DefinitionFolder(beside: "\(folder.path)/config.json") }

  private func tokens(_ number: Int) -> StoredTokens {
    StoredTokens(
      key: "hash", refresh: "refresh-\(number)", access: "access-\(number)", end: Timestamp(secondsSinceEpoch: number))
  }

  @Test("tokens survive, only their owner can read them, and one claim excludes others")
  func keeps() async throws {
    let time = ManualTime()
    let keeper = TokenFolder(in: definitions, time: time)
    let first = try await keeper.claim(shop)
    #expect(first.tokens == nil)
    try first.replace(tokens(1))
    #expect(first.tokens == tokens(1))
    let other = try await keeper.claim(SourceName(rawValue: "other"))
    #expect(other.tokens == nil)
    other.release()
    let file = "\(folder.path)/sources/.tokens/shop"
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    first.release()
    let second = try await keeper.claim(shop)
    #expect(second.tokens == tokens(1))
    try second.replace(tokens(2))
    second.release()
    #expect(try await keeper.claim(shop).tokens == tokens(2))
    #expect(definitions.names().isEmpty)
  }

  /// Time in which something happens while a task waits.
  private struct BusyTime: TimeSource {
    let time = ManualTime()
    let whileWaiting: @Sendable () -> Void
    var now: Timestamp { time.now }
    var uptime: Duration { time.uptime }

    func sleep(for duration: Duration) async throws(CancellationError) {
      whileWaiting()
      try await time.sleep(for: duration)
    }
  }

  @Test("a task that waits gets the claim, and what was stored meanwhile")
  func waits() async throws {
    let first = try await TokenFolder(in: definitions, time: ManualTime()).claim(shop)
    let busy = BusyTime {
      try? first.replace(tokens(5))
      first.release()
    }
    let second = try await TokenFolder(in: definitions, time: busy).claim(shop)
    defer { second.release() }
    #expect(second.tokens == tokens(5))
  }

  @Test("a claim that lasts too long is an error that says so")
  func late() async throws {
    let time = ManualTime()
    let keeper = TokenFolder(in: definitions, time: time)
    let first = try await keeper.claim(shop)
    defer { first.release() }
    let error = await #expect(throws: Failure.self) { try await keeper.claim(shop) }
    #expect(error?.reason == .tryLater)
  }
}
