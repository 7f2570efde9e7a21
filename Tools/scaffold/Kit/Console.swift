/// Where the tool's words go.
public struct Console {
  /// What was asked for.
  public var output: (String) -> Void
  /// Everything else.
  public var errors: (String) -> Void

  /// Makes a console.
  public init(output: @escaping (String) -> Void, errors: @escaping (String) -> Void) {
    self.output = output
    self.errors = errors
  }
}
