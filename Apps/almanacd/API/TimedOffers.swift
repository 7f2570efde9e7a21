import Models
import Ports

/// Lists what an account offers, for a person who waits for the answer.
struct TimedOffers: Sendable {
  /// How long the person waits, in seconds. A request of the daemon is repeated for longer.
  static let timeout = 10

  let ask: @Sendable (SourceAccount, SourceName) async throws(Failure) -> [AccountOffer]
  let time: any TimeSource

  /// The offers.
  ///
  /// - Throws: `Failure`; `tryLater` if the server takes too long.
  func offers(of account: SourceAccount, at source: SourceName) async throws(Failure) -> [AccountOffer] {
    let first = await withTaskGroup(of: Result<[AccountOffer], Failure>?.self) { group in
      group.addTask { await answer(account, source) }
      group.addTask {
        do throws(CancellationError) { try await time.sleep(for: .seconds(Self.timeout)) } catch {}
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    guard let first else {
      throw Failure(
        .transport, .tryLater, "the server did not answer within \(Self.timeout) s", code: .transport(.timeout),
        retryable: true)
    }
    return try first.get()
  }

  /// A method of its own: as the body of a child task, the optimizer loses its result.
  private func answer(_ account: SourceAccount, _ source: SourceName) async -> Result<[AccountOffer], Failure>? {
    do throws(Failure) {
      return .success(try await ask(account, source))
    } catch { return .failure(error) }
  }
}
