/// The path of a value in a document: `$.feed.entry[3].attributes['im:id']`.
///
/// Names that RFC 9535 allows in shorthand notation (section 2.5.1) follow a dot; others are in brackets and single quotes.
public struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// One step from a value to a nested one.
  public enum Step: Hashable, Sendable {
    case name(String)
    /// To the element at this index, from 0.
    case index(Int)
  }

  public var steps: [Step]

  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The path in the notation of RFC 9535.
  public var description: String {
    var text = "$"
    for step in steps {
      switch step {
      case .index(let index): text += "[\(index)]"
      case .name(let name): text += JSONPath.isShorthand(name) ? ".\(name)" : "['\(JSONPath.quoted(name))']"
      }
    }
    return text
  }

  /// The path for a message: of a long one the beginning, and how many steps it has.
  var abbreviated: String {
    steps.count <= 16 ? description : "\(JSONPath(Array(steps.prefix(8))))… (\(steps.count) levels)"
  }

  private static func isShorthand(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(first >= 0x30 && first <= 0x39) else { return false }
    return name.utf8.allSatisfy { byte in
      byte >= 0x80 || byte == 0x5F || JSONLexer.isDigit(byte) || (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A)
    }
  }

  private static func quoted(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "'", "\\": text += "\\\(scalar)"
      case "\u{0}"..<" ": text += "\\u00\(hexadecimal(UInt8(scalar.value)))"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension JSONPath {
  /// The path of the value at `position` of a finished tape. O(values before it on its level and above); in an array
  /// that is marked, those after the mark count.
  init(of position: Int, in words: UnsafePointer<UInt64>, base: UnsafePointer<UInt8>) {
    self.init()
    var container = 0
    while container < position {
      let end = container + JSONWord.size(words[container])
      guard let child = step(into: container, end: end, to: position, words, base) else { return }
      container = child
    }
  }

  /// The path at which a scan stopped: of the value that was being read or expected, or of its container where the scan was
  /// `betweenValues`.
  init(openIn words: UnsafePointer<UInt64>, top: Int, open: Int?, betweenValues: Bool, base: UnsafePointer<UInt8>) {
    self.init()
    guard let open else { return }
    // An open container stores the position of the outer one instead of its size.
    var chain = [open]
    while let position = chain.last, position != 0 { chain.append(JSONWord.extra(words[position])) }
    chain.reverse()
    for (place, container) in chain.enumerated() {
      let isInnermost = place + 1 == chain.count
      if isInnermost, betweenValues { return }
      let next = isInnermost ? top : chain[place + 1]
      _ = step(into: container, end: next + 1, to: next, words, base)
    }
  }

  /// Appends the step from a container to the child that contains `target`, which may be the end of the tape; returns the
  /// position of the child.
  private mutating func step(
    into container: Int, end: Int, to target: Int, _ words: UnsafePointer<UInt64>, _ base: UnsafePointer<UInt8>
  ) -> Int? {
    let isObject = JSONWord.kind(words[container]) == JSONWord.object
    var i = container + 3
    var index = 0
    if !isObject, words[container] & JSONWord.marked != 0 {
      let marked = container + JSONWord.extra(words[container + 2])
      if marked <= target { (i, index) = (marked, JSONWord.offset(words[container + 2])) }
    }
    while i < end {
      let value = isObject ? i + 1 : i
      // The end of the tape may be a name without a value, or an expected element.
      if value >= target || value + JSONWord.size(words[value]) > target {
        guard value <= target else { return nil }
        if isObject {
          steps.append(.name(JSONString.text(words[i], base)))
        } else {
          steps.append(.index(index))
        }
        return value
      }
      i = value + JSONWord.size(words[value])
      index += 1
    }
    return nil
  }
}
