import CLibrary

public enum ProgramArguments {
  /// The arguments after the name of the program.
  ///
  /// Swift's runtime finds them beside the environment of the process. A library that is preloaded and sets a variable
  /// before the program starts, such as libfaketime, moves the environment: the runtime then finds none, not even the
  /// name. They are read from the kernel in this case.
  public static var given: [String] {
    let found = CommandLine.arguments
    return Array((found.isEmpty ? ofKernel : found).dropFirst())
  }

  private static var ofKernel: [String] {
    let file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
    while true {
      let count = read(file, &piece, piece.count)
      guard count > 0 else { break }
      bytes += piece.prefix(count)
    }
    // Each argument ends with a zero.
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
