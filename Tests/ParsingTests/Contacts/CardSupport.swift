import Models
import Parsing
import Ports

/// A card around some lines, with a version and CR LF.
func card(_ lines: String..., version: String = "3.0") -> String { card(lines, version: version) }

/// The same of any number of lines.
func card(_ lines: [String], version: String = "3.0") -> String {
  (["BEGIN:VCARD", "VERSION:\(version)"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
}

/// Reads cards from text.
func readCards(_ text: String) throws(ParsingError) -> ContactCards {
  try VCardFormat().read(Array(text.utf8))
}

/// `First|Last|birthday` of every person, which is easy to compare.
func summaries(_ cards: ContactCards) -> [String] {
  cards.people.map { "\($0.firstName)|\($0.lastName)|\($0.birthday?.description ?? "-")" }
}

/// `line|name|reason` of every card that was not taken.
func skips(_ cards: ContactCards) -> [String] {
  cards.skipped.map { "\($0.line)|\($0.name ?? "-")|\($0.reason)" }
}

/// `line|name|reason` of what is to be known of cards that were taken.
func notes(_ cards: ContactCards) -> [String] {
  cards.notes.map { "\($0.line)|\($0.name ?? "-")|\($0.reason)" }
}
