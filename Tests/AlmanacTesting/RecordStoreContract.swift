public import Ports

/// What every adapter of `RecordStore` must do; run by the fakes and by the real ones.
///
/// Run each of `checks` with a closure that makes an empty store: a violation is thrown.
public enum RecordStoreContract {
  /// One promise.
  public struct Check: Sendable, CustomStringConvertible {
    /// The promise in words.
    public let description: String
    let run: @Sendable (any RecordStore) async throws -> Void

    init(_ description: String, _ run: @escaping @Sendable (any RecordStore) async throws -> Void) {
      self.description = description
      self.run = run
    }

    /// Tries the promise on an empty store.
    ///
    /// - Throws: `ContractViolation`, or what the store throws where it should not.
    public func callAsFunction(on store: any RecordStore) async throws { try await run(store) }
  }

  /// Every promise.
  public static let checks: [Check] = contents + transactions + feed
}

/// A store does not keep its promise.
public struct ContractViolation: Error, CustomStringConvertible {
  /// What was expected and found, with the place in the suite.
  public let description: String
}

func expect(_ condition: Bool, _ message: @autoclosure () -> String = "", line: Int = #line) throws {
  if !condition { throw ContractViolation(description: "\(message()) (contract, line \(line))") }
}

func expectEqual<Value: Equatable>(_ found: Value, _ expected: Value, line: Int = #line) throws {
  try expect(found == expected, "expected \(expected), found \(found)", line: line)
}

func expectError(
  _ code: StoreError.Code, line: Int = #line, _ body: () async throws -> Void
) async throws {
  do { try await body() } catch let error as StoreError {
    return try expect(error.code == code, "expected \(code), found \(error.code): \(error)", line: line)
  }
  throw ContractViolation(description: "expected \(code), nothing was thrown (contract, line \(line))")
}
