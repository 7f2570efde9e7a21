import Foundation

extension Running {
  /// The most memory that was resident at any time so far, shared libraries included, in KiB; 0 once it has ended.
  public var peakKilobytes: Int {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
