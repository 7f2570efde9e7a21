public import Ports

/// Makes filters over stored records that look for a field's bytes and read nothing else.
///
/// - Numbers, and strings that are written like numbers (amounts, ids), compare as numbers where the condition's value
///   is one too, exactly and at any length; everything else compares by its UTF-8 bytes.
/// - A field that is absent or null meets `!=` only; an object meets `!=` only.
/// - A list meets a condition where one of its elements does, and `!=` where no element is equal.
public struct JSONRecordFilterCompiler: RecordFilterCompiler {
  /// A compiler.
  public init() {}

  /// Makes a filter that is true where all conditions are.
  public func filter(_ conditions: [RecordCondition]) -> any RecordFilter {
    JSONRecordFilter(conditions: conditions.map(FieldCondition.init))
  }
}
