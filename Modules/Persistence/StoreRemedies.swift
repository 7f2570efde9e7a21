/// What errors and findings of a store advise, in the words of the program that uses it.
///
/// A program with a command for repairs names it here, so that its users are not shown the name of a function.
public struct StoreRemedies: Sendable {
  /// How a damaged store is repaired, as an instruction: `run 'todo repair'`.
  public var repair: String
  /// How the records of a file of JSON Lines are put into the store again, as an instruction.
  public var load: @Sendable (_ path: String) -> String

  /// Makes remedies; by default they name the store's own functions.
  public init(
    repair: String = "call 'repair()' on the store",
    load: @escaping @Sendable (_ path: String) -> String = { "load the lines of '\($0)'" }
  ) {
    self.repair = repair
    self.load = load
  }
}
