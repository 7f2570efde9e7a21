import CLibrary

/// The error number of a call for a file (errno(3)), for people.
public struct SystemError {
  public let number: Int32

  public init(_ number: Int32) { self.number = number }

  /// Whether there is no room: the disk is full, or the quota is used up.
  public var isFull: Bool { number == ENOSPC || number == EDQUOT }

  public var text: String { String(cString: strerror(number)) }

  /// What to do about an error that is about the file system, whatever the file and whoever the user; `nil` for others.
  public var suggestion: Advice? {
    switch number {
    case ENOSPC, EDQUOT: "free some space, or raise the quota"
    case EROFS: "the file system is mounted for reading only: mount it for writing, or use another folder"
    default: nil
    }
  }
}

extension Failure {
  /// - Parameters:
  ///   - message: what failed, without the reason.
  ///   - hint: what to do where the error is not about the file system.
  public init(
    _ kind: Kind, _ reason: Reason, _ message: String, number: Int32, hint: Advice? = nil, code: FailureCode? = nil,
    path: String? = nil
  ) {
    let error = SystemError(number)
    self.init(kind, reason, "\(message): \(error.text)", hint: error.suggestion ?? hint, code: code, path: path)
  }
}
