public import Models

extension VCardFormat {
  /// Writes people as vCard 4.0, one card each, with the names, the birthday and the person's id as `UID`.
  ///
  /// What is read back has the same names and birthdays, white space at the ends of names and control characters
  /// aside. Without a year the birthday is `--MMDD` (RFC 6350 section 4.3.1).
  public func write(_ people: [Person]) -> [UInt8] {
    var writer = ContentLineWriter()
    for person in people {
      writer.line("BEGIN", "VCARD")
      writer.line("VERSION", "4.0")
      writer.line("PRODID", "-//Almanac//Almanac//EN")
      writer.text("UID;VALUE=text", person.id)
      let names = [person.lastName, person.firstName, "", "", ""].map(ContentLineWriter.escaped)
      writer.line("N", names.joined(separator: ";"))
      writer.text("FN", person.fullName)
      if let birthday = person.birthday { writer.line("BDAY", Self.basic(birthday)) }
      writer.line("END", "VCARD")
    }
    return writer.bytes
  }

  private static func basic(_ birthday: Birthday) -> String {
    "\(birthday.year.map { padded($0, 4) } ?? "--")\(padded(birthday.month, 2))\(padded(birthday.day, 2))"
  }
}
