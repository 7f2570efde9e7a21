import Glibc

/// What the process uses, as proc(5) says it.
struct ProcessStatus {
  /// Memory in use, in bytes.
  var residentBytes = 0
  /// Open files and sockets.
  var openDescriptors = 0
  /// Threads.
  var threads = 0

  /// As it is now; zeros where the system does not say.
  static var current: ProcessStatus {
    var status = ProcessStatus()
    for line in text("/proc/self/status").split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count > 1 else { continue }
      if words[0] == "VmRSS:" { status.residentBytes = (Int(words[1]) ?? 0) * 1024 }
      if words[0] == "Threads:" { status.threads = Int(words[1]) ?? 0 }
    }
    if let folder = opendir("/proc/self/fd") {
      while readdir(folder) != nil { status.openDescriptors += 1 }
      // `.`, `..` and the folder itself.
      status.openDescriptors -= 3
      closedir(folder)
    }
    return status
  }

  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
