import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reports changes of the files in a folder until it is stopped.
package final class FolderWatch: @unchecked Sendable {
  // A source is cancelled from any thread, and more than once without harm (dispatch_source_cancel(3)), hence unchecked.
  private let source: any DispatchSourceProtocol

  private init(_ source: any DispatchSourceProtocol) { self.source = source }

  deinit { stop() }

  /// Ends the reports.
  package func stop() { source.cancel() }

  /// Watches the folder at a path.
  ///
  /// - Parameter onChange: called on a thread of the system after one or more changes.
  static func start(_ path: String, _ onChange: @escaping @Sendable () -> Void) throws(FileFailure) -> FolderWatch {
    #if os(Linux)
      // inotify(7): changes of files in the folder are reported, too.
      let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
      guard descriptor >= 0 else { throw FileFailure("inotify_init1", "", errno) }
      guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY | IN_MOVED_TO | IN_CREATE)) >= 0 else {
        let number = errno
        close(descriptor)
        throw FileFailure("inotify_add_watch", "", number)
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
      source.setEventHandler {
        // What changed does not matter; the events are only taken out of the way.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
          while read(descriptor, buffer.baseAddress, buffer.count) > 0 {}
        }
        onChange()
      }
    #else
      // A writer leaves its mark in the lock file; kqueue(2) reports changes of a file to those who watch it alone.
      let descriptor = open(path + "/" + LockFile.name, O_EVTONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileFailure("open", LockFile.name, errno) }
      let source = DispatchSource.makeFileSystemObjectSource(fileDescriptor: descriptor, eventMask: .write)
      source.setEventHandler(handler: onChange)
    #endif
    source.setCancelHandler { close(descriptor) }
    source.resume()
    return FolderWatch(source)
  }
}
