import Models
public import Ports

extension VCardFormat {
  /// The files of a ZIP archive named `*.vcf` or `*.csv`, or else the file itself.
  public func files(of bytes: [UInt8]) throws(ParsingError) -> [(name: String?, bytes: [UInt8])] {
    guard ContactArchive.isOne(bytes) else { return [(nil, bytes)] }
    let files = try ContactArchive.files(of: bytes).filter { file in
      [".vcf", ".csv"].contains { file.name.lowercased().hasSuffix($0) }
    }
    if files.isEmpty {
      throw ParsingError(
        .foreign, expected: "files named *.vcf or *.csv in the ZIP archive", found: "none", hint: Self.exportHint)
    }
    return files.map { ($0.name, $0.bytes) }
  }

  /// Reads a file of cards or a table, of which every text has to be certain, because servers get it.
  public func read(_ bytes: [UInt8], as reading: ContactReading) throws(ParsingError) -> ContactCards {
    var bytes = Self.utf8(bytes)
    if reading.charset == .latin1 { bytes = CardRepair.latin1(bytes) }
    guard Self.hasCard(bytes) else {
      if let kind = Self.otherKind(of: bytes) {
        throw ParsingError(.foreign, expected: "contact cards or a table", found: kind, hint: Self.exportHint)
      }
      if let fault = CardRepair.fault(of: bytes[...], line: 1) {
        throw ParsingError(
          .syntax, offset: fault.offset, line: fault.line, column: fault.column, expected: "text in UTF-8",
          found: fault.control == nil ? "byte 0x\(hexadecimal(bytes[fault.offset]))" : fault.reason, hint: fault.hint)
      }
      var table = try ContactTable(bytes, reading)
      return table.cards()
    }
    var cards = try read(bytes)
    cards.people = cards.people.compactMap { contact in
      var contact = contact
      switch CardRepair.repaired(contact.card, from: contact.line) {
      case .success(let card): contact.card = card
      case .failure(let fault):
        cards.skipped.append(
          .init(
            line: fault.line, name: contact.fullName ?? "\(contact.firstName) \(contact.lastName)".trimmed,
            reason: fault.reason + (fault.hint.map { "; \($0)" } ?? "")))
        return nil
      }
      return contact
    }
    cards.groups.removeAll { CardRepair.fault(of: Array($0.name.utf8)[...], line: $0.line) != nil }
    let left = Set(cards.people.map(\.line))
    cards.notes.removeAll { !left.contains($0.line) }
    return cards
  }

  private static let exportHint = "export the contacts as vCard (.vcf) or as a table (.csv)"

  /// What a file is that has neither cards nor a table; `nil` if it may have a table.
  private static func otherKind(of bytes: [UInt8]) -> String? {
    if let type = ContactPhoto(bytes)?.type { return "a picture (\(type))" }
    let text = bytes.drop { $0 <= 0x20 }
    if text.isEmpty { return "an empty file" }
    let kinds = [
      ("{", "JSON"), ("[", "JSON"), ("<", "HTML or XML"), ("%PDF", "a PDF file"), ("BEGIN:VCALENDAR", "a calendar"),
    ]
    return kinds.first { text.starts(with: $0.0.utf8) }?.1
  }

  private static func hasCard(_ bytes: [UInt8]) -> Bool {
    let needle = Array("BEGIN:VCARD".utf8)
    return bytes.split(maxSplits: 1000, whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { line in
      CardProperty.upperCase(CardProperty.trimmed(line.suffix(64)).suffix(needle.count)) == "BEGIN:VCARD"
    }
  }
}

/// Makes the bytes of a card such that a server can keep them: UTF-8 without control characters.
enum CardRepair {
  struct Fault: Error, Equatable {
    var line: Int
    /// The byte of the line, from 1.
    var column: Int
    var offset: Int
    /// The control character; `nil` for bytes that are not UTF-8.
    var control: UInt8?

