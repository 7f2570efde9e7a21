import Foundation
import Synchronization

/// Ends the servers that tests start as processes, if the process of the tests ends before it could, however it ends.
///
/// A shell reads the process ids from a pipe. At the end of the pipe it kills those that still run; the time of the start
/// tells them from later processes with the same id.
public final class ServerReaper: Sendable {
  /// The one of this process; `nil` if the shell cannot be started.
  public static let shared: ServerReaper? = try? ServerReaper()

  private static let script = """
    trap '' INT TERM HUP
    start() { sed 's/.*) //' "/proc/$1/stat" 2> /dev/null | cut -d ' ' -f 20; }
    servers=
    while read -r server; do servers="$servers $server:$(start "$server")"; done
    for one in $servers; do
      [ "$(start "${one%:*}")" = "${one#*:}" ] && kill -9 "${one%:*}" 2> /dev/null
    done
    """

  private let process = Process()
  private let input: Mutex<FileHandle>

  public init() throws {
    let pipe = Pipe()
    // A child with a copy would keep the pipe open.
    _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.script]
    process.standardInput = pipe
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    input = Mutex(pipe.fileHandleForWriting)
    try process.run()
    try? pipe.fileHandleForReading.close()
  }

  /// Ends the process with the tests.
  public func watch(_ pid: Int32) { input.withLock { try? $0.write(contentsOf: Data("\(pid)\n".utf8)) } }

  /// Ends the processes now.
  public func end() { input.withLock { try? $0.close() } }
}
