/// A path to values of an answer, as definitions of sources write it: `$.user.login`, `$$.total`, `^.kind`, `#`, `^#`.
///
/// It has the names and indices of RFC 9535, and of its filters the one that compares a member: what needs another rule is
/// a program.
public struct ValuePath: Hashable, Sendable, CustomStringConvertible {
  public enum Root: String, Sendable, CaseIterable {
    case record = "$"
    case answer = "$$"
    /// The object that contains the record, or the record's list.
    case parent = "^"
    /// The record's name in a map, or its index in a list; after `^`, that of the map or list around it.
    case key = "#"
  }

  public enum Step: Hashable, Sendable {
    case name(String)
    /// To the element at this index, from 0; a negative one counts from the end.
    case index(Int)
    /// To all elements, or to all members.
    case all
    /// To the first element whose member with this name is that text or number.
    case match(String, Operand)
  }

  public enum Operand: Hashable, Sendable {
    case text(String)
    case path(ValuePath)
  }

  public var root: Root
  /// How many maps and lists further out the name of `#` is, or how many objects the one of `^`: 1 for `^#` and `^^`.
  public var level = 0
  public var steps: [Step]
  public var description: String

  public var isMany: Bool { steps.contains(.all) }

  public init(_ root: Root) { (self.root, steps, description) = (root, [], root.rawValue) }

  public static func isPath(_ text: some StringProtocol) -> Bool {
    text.utf8.first.map { $0 == 0x24 || $0 == 0x5E || $0 == 0x23 } == true
  }

  /// - Throws: `DefinitionTextError`, with the place in the text.
  public init(_ text: String) throws(DefinitionTextError) {
    var reader = PathTextReader(text)
    description = text
    (root, level) = try reader.root()
    steps = []
    while let step = try reader.step() { steps.append(step) }
    if root == .key, !steps.isEmpty { throw DefinitionTextError("nothing can follow #", at: level + 1) }
  }
}

/// A text of a definition that is not as it must be: a path, a template, or the value of a field.
public struct DefinitionTextError: Error, Hashable, Sendable {
  public var message: String
  /// The place in the text, in bytes.
  public var offset: Int

  public init(_ message: String, at offset: Int = 0) { (self.message, self.offset) = (message, offset) }
}

private struct PathTextReader {
  private let bytes: [UInt8]
  private var next = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func root() throws(DefinitionTextError) -> (ValuePath.Root, level: Int) {
    let carets = bytes.prefix { $0 == 0x5E }.count
    if carets > 0, carets < bytes.count, bytes[carets] == 0x23 {
      next = carets + 1
      return (.key, carets)
    }
    if carets > 1 {
      next = carets
      return (.parent, carets - 1)
    }
    guard let first = bytes.first, let root = ValuePath.Root(rawValue: String(UnicodeScalar(first))) else {
      throw DefinitionTextError("a path begins with $, $$, ^, ^^, # or ^#")
    }
    next = 1
    if root == .record, bytes.count > 1, bytes[1] == 0x24 {
      next = 2
      return (.answer, 0)
    }
    return (root, 0)
  }

  mutating func step() throws(DefinitionTextError) -> ValuePath.Step? {
    guard next < bytes.count else { return nil }
    let start = next
    next += 1
    if bytes[start] == 0x2E { return try named(start) }
    guard bytes[start] == 0x5B else { throw wrong(start) }
    if next < bytes.count, bytes[next] == 0x27 { return .name(try quoted(start)) }
    if let match = try match(start) { return match }
    guard let end = bytes[next...].firstIndex(of: 0x5D) else { throw wrong(start) }
    let inside = String(decoding: bytes[next..<end], as: UTF8.self)
    next = end + 1
    if inside == "*" { return .all }
    guard let index = Int(inside), !inside.hasPrefix("+") else { throw wrong(start) }
    return .index(index)
  }

  private mutating func named(_ start: Int) throws(DefinitionTextError) -> ValuePath.Step {
    if next < bytes.count, bytes[next] == 0x2A {
      next += 1
      return .all
    }
    let name = bytes[next...].prefix { Self.isNameByte($0) }
    guard let first = name.first, !(0x30...0x39).contains(first), first != 0x2D else { throw wrong(start) }
    next = name.endIndex
    return .name(String(decoding: name, as: UTF8.self))
  }

  /// `[name='text']` or `[name=PATH]`, after `[`; `nil` for another step.
  private mutating func match(_ start: Int) throws(DefinitionTextError) -> ValuePath.Step? {
    let name = bytes[next...].prefix { Self.isNameByte($0) }
    guard !name.isEmpty, name.endIndex < bytes.count, bytes[name.endIndex] == 0x3D else { return nil }
    next = name.endIndex + 1
    let member = String(decoding: name, as: UTF8.self)
    if next < bytes.count, bytes[next] == 0x27 { return .match(member, .text(try quoted(start))) }
    var (end, depth) = (next, 1)
    while end < bytes.count {
      if bytes[end] == 0x5B { depth += 1 }
      if bytes[end] == 0x5D { depth -= 1 }
      if depth == 0 { break }
      end += 1
    }
    guard depth == 0 else { throw wrong(start) }
    let path: ValuePath
    do throws(DefinitionTextError) { path = try ValuePath(String(decoding: bytes[next..<end], as: UTF8.self)) } catch {
      throw DefinitionTextError(error.message, at: next + error.offset)
    }
    guard !path.isMany else { throw DefinitionTextError("expected a path to one value", at: next) }
    next = end + 1
    return .match(member, .path(path))
  }

  private mutating func quoted(_ start: Int) throws(DefinitionTextError) -> String {
    var name: [UInt8] = []
    next += 1
    while next < bytes.count, bytes[next] != 0x27 {
      if bytes[next] == 0x5C { next += 1 }
      guard next < bytes.count else { throw wrong(start) }
      name.append(bytes[next])
      next += 1
    }
    guard next + 1 < bytes.count, bytes[next + 1] == 0x5D else { throw wrong(start) }
    next += 2
    return String(decoding: name, as: UTF8.self)
  }

  private func wrong(_ offset: Int) -> DefinitionTextError {
    DefinitionTextError("expected .name, ['name'], [0], [*], .* or [name='text'] in the path", at: offset)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == 0x5F || byte == 0x2D || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}
