import Models
import Ports

/// Values as people write them.
enum Shown {
  static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
  static let longMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]

  /// `21 Nov`.
  static func day(_ date: CivilDate) -> String { "\(date.day) \(months[date.month - 1])" }

  /// `21 Nov 2026`.
  static func date(_ date: CivilDate) -> String { "\(day(date)) \(date.year)" }

  /// `10 December 1815`, or `10 December`.
  static func birthday(_ day: Birthday) -> String {
    "\(day.day) \(longMonths[day.month - 1])" + (day.year.map { " \($0)" } ?? "")
  }

  /// `today`, `tomorrow`, `in 12 days`.
  static func distance(_ date: CivilDate, from today: CivilDate) -> String {
    let days = date.daysSinceEpoch - today.daysSinceEpoch
    return days == 0 ? "today" : days == 1 ? "tomorrow" : "in \(days) days"
  }

  /// `21 Nov 2026, 17:03 UTC`.
  static func moment(_ time: Timestamp) -> HTML { "<time datetime=\"\(time.description)\">\(text(time))</time>" }

  /// A time, which the script turns into `3 minutes ago`.
  static func ago(_ time: Timestamp?, orElse text: String = "never") -> HTML {
    guard let time else { return "<span class=\"soft\">\(text)</span>" }
    return "<time datetime=\"\(time.description)\" data-ago>\(Self.text(time))</time>"
  }

  /// When something happens next: `now` from that time on.
  static func due(_ time: Timestamp) -> HTML {
    "<time datetime=\"\(time.description)\" data-ago data-due=\"now\">\(text(time))</time>"
  }

  /// When something ends, after `lead`, which a text takes the place of from that time on.
  static func end(_ time: Timestamp, after lead: String, then text: String) -> HTML {
    "<time datetime=\"\(time.description)\" data-ago data-due=\"\(text)\" data-lead=\"\(lead) \">\(lead) \(Self.text(time))</time>"
  }

  /// The time at which something began, which the script turns into `17:03` or `yesterday, 17:03`.
  static func since(_ time: Timestamp) -> HTML {
    "<time datetime=\"\(time.description)\" data-ago=\"at\">\(text(time))</time>"
  }

  static func text(_ time: Timestamp) -> String { "\(date(time.date)), \(clock(time)) UTC" }

  /// `17:03`, of UTC.
  static func clock(_ time: Timestamp) -> String {
    let minute = time.secondOfDay / 60
    return "\(padded(minute / 60)):\(padded(minute % 60))"
  }

  static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// `1,99 €`, `$1.99`, or `free`.
  static func price(_ price: Price) -> String {
    guard price.amount.contains(where: { ("1"..."9").contains($0) }) else { return "free" }
    let amount = Price.shortened(price.amount)
    let whole = amount.hasSuffix(".00") ? String(amount.dropLast(3)) : amount
    return switch price.currency {
    case "EUR": "\(amount.replacing(".", with: ","))\u{A0}€"
    case "USD": "$\(amount)"
    case "GBP": "£\(amount)"
    case "JPY": "¥\(whole)"
    default: "\(price.currency)\u{A0}\(amount)"
    }
  }

  /// Bytes for people.
  static func size(_ bytes: Int) -> String {
    var value = Double(bytes)
    for unit in ["B", "KB", "MB", "GB"] {
      if value < 1000 || unit == "GB" {
        let tenths = Int(nearest: (value * 10).rounded())
        return unit == "B" || tenths >= 1000 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
      }
      value /= 1000
    }
    return "\(bytes) B"
  }

  /// `top-paid`, `fullName`, `bundleID` and `price.amount` as headings: `Top paid`, `Full name`, `Bundle ID`, `Price`.
  static func heading(_ name: String) -> String {
    let name = name.hasSuffix(".amount") ? String(name.dropLast(7)) : name
    var text = ""
    var isInWord = false
    for (character, next) in zip(name, name.dropFirst().map(Optional.some) + [nil]) {
      if character == "-" || character == "." {
        text.append(" ")
      } else if character.isUppercase, isInWord {
        text += next?.isLowercase ?? false ? " \(character.lowercased())" : " \(character)"
      } else {
        text.append(character)
      }
      isInWord = character.isLowercase
    }
    if let whole = spellings[letters(name)] { return whole }
    let first = text.prefix { $0 != " " }
    return spellings[letters(first)].map { $0 + text.dropFirst(first.count) } ?? capitalized(text)
  }

  /// What one value of a field is called: `Phone` for `phones` and `phones.value` of people.
  static func field(_ path: String, of collection: CollectionName) -> String {
    let name = path.hasSuffix(".value") ? String(path.dropLast(6)) : path
    guard collection == .people else { return heading(name) }
    return switch name {
    case "phones": "Phone"
    case "emails": "Mail"
    case "addresses": "Address"
    case "urls": "Web page"
    case "ims": "Messenger"
    case "socialProfiles": "Social profile"
    case "relations": "Related person"
    case "dates": "Day"
    case "departments": "Department"
    case "title": "Position"
    case "namePrefix": "Prefix"
    case "nameSuffix": "Suffix"
    case "phoneticFirstName": "First name, as it is pronounced"
    case "phoneticMiddleName": "Middle name, as it is pronounced"
    case "phoneticLastName": "Last name, as it is pronounced"
    default: heading(name)
    }
  }

  static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// Names and abbreviations that are not written as other words are.
  private static let spellings = Dictionary(
    uniqueKeysWithValues: [
      "App Store", "Apple Music", "CalDAV", "CardDAV", "Chess.com", "CoinGecko", "DEV.to", "Docker Hub", "GitHub",
      "GitLab", "Hacker News", "Home Assistant", "Hugging Face", "ID", "iNaturalist", "JSON Feed", "ListenBrainz",
      "MusicBrainz", "NASA", "npm", "Open-Meteo", "Open Library", "OpenAlex", "PeerTube", "PyPI", "RSS",
      "Stack Exchange", "TVmaze", "URL",
    ].map { (letters($0), $0) } + [("nsid", "Flickr ID (NSID)")])

  private static func letters(_ text: some StringProtocol) -> String { text.lowercased().filter(\.isLetter) }

  /// The records of a collection as words, without the source that the heading has: `2 new repos`, `1 new profile`.
  static func things(_ count: Int, _ collection: CollectionName, of source: SourceName?) -> String {
    let (name, prefix) = (collection.rawValue, source.map { "\($0)-" } ?? "")
    let many = heading(name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name).lowercased()
    guard count == 1 else { return many }
    return collection == .people ? "person" : many.hasSuffix("s") ? String(many.dropLast()) : many
  }

  /// A range of time in a row of choices: `7d` as `Week`, none as `All`.
  static func range(_ range: String?) -> String {
    switch range {
    case "1d": "Day"
    case "7d": "Week"
    case "30d": "Month"
    case "365d": "Year"
    default: range ?? "All"
    }
  }

  static func value(_ value: JSONValue?, _ kind: RecordField.Kind? = nil) -> HTML {
    switch value {
    case .string(let text)?:
      switch kind {
      case .decimal?: return "\(decimal(text))"
      case .time?, .timeOrDay?:
        if let time = Timestamp(rfc3339: text) { return ago(time) }
        if let date = CivilDate(text) { return "<time datetime=\"\(text)\">\(Self.date(date))</time>" }
      case .birthday?:
        if let day = Birthday(text) { return "<time datetime=\"\(text)\">\(birthday(day))</time>" }
      default:
        if text.hasPrefix("https://") || text.hasPrefix("http://") {
          return "<a href=\"\(text)\" rel=\"noreferrer\">\(short(text, 5000))</a>"
        }
      }
      return "\(short(text, 5000))"
    case .number(let digits)?: return "\(decimal(digits))"
    case .bool(let flag)?: return "\(flag ? "yes" : "no")"
    case .array(let values)?: return "\(short(values.map(text).joined(separator: ", "), 5000))"
    case .object(let object)?:
      if let amount = object["amount"]?.string, let currency = object["currency"]?.string {
        return "\(price(Price(amount: amount, currency: currency)))"
      }
      return "\(short(text(.object(object)), 5000))"
    case .null?, nil: return ""
    }
  }

  /// The most digits of a number; a binary number is not exact beyond them.
  private static let mostDigits = 15

  /// A number as people write it: `0.3` for `0.30000000000000004`, `12` for `12.000`. What is not digits and a point stays.
  static func decimal(_ text: String) -> String {
    let parts = text.drop { $0 == "-" }.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let integer = Int(parts[0]), parts[1].allSatisfy({ ("0"..."9").contains($0) }) else {
      return Int(text).map { grouped($0) } ?? text
    }
    let places = mostDigits + (integer == 0 ? parts[1].prefix { $0 == "0" }.count : -parts[0].count)
    let kept = parts[1].prefix(max(0, places))
    var digits = Array("0\(parts[0])\(kept)".utf8)
    if let next = parts[1].dropFirst(kept.count).first, next >= "5" {
      let nines = digits.reversed().prefix { $0 == UInt8(ascii: "9") }.count
      for place in digits.indices.suffix(nines) { digits[place] = UInt8(ascii: "0") }
      digits[digits.count - 1 - nines] += 1
    }
    let whole = Int(String(decoding: digits.dropLast(kept.count), as: UTF8.self)) ?? integer
    var fraction = String(decoding: digits.suffix(kept.count), as: UTF8.self)
    while fraction.last == "0" { fraction.removeLast() }
    let sign = text.hasPrefix("-") && (whole > 0 || !fraction.isEmpty) ? "-" : ""
    return sign + grouped(whole) + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  /// A value without markup.
  static func text(_ value: JSONValue) -> String {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let flag): flag ? "yes" : "no"
    case .array(let values): values.map(text).joined(separator: ", ")
    // A number or an address of a person, with its type: `+49 30 555 (work)`.
    case .object(let object) where object["value"] != nil:
      text(object["value"] ?? .null) + (object["type"]?.string.map { " (\($0))" } ?? "")
    case .object(let object): object.members.map { "\(heading($0.key)): \(text($0.value))" }.joined(separator: ", ")
    case .null: ""
    }
  }

  /// The text, cut where it is so long that it would hide everything else.
  static func short(_ text: String, _ most: Int = 300) -> String {
    text.utf8.count <= most ? text : text.count <= most ? text : text.prefix(most) + "…"
  }

  static func name(_ text: String) -> String { short(text, 100) }

  /// Where the daemon serves the picture of an address.
  /// In base64url (RFC 4648 section 5): a proxy that decodes a path and merges its slashes would change an escaped address.
  static func media(_ url: String) -> String {
    let digits = Base64.encoded(Array(url.utf8)).prefix { $0 != "=" }
    return "/media/~\(digits.replacing("+", with: "-").replacing("/", with: "_"))"
  }

  /// The address that the rest of a path after `/media/` names: as `media` writes it, or escaped, as earlier versions did.
  static func address(ofMedia rest: String) -> String {
    guard rest.hasPrefix("~") else { return rest }
    let digits = rest.dropFirst().replacing("-", with: "+").replacing("_", with: "/")
    return Base64.decoded(String(digits)).map { String(decoding: $0, as: UTF8.self) } ?? rest
  }

  /// The address of the page of something that a path names.
  static func place(_ section: String, _ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { percentEncoded($0) }
    // Routers and proxies make one slash of two, which the address of a feed has.
    return "/\(section)/" + parts.joined(separator: "/").replacing("//", with: "/%2F")
  }

  /// The address of the page of a record.
  static func record(_ collection: String, _ id: String) -> String {
    "/collections/\(percentEncoded(collection))/\(percentEncoded(id))"
  }

  /// The address of the page on which a record is shown: apps and photos have pages of their own.
  static func page(_ collection: CollectionName, _ id: String) -> String {
    [.apps, .photos].contains(collection) ? place(collection.rawValue, id) : record(collection.rawValue, id)
  }

  /// The address, if it is one that a link may lead to.
  static func safe(_ url: String) -> String {
    url.hasPrefix("https://") || url.hasPrefix("http://") ? url : "#"
  }

  /// A section's content, or why it cannot be shown.
  static func content<Value>(_ part: Result<Value, Failure>, _ make: (Value) -> HTML) -> HTML {
    switch part {
    case .success(let value): make(value)
    case .failure(let failure):
      "<p class=\"error\">\([failure.message, failure.hint?.description].compactMap { $0 }.joined(separator: "; "))</p>"
    }
  }

  /// A sentence in place of a list that is empty.
  static func nothing(_ text: HTML) -> HTML { "<p class=\"soft\">\(text)</p>" }
}

/// A number with a thin space between thousands.
func grouped(_ number: Int) -> String {
  var result = number < 0 ? "-" : ""
  let digits = String(number.magnitude)
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { result += "\u{202F}" }
    result.append(digit)
  }
  return result
}
