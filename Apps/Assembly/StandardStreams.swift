import CLibrary

public enum StandardStreams {
  /// Opens those that the caller closed on `/dev/null`: otherwise the next file that the program opens gets the number of
  /// one, and what is printed goes into it. Call it first.
  public static func open() {
    for descriptor: CInt in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number, which is this one.
      _ = CLibrary.open("/dev/null", O_RDWR)
    }
  }
}
