public import Models

public protocol ProgramRunner: Sendable {
  var variables: [(name: String, value: String)] { get }

  /// Starts a program. Its standard input is empty.
  ///
  /// - Parameters:
  ///   - words: the program, searched in `PATH`, and its arguments. Paths are relative to the folder of the runner.
  ///   - file: the content of a file that only this program can read; its path is one more argument.
  func start(_ words: [String], file: [UInt8]?) throws(Failure) -> any RunningProgram

  /// The content of a file that the arguments of a program name; `nil` if it cannot be read.
  func contents(of path: String) -> [UInt8]?
}

/// A program that was started. One task at a time uses it.
public protocol RunningProgram: Sendable {
  /// Cancelling the task ends the program.
  /// - Parameter timeout: the longest time without any output.
  func next(within timeout: Duration) async -> ProgramOutput

  /// Ends it. What has ended already is left alone.
  func end() async
}

public enum ProgramOutput: Hashable, Sendable {
  case output([UInt8])
  /// It printed bytes on standard error.
  case complaint([UInt8])
  /// It ended with this status; 128 and the number of the signal if it was killed.
  case ended(status: Int32)
  case silent
}
