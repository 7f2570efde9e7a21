import Dispatch

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
    let source = try Platform.watchFolder(path, onChange)
    source.resume()
    return FolderWatch(source)
  }
}
