import CLibrary

/// An open file, pipe or device that bytes go to.
public struct Descriptor: Sendable {
  private let number: Int32

  public init(_ number: Int32) { self.number = number }

  /// Writes everything.
  ///
  /// - Returns: why it could not (errno(3)), which errno then still says; `nil` when it could.
  public func write(_ bytes: [UInt8]) -> Int32? {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { writeOnce(number, $0.baseAddress! + done, bytes.count - done) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var ready = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
        continue
      }
      guard count > 0 else { return errno }
      done += count
    }
    return nil
  }
}

private func writeOnce(_ number: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int { write(number, bytes, count) }
