public struct ContactReading: Hashable, Sendable {
  /// The character set of a file that is not UTF-8.
  public enum Charset: String, Sendable, CaseIterable {
    /// Windows-1252, which has all letters of ISO 8859-1.
    case latin1
  }

  public struct Column: Hashable, Sendable {
    public var name: String
    public var field: String?

    public init(name: String, field: String?) { (self.name, self.field) = (name, field) }
  }

  public var charset: Charset?
  public var columns: [Column]

  public init(charset: Charset? = nil, columns: [Column] = []) { (self.charset, self.columns) = (charset, columns) }
}

public struct ReadColumn: Hashable, Sendable {
  public var name: String
  public var field: String?
  public var values: Int
  /// The column that was meant, if the name is misspelled.
  public var meant: String?
  public var meantField: String?

  public init(name: String, field: String?, values: Int, meant: String? = nil, meantField: String? = nil) {
    (self.name, self.field, self.values, self.meant, self.meantField) = (name, field, values, meant, meantField)
  }
}
