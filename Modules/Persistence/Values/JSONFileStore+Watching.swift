public import Ports

extension JSONFileStore {
  /// The changes after a cursor, and then those of each later commit of any process, in batches of up to 1,000.
  ///
  /// The store's folder is watched by the operating system; nothing is polled. To begin with the present state, read a
  /// snapshot and pass its `end`; without a cursor, the records that are there come first.
  ///
  /// - Throws: from the sequence, `StoreError`: `cursorExpired` where changes after the cursor are not kept any more, as
  ///   after a large `load`; `cannotRead` where the folder cannot be read or watched.
  public func changes(after cursor: ChangeCursor?) -> AsyncThrowingStream<[StoreChange], any Error> {
    let (stream, continuation) = AsyncThrowingStream<[StoreChange], any Error>.makeStream()
    let (events, event) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      var cursor = cursor
      do {
        _ = try disk.openFolder(create: !isReadOnly)
        let watch = try disk.call(.cannotRead) { () throws(FileFailure) in try disk.system.watch { event.yield() } }
        defer { watch.stop() }
        event.yield()
        for await _ in events {
          while let last = try read(after: cursor, continuation) { cursor = last }
        }
        continuation.finish()
      } catch { continuation.finish(throwing: error) }
    }
    continuation.onTermination = { _ in
      task.cancel()
      event.finish()
    }
    return stream
  }

  /// Hands on the next batch; its last cursor, or `nil` where there is none.
  private func read(
    after cursor: ChangeCursor?, _ continuation: AsyncThrowingStream<[StoreChange], any Error>.Continuation
  ) throws(StoreError) -> ChangeCursor? {
    let batch = try changes(since: cursor, limit: 1000)
    guard let last = batch.last else { return nil }
    continuation.yield(batch)
    return last.cursor
  }
}
