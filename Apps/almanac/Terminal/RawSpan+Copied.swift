extension RawSpan {
  /// The bytes, copied out.
  var copied: [UInt8] { withUnsafeBytes { Array($0) } }
}
