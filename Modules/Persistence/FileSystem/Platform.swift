#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// System calls that differ between platforms, or whose names `FileSystem` uses for its own methods.
///
/// The other parts are in `Platform+Linux.swift` and `Platform+Darwin.swift`. The Darwin part is not built by the tests of
/// this project.
enum Platform {
  static func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

  static func closeFile(_ file: Int32) { _ = close(file) }

  static func readFile(_ file: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    read(file, bytes.baseAddress, bytes.count)
  }
}
