import Foundation

/// What this process holds.
struct ProcessUse: CustomStringConvertible {
  /// Memory that is resident, in KiB.
  let residentKilobytes: Int
  /// The most that was resident at any time, in KiB.
  let peakKilobytes: Int
  /// Open files and sockets.
  let files: Int
  /// Threads.
  let threads: Int

  init() {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    func number(_ name: String) -> Int {
      status.split(separator: "\n").first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
    residentKilobytes = number("VmRSS:")
    peakKilobytes = number("VmHWM:")
    threads = number("Threads:")
    files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
  }

  var description: String { "\(residentKilobytes) KiB, \(files) files, \(threads) threads" }
}