    var reason: String {
      control.map { "the control character U+00\(hexadecimal($0))" } ?? "bytes that are not UTF-8"
    }
    var hint: String? { control == nil ? "a file of Windows or ISO 8859-1 can be read as latin1" : nil }
  }

  /// The first line with bytes that are not UTF-8, or with a control character; `nil` if there is none.
  static func fault(of bytes: ArraySlice<UInt8>, line: Int) -> Fault? {
    var line = line
    for text in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      func fault(at offset: Int, _ control: UInt8? = nil) -> Fault {
        Fault(line: line, column: offset - text.startIndex + 1, offset: offset, control: control)
      }
      if String(validating: text, as: UTF8.self) == nil, let place = XMLReader.invalidUTF8(Array(text)) {
        return fault(at: text.startIndex + place)
      }
      if let place = text.firstIndex(where: { $0 < 0x20 && $0 != 0x09 && $0 != 0x0D || $0 == 0x7F }) {
        return fault(at: place, text[place])
      }
      line += 1
    }
    return nil
  }

  /// The file with each property or row that is not UTF-8 read as Windows-1252; what is UTF-8 stays, as files that several
  /// programs wrote have both.
  static func latin1(_ bytes: [UInt8]) -> [UInt8] {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    var read: [[UInt8]] = []
    while let raw = folded(&lines) {
      let written = Array(raw.joined(separator: [0x0A]))
      let isText = String(validating: unfolded(raw), as: UTF8.self) != nil
      read.append(isText ? written : Array((CardText.decode(written, characterSet: nil) ?? "").utf8))
    }
    return Array(read.joined(separator: [0x0A]))
  }

  /// Takes a line and those that continue it (RFC 6350 section 3.2); `nil` at the end.
  private static func folded(_ lines: inout ArraySlice<ArraySlice<UInt8>>) -> [ArraySlice<UInt8>]? {
    guard let head = lines.popFirst() else { return nil }
    var raw = [head]
    while let next = lines.first, next.first == 0x20 || next.first == 0x09 { raw.append(lines.removeFirst()) }
    return raw
  }

  private static func unfolded(_ raw: [ArraySlice<UInt8>]) -> [UInt8] {
    var whole: [UInt8] = []
    for (index, part) in raw.enumerated() {
      whole += part.dropFirst(index == 0 ? 0 : 1).reversed().drop { $0 == 0x0D }.reversed()
    }
    return whole
  }

  /// The card with each property converted that declares its character set, or whose lines split a character.
  ///
  /// - Parameter line: the line of its beginning, from 1.
  static func repaired(_ card: [UInt8], from line: Int) -> Result<[UInt8], Fault> {
    guard let first = fault(of: card[...], line: line) else { return .success(card) }
    guard first.control == nil else { return .failure(first) }
    var result: [UInt8] = []
    var lines = card.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
    var number = line
    while let raw = folded(&lines) {
      defer { number += raw.count }
      let isLast = lines.isEmpty
      let written = Array(raw.joined(separator: [0x0A])) + (isLast ? [] : [0x0A])
      guard let fault = fault(of: written[...], line: number) else {
        result += written
        continue
      }
      let whole = unfolded(raw)
      guard let colon = whole.firstIndex(of: 0x3A) else { return .failure(fault) }
      let header = String(decoding: whole[..<colon], as: UTF8.self)
      let charset = header.uppercased().split(separator: ";").first { $0.hasPrefix("CHARSET=") }.map {
        String($0.dropFirst(8))
      }
      let isSplit = String(validating: whole, as: UTF8.self) != nil
      guard isSplit || charset != nil,
        let value = CardText.decode(Array(whole[(colon + 1)...]), characterSet: charset),
        Self.fault(of: Array(value.utf8)[...], line: 0) == nil
      else { return .failure(fault) }
      // The parameter is one of version 2.1, and says nothing about UTF-8.
      let kept = header.split(separator: ";").filter { !$0.uppercased().hasPrefix("CHARSET=") }.joined(separator: ";")
      var writer = ContentLineWriter()
      writer.line(kept, value)
      result += writer.bytes
    }
    return .success(result)
  }
}
