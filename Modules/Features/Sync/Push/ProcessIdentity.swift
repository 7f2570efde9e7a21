import CLibrary

/// Identifies a process by its id and its start time, because process ids are reused, and by the namespace and the boot in
/// which it has that id: two containers that share a volume each have a process 1.
public struct ProcessIdentity: Sendable {
  package let name: String
  package let isAlive: @Sendable (String) -> Bool

  /// Creates any identity, for tests that simulate several processes.
  package init(name: String, isAlive: @escaping @Sendable (String) -> Bool) {
    (self.name, self.isAlive) = (name, isAlive)
  }

  /// The identity of this process.
  ///
  /// A process that cannot be seen from here counts as running: one of another PID namespace, as of a container, or of
  /// another machine. One of an earlier boot of this machine has ended. A name without a place was written by an earlier
  /// version on this machine.
  public static func current() -> ProcessIdentity {
    let own = Place.current
    return ProcessIdentity(name: name(of: getpid()) + (own.map { "@\($0.name)" } ?? "")) { holder in
      let parts = holder.split(separator: "@", maxSplits: 1).map(String.init)
      if parts.count == 2, let own, let place = Place(parts[1]) {
        if place.boot != own.boot { return place.host != own.host }
        if place.namespace != own.namespace { return true }
      }
      guard let name = parts.first, let number = Int32(name.prefix { $0 != "-" }) else { return false }
      // EPERM: the process is running as another user.
      guard kill(number, 0) == 0 || errno == EPERM else { return false }
      return self.name(of: number) == name
    }
  }

  /// A process as people know it: `4711 on db1`; without the machine, if an earlier version wrote the name.
  static func description(of name: String) -> String {
    let parts = name.split(separator: "@", maxSplits: 1)
    let number = String(name.prefix { $0 != "-" })
    guard parts.count == 2, let place = Place(String(parts[1])) else { return number }
    return "\(number) on \(place.host.prefix { $0 != "/" })"
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

    /// The beginning of a file, up to 1,024 bytes; `nil` if it cannot be read.
    fileprivate static func contents(_ path: String) -> ArraySlice<UInt8>? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(descriptor, &bytes, bytes.count)
      return count > 0 ? bytes[..<count] : nil
    }
  #else
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

/// Where a process id is valid.
private struct Place {
  /// The PID namespace (namespaces(7)).
  var namespace: String
  /// Differs after each boot of the machine (random(4)).
  var boot: String
  /// The name of the machine with its id (machine-id(5)): machines that were cloned often share one of the two.
  var host: String

  var name: String { "\(namespace)/\(boot)/\(host)" }

  init?(_ name: String) {
    let parts = name.split(separator: "/", maxSplits: 2).map(String.init)
    guard parts.count == 3 else { return nil }
    (namespace, boot, host) = (parts[0], parts[1], parts[2])
  }

  #if os(Linux)
    /// The place of this process; `nil` if it is not known.
    static var current: Place? {
      var status = stat()
      guard stat("/proc/self/ns/pid", &status) == 0, let boot = line("/proc/sys/kernel/random/boot_id") else {
        return nil
      }
      let host = line("/proc/sys/kernel/hostname") ?? "localhost"
      return Place("\(status.st_ino)/\(boot)/\(host)/\(line("/etc/machine-id") ?? "-")")
    }

    private static func line(_ path: String) -> String? {
      ProcessIdentity.contents(path).map { String(decoding: $0.prefix { $0 != 0x0A }, as: UTF8.self) }
    }
  #else
    /// There are no PID namespaces.
    static var current: Place? { nil }
  #endif
}
