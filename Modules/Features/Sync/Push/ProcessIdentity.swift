#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Identifies a process by its id and its start time, because process ids are reused, and by the namespace and the boot in
/// which it has that id: two containers that share a volume each have a process 1.
package struct ProcessIdentity: Sendable {
  /// The identity of this process.
  package let name: String
  /// Whether the identified process is still running.
  package let isAlive: @Sendable (String) -> Bool

  /// Creates any identity, for tests that simulate several processes.
  package init(name: String, isAlive: @escaping @Sendable (String) -> Bool) {
    self.name = name
    self.isAlive = isAlive
  }

  /// The identity of this process.
  ///
  /// A process of another PID namespace cannot be seen from here, and counts as running. One of an earlier boot of the
  /// machine has ended; a name without a namespace was written by an earlier version on this machine.
  package static func current() -> ProcessIdentity {
    let own = place()
    let suffix = own.map { "@\($0.namespace)/\($0.boot)" } ?? ""
    return ProcessIdentity(name: name(of: getpid()) + suffix) { holder in
      let parts = holder.split(separator: "@", maxSplits: 1).map(String.init)
      if parts.count == 2, let own {
        let place = parts[1].split(separator: "/", maxSplits: 1)
        guard place.count == 2, place[1] == own.boot else { return false }
        if place[0] != own.namespace { return true }
      }
      guard let name = parts.first, let number = Int32(name.prefix { $0 != "-" }) else { return false }
      // EPERM: the process is running as another user.
      guard kill(number, 0) == 0 || errno == EPERM else { return false }
      return self.name(of: number) == name
    }
  }

  private static func name(of process: Int32) -> String {
    start(of: process).map { "\(process)-\($0)" } ?? "\(process)-"
  }

  #if os(Linux)
    /// The start time in ticks since boot: the 22nd field of /proc/PID/stat (proc(5)).
    private static func start(of process: Int32) -> String? {
      guard let bytes = contents("/proc/\(process)/stat"), let end = bytes.lastIndex(of: UInt8(ascii: ")")) else {
        return nil
      }
      // The second field, the name in parentheses, may contain spaces.
      let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
      return fields.count > 19 ? String(decoding: fields[19], as: UTF8.self) : nil
    }

    /// The PID namespace of this process (namespaces(7)) and the boot of the machine (random(4)); `nil` if unknown.
    private static func place() -> (namespace: String, boot: String)? {
      var status = stat()
      guard stat("/proc/self/ns/pid", &status) == 0, let boot = contents("/proc/sys/kernel/random/boot_id") else {
        return nil
      }
      return ("\(status.st_ino)", String(decoding: boot.prefix { $0 != 0x0A }, as: UTF8.self))
    }

    /// The beginning of a file, up to 1,024 bytes; `nil` if it cannot be read.
    private static func contents(_ path: String) -> ArraySlice<UInt8>? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(descriptor, &bytes, bytes.count)
      return count > 0 ? bytes[..<count] : nil
    }
  #else
    /// There are no PID namespaces.
    private static func place() -> (namespace: String, boot: String)? { nil }

    /// The start time in seconds and microseconds, as one text (sysctl(3)).
    private static func start(of process: Int32) -> String? {
      var request = [CTL_KERN, KERN_PROC, KERN_PROC_PID, process]
      var information = kinfo_proc()
      var size = MemoryLayout<kinfo_proc>.size
      guard sysctl(&request, UInt32(request.count), &information, &size, nil, 0) == 0, size > 0 else { return nil }
      let time = information.kp_proc.p_un.__p_starttime
      return "\(time.tv_sec)\(time.tv_usec)"
    }
  #endif
}
