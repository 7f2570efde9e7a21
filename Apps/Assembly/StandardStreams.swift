#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard input, output and error.
public enum StandardStreams {
  /// Opens those that the caller closed on `/dev/null`: otherwise the next file that the program opens gets the number of
  /// one, and what is printed goes into it. Call it first.
  public static func open() {
    for descriptor: CInt in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number, which is this one.
      _ = systemOpen("/dev/null", O_RDWR)
    }
  }

  private static func systemOpen(_ path: String, _ flags: CInt) -> CInt {
    #if canImport(Glibc)
      Glibc.open(path, flags)
    #elseif canImport(Musl)
      Musl.open(path, flags)
    #else
      Darwin.open(path, flags)
    #endif
  }
}
