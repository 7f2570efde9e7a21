import Dispatch
import Glibc

/// Says when files of some folders change, so that nobody has to look at them by the clock (inotify(7)).
///
/// It hears what happens on this machine. Whoever waits for it looks from time to time as well: on a file system of the
/// network others write unheard, and a folder may be replaced by another one.
final class FolderWatch: Sendable {
  /// What counts as a change.
  enum Change {
    /// Any write, and a file that takes its place by its name.
    case written
    /// A file that was written and closed, or takes its place by its name: no half of a file is seen.
    case complete

    fileprivate var mask: UInt32 {
      switch self {
      case .written: UInt32(IN_MODIFY | IN_MOVED_TO)
      case .complete: UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)
      }
    }
  }

  /// Something changed; what happens before somebody listens is one word. For one listener, who ends it by going.
  let changes: AsyncStream<Void>

  /// Watches these folders; `nil` where the system has no watch left, or none of the folders is there.
  init?(_ folders: [String], for change: Change) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let watched = folders.filter { inotify_add_watch(descriptor, $0, change.mask | UInt32(IN_ONLYDIR)) >= 0 }
    guard !watched.isEmpty else {
      close(descriptor)
      return nil
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    // A dispatch source may be cancelled from anywhere; this platform's overlay does not say so.
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
    source.setEventHandler {
      Self.drain(descriptor)
      continuation.yield()
    }
    source.setCancelHandler { close(descriptor) }
    continuation.onTermination = { _ in source.cancel() }
    source.activate()
    changes = stream
  }

  /// Takes what is there; names do not matter.
  private static func drain(_ descriptor: Int32) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
    }
  }
}
