import Models
import Synchronization

/// A bounded queue between the task that fetches the pages of a pull and the task that commits them.
///
/// One task puts and one takes. Each is suspended while it has to wait.
final class PagesAhead<Page: Sendable>: Sendable {
  private struct State {
    var pages: [Page] = []
    var isEnded = false
    /// The fetching task, while the queue is full.
    var fetching: CheckedContinuation<Bool, Never>?
    /// The committing task, while the queue is empty.
    var committing: CheckedContinuation<Page?, Never>?
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: how many pages may wait to be committed, at least 1.
  init(capacity: Int) { self.capacity = capacity }

  /// Adds a page, and waits while the queue is full.
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
        if state.pages.count < capacity { return (nil, true) }
        state.fetching = continuation
        return (nil, nil)
      }
      taker?.resume(returning: page)
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// The next page, once there is one; `nil` after the last.
  func next() async -> Page? {
    await withCheckedContinuation { (continuation: CheckedContinuation<Page?, Never>) in
      let (asker, answer) = state.withLock { state -> (CheckedContinuation<Bool, Never>?, Page??) in
        if state.pages.isEmpty {
          if state.isEnded { return (nil, .some(nil)) }
          state.committing = continuation
          return (nil, nil)
        }
        defer { state.fetching = nil }
        return (state.fetching, state.pages.removeFirst())
      }
      asker?.resume(returning: true)
      if let answer { continuation.resume(returning: answer) }
    }
  }

  /// Ends the queue, on either side.
  func end() {
    let (asker, taker) = state.withLock { state in
      state.isEnded = true
      defer { (state.fetching, state.committing) = (nil, nil) }
      return (state.fetching, state.committing)
    }
    asker?.resume(returning: false)
    taker?.resume(returning: nil)
  }
}
