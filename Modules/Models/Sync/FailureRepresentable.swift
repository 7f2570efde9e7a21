/// An error that can be shown to users.
public protocol FailureRepresentable: Error {
  /// The error as users see it.
  var failure: Failure { get }
}

extension Failure {
  /// Runs `body`, and turns its error into what users see.
  public static func from<Value, Problem: FailureRepresentable>(
    _ body: () throws(Problem) -> Value
  ) throws(Failure) -> Value {
    do { return try body() } catch { throw error.failure }
  }

  /// Runs `body`, and turns its error into what users see.
  public static func from<Value, Problem: FailureRepresentable>(
    _ body: () async throws(Problem) -> Value
  ) async throws(Failure) -> Value {
    do { return try await body() } catch { throw error.failure }
  }
}
