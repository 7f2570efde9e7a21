/// A program ended with another status than expected, or did not say what was expected.
public struct UnexpectedResult: Error, CustomStringConvertible {
  public let description: String
}

/// Commands whose exit status is known before: what they should print is named in the call.
extension Program {
  /// Runs a command.
  ///
  /// - Parameters:
  ///   - status: the expected exit status.
  ///   - out: texts that standard output contains.
  ///   - err: texts that standard error contains.
  /// - Throws: `UnexpectedResult`, with the result and the place of the call.
  @discardableResult
  public func run(
    _ arguments: [String], input: String = "", exits status: Int32, out: String..., err: String...,
    file: StaticString = #fileID, line: Int = #line
  ) async throws -> Result {
    let result = try await run(arguments, input: input)
    return try result.checked("\(file):\(line): \(arguments)", status, out: out, err: err)
  }

  /// The same for arguments that are written one by one.
  @discardableResult
  public func run(
    _ arguments: String..., input: String = "", exits status: Int32, out: String..., err: String...,
    file: StaticString = #fileID, line: Int = #line
  ) async throws -> Result {
    let result = try await run(arguments, input: input)
    return try result.checked("\(file):\(line): \(arguments)", status, out: out, err: err)
  }

  /// The same for a command of a shell.
  @discardableResult
  public func shell(
    _ command: String, exits status: Int32, out: String..., err: String..., file: StaticString = #fileID,
    line: Int = #line
  ) async throws -> Result {
    try await shell(command).checked("\(file):\(line): \(command)", status, out: out, err: err)
  }
}

extension Program.Result {
  fileprivate func checked(_ call: String, _ status: Int32, out: [String], err: [String]) throws -> Self {
    let missing = out.filter { !self.out.contains($0) } + err.filter { !self.err.contains($0) }
    guard self.status == status, missing.isEmpty else {
      let lacks = missing.isEmpty ? "" : ", and lacks \(missing)"
      throw UnexpectedResult(
        description: "\(call) ended with \(self.status), expected \(status)\(lacks)\n\(self.out)\n\(self.err)")
    }
    return self
  }
}
