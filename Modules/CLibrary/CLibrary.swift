#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif

/// The types of sockets (socket(2)), which Glibc has as an enumeration, and the other libraries as numbers.
public enum SocketType {
  #if canImport(Glibc)
    public static let stream = Int32(SOCK_STREAM.rawValue)
    public static let datagram = Int32(SOCK_DGRAM.rawValue)
    public static let closeOnExec = Int32(SOCK_CLOEXEC.rawValue)
  #elseif canImport(Musl)
    public static let stream = SOCK_STREAM
    public static let datagram = SOCK_DGRAM
    public static let closeOnExec = SOCK_CLOEXEC
  #else
    public static let stream = SOCK_STREAM
  #endif
}
