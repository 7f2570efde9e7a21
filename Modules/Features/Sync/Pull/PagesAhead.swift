import Models
import Synchronization

/// Hands the pages of one pull from the task that asks for them to the task that commits them, in their order, and lets
/// the one that asks run only so far ahead.
///
/// One task puts, one takes; whoever has to wait sleeps.
final class PagesAhead<Page: Sendable>: Sendable {
  private struct State {
    var pages: [Page] = []
    var isEnded = false
    /// The asking task, while there is no room.
    var asking: CheckedContinuation<Bool, Never>?
    /// The committing task, while there is no page.
    var committing: CheckedContinuation<Page?, Never>?
  }

  private let state = Mutex(State())
  private let room: Int

  /// - Parameter room: how many pages may wait to be committed, at least 1.
  init(room: Int) { self.room = room }

  /// Hands on a page, and waits while there is no room for one more.
  ///
  /// - Returns: whether another page is wanted.
  func put(_ page: Page) async -> Bool {
    await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
      let (taker, answer) = state.withLock { state -> (CheckedContinuation<Page?, Never>?, Bool?) in
        if state.isEnded { return (nil, false) }
        if let taker = state.committing {
          state.committing = nil
          return (taker, true)
        }
        state.pages.append(page)
        if state.pages.count < room { return (nil, true) }
        state.asking = continuation
        return (nil, nil)
      }
      taker?.resume(returning: page)
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// The next page, once it is there; `nil` when all were taken and no more will come.
  func next() async -> Page? {
    await withCheckedContinuation { (continuation: CheckedContinuation<Page?, Never>) in
      let (asker, answer) = state.withLock { state -> (CheckedContinuation<Bool, Never>?, Page??) in
        if state.pages.isEmpty {
          if state.isEnded { return (nil, .some(nil)) }
          state.committing = continuation
          return (nil, nil)
        }
        defer { state.asking = nil }
        return (state.asking, state.pages.removeFirst())
      }
      asker?.resume(returning: true)
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// No page will be put any more, or none will be taken.
  func end() {
    let (asker, taker) = state.withLock { state in
      state.isEnded = true
      defer { (state.asking, state.committing) = (nil, nil) }
      return (state.asking, state.committing)
    }
    asker?.resume(returning: false)
    taker?.resume(returning: nil)
  }
}
