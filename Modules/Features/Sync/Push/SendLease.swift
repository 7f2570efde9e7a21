import Models
import Ports

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A lease for sending the edits of one record, stored in `state` under `sending/TARGET`. It prevents two processes
/// from sending the same edit at the same time.
enum SendLease {
  /// The duration of a lease in seconds, longer than any request with its retries. A lease that ends later than this
  /// from now was written before the clock was set back, and is void.
  static let seconds = 900

  private static func id(_ target: String) -> String { "sending/\(target)" }

  /// Acquires the lease.
  ///
  /// - Returns: whether the lease was free, void, or already held by this process.
  /// - Throws: `StoreError` if the store cannot be read or written.
  static func take(
    _ target: String, _ process: ProcessIdentity, at now: Timestamp, in transaction: inout any StoreTransaction,
    _ coder: any RecordCoder
  ) throws(StoreError) -> Bool {
    let id = id(target)
    if try isHeld(target, besides: process, at: now, in: transaction, coder) { return false }
    let fields: JSONObject = [
      "id": .string(id), "process": .string(process.name), "until": .string((now + seconds).description),
    ]
    try transaction.put(coder.encode(fields), id: id, in: .state)
    return true
  }

  /// Whether another running process is sending the edits of the record.
  ///
  /// - Throws: `StoreError` if the store cannot be read.
  static func isHeld(
    _ target: String, besides process: ProcessIdentity, at now: Timestamp, in reader: some RecordReader,
    _ coder: any RecordCoder
  ) throws(StoreError) -> Bool {
    guard let fields = try reader.fields(.state, id(target), coder), let holder = fields["process"]?.string,
      let until = fields["until"]?.string.flatMap({ Timestamp(rfc3339: $0) })
    else { return false }
    return holder != process.name && now <= until && until <= now + seconds && process.isAlive(holder)
  }

  /// Releases the lease.
  ///
  /// - Throws: `StoreError` if the store cannot be written.
  static func end(_ target: String, in transaction: inout any StoreTransaction) throws(StoreError) {
    try transaction.delete(.state, id(target))
  }
}

/// Identifies a process by its id and its start time, because process ids are reused.
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
  package static func current() -> ProcessIdentity {
    ProcessIdentity(name: name(of: getpid())) { name in
      guard let number = Int32(name.prefix { $0 != "-" }) else { return false }
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
      let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 1024)
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0, let end = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
      // The second field, the name in parentheses, may contain spaces.
      let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "))
      return fields.count > 19 ? String(decoding: fields[19], as: UTF8.self) : nil
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
