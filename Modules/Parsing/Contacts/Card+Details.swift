import Models
import Ports

extension Card {
  var details: ContactDetails {
    var details = ContactDetails()
    if let parts = name?.components(lists: !isVersion2) {
      func part(_ index: Int) -> String? { parts.count > index && !parts[index].isEmpty ? parts[index] : nil }
      (details.middleName, details.namePrefix, details.nameSuffix) = (part(2), part(3), part(4))
    }
    details.nickname = Self.nonEmpty(nickname?.text)
    if let parts = organization?.components(lists: !isVersion2) {
      details.organization = parts[0].isEmpty ? nil : parts[0]
      details.departments = parts.dropFirst().filter { !$0.isEmpty }
    }
    for property in properties {
      if let list = ListProperty(property.name) {
        if let value = value(of: property) { details[keyPath: list.list.path].append(value) }
        continue
      }
      switch property.name {
      case "ADR": if let address = address(property) { details.addresses.append(address) }
      case "NOTE": details.note = details.note ?? Self.nonEmpty(property.lines)
      case "CATEGORIES": details.groups += property.list
      case "PHOTO": details.photo = details.photo ?? (property.isBrokenPhoto ? nil : property.photo)
      default:
        guard let path = Self.texts.first(where: { $0.name == property.name })?.path else { continue }
        details[keyPath: path] = details[keyPath: path] ?? Self.nonEmpty(property.text)
      }
    }
    return details
  }

  /// The properties of one text beside those of the name.
  static let texts: [(name: String, path: any WritableKeyPath<ContactDetails, String?> & Sendable)] = [
    ("TITLE", \.title), ("ROLE", \.role), ("X-PHONETIC-FIRST-NAME", \.phoneticFirstName),
    ("X-PHONETIC-MIDDLE-NAME", \.phoneticMiddleName), ("X-PHONETIC-LAST-NAME", \.phoneticLastName),
  ]

  private static func nonEmpty(_ text: String?) -> String? {
    text.map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of a property of a list; `nil` for another one.
  func value(of property: CardProperty) -> ContactValue? {
    guard let list = ListProperty(property.name), var text = Self.nonEmpty(property.text) else { return nil }
    if property.name == "TEL", text.lowercased().hasPrefix("tel:") { text.removeFirst(4) }
    if list.list == .dates, case .success(let day) = CardDate.birthday(property, isApple: isApple) {
      text = day.description
    }
    if !list.scheme.isEmpty { text = "\(list.scheme):\(text)" }
    return text.isEmpty
      ? nil : ContactValue(text, type: type(of: property, list), isPreferred: property.isPreferred)
  }

  func address(_ property: CardProperty) -> PostalAddress? {
    property.components(lists: !isVersion2).flatMap {
      PostalAddress($0, type: type(of: property), isPreferred: property.isPreferred)
    }
  }

  /// What a value is for: its label (`X-ABLabel` in the same group), or else its types in lower case, or what its property
  /// says.
  private func type(of property: CardProperty, _ list: ListProperty? = nil) -> String {
    if !property.group.isEmpty {
      let label = properties.first { $0.name == "X-ABLABEL" && $0.group.exact == property.group.exact }
      if var label = Self.nonEmpty(label?.text) {
        if label.hasPrefix("_$!<"), label.hasSuffix(">!$_") {
          label = String(label.dropFirst(4).dropLast(4))
          // As the types of other versions.
          if list?.list == .relations || list?.list == .dates { label = label.lowercased() }
        }
        if !label.isEmpty { return label }
      }
    }
    if let service = property.parameter("SERVICE-TYPE"), list?.list == .socialProfiles { return service.lowercased() }
    let types = property.types.joined(separator: " ")
    return types.isEmpty ? list?.type ?? "" : types
  }
}

/// A list of a person, with the property that is written for a new value.
enum CardList: String, CaseIterable {
  case emails = "EMAIL"
  case phones = "TEL"
  case urls = "URL"
  case ims = "IMPP"
  case socialProfiles = "X-SOCIALPROFILE"
  case relations = "X-ABRELATEDNAMES"
  case dates = "X-ABDATE"

  var path: any WritableKeyPath<ContactDetails, [ContactValue]> & Sendable {
    switch self {
    case .emails: \.emails
    case .phones: \.phones
    case .urls: \.urls
    case .ims: \.ims
    case .socialProfiles: \.socialProfiles
    case .relations: \.relations
    case .dates: \.dates
    }
  }
}

/// A property whose values are a list of a person, by its name.
struct ListProperty {
  let list: CardList
  /// What the values are for.
  var type = ""
  /// The scheme that the values lack.
  var scheme = ""

  /// - Parameter name: in upper case; `nil` for the name of another property.
  init?(_ name: String) {
    if let list = CardList(rawValue: name) {
      self.list = list
      return
    }
    switch name {
    case "X-JABBER": (list, scheme) = (.ims, "xmpp")
    case "X-AIM", "X-ICQ", "X-MSN", "X-YAHOO", "X-SKYPE", "X-QQ", "X-MATRIX":
      (list, scheme) = (.ims, name.dropFirst(2).lowercased())
    case "X-SKYPE-USERNAME": (list, scheme) = (.ims, "skype")
    case "X-GOOGLE-TALK": (list, scheme) = (.ims, "gtalk")
    case "SOCIALPROFILE": list = .socialProfiles
    case "RELATED": list = .relations
    case "X-SPOUSE", "X-EVOLUTION-SPOUSE", "X-KADDRESSBOOK-X-SPOUSESNAME": (list, type) = (.relations, "spouse")
    case "X-MANAGER", "X-EVOLUTION-MANAGER", "X-KADDRESSBOOK-X-MANAGERSNAME": (list, type) = (.relations, "manager")
    case "X-ASSISTANT", "X-EVOLUTION-ASSISTANT", "X-KADDRESSBOOK-X-ASSISTANTSNAME":
      (list, type) = (.relations, "assistant")
    case "ANNIVERSARY", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY", "X-KADDRESSBOOK-X-ANNIVERSARY":
      (list, type) = (.dates, "anniversary")
    default: return nil
    }
  }
}

extension CardProperty {
  /// Types that tell nothing about what a value is for.
  static let commonTypes = ["internet", "pref", "voice", "x400", "dom", "intl", "postal", "parcel"]

  /// Types that mean the same in any case; others are words of the person's own.
  private static let knownTypes: Set<ExactString> = [
    "home", "work", "cell", "mobile", "fax", "pager", "text", "video", "textphone", "msg", "bbs", "modem", "car",
    "isdn", "pcs", "main", "other", "iphone", "spouse", "child", "parent", "sibling", "friend", "anniversary",
  ]

  /// The types, without those that every value has. In 2.1 they are parameters without a name.
  var types: [String] {
    var types: [String] = []
    for value in parameters(["TYPE", ""]) {
      for word in value.split(separator: ",").map({ String($0).trimmed }) {
        let lower = word.lowercased()
        let isKnown = Self.knownTypes.contains(lower.exact) || word.exact == word.uppercased().exact
        let type = isKnown || Self.commonTypes.contains(lower) ? lower : word
        let isWord = type.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        let isEncoding = ["quoted-printable", "base64", "b", "8bit", "7bit"].contains(lower)
        if isWord, !type.isEmpty, !isEncoding, !Self.commonTypes.contains(type), !types.contains(type) {
          types.append(type)
        }
      }
    }
    return types
  }

  /// Whether the value is preferred to the others of its kind.
  var isPreferred: Bool {
    parameter("PREF") == "1"
      || parameters(["TYPE", ""]).contains { $0.lowercased().split(separator: ",").contains { $0 == "pref" } }
  }

  /// The photo of `PHOTO`; `nil` if the property is empty.
  var photo: ContactPhoto? {
    let text = String(decoding: value.prefix(2048), as: UTF8.self).trimmed
    guard !text.isEmpty else { return nil }
    let type =
      parameter("MEDIATYPE") ?? types.first { $0 != "uri" }.map { $0.contains("/") ? $0 : "image/\($0.lowercased())" }
    if text.lowercased().hasPrefix("data:") {
      let head = text.dropFirst(5).prefix { $0 != "," && $0 != ";" && $0 != "\\" }
      let data = value.firstIndex(of: 0x2C).map { value[($0 + 1)...] } ?? []
      return ContactPhoto(type: head.isEmpty ? type : String(head).lowercased(), bytes: Self.size(ofBase64: data))
    }
    if text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://") {
      return ContactPhoto(url: self.text?.trimmed)
    }
    return ContactPhoto(type: type, bytes: Self.size(ofBase64: value))
  }

  /// Whether the bytes of an embedded photo cannot be read.
  var isBrokenPhoto: Bool { photo?.bytes != nil && !Base64.isReadable(photoData) }

  private static func size(ofBase64 text: ArraySlice<UInt8>) -> Int { text.count { $0 > 0x20 && $0 != 0x3D } * 3 / 4 }

  /// The bytes of an embedded photo; `nil` if it has none.
  var photoBytes: [UInt8]? {
    guard photo?.bytes != nil else { return nil }
    return Base64.decoded(String(decoding: photoData.filter { $0 > 0x20 }, as: UTF8.self))
  }

  private var photoData: ArraySlice<UInt8> { value.firstIndex(of: 0x2C).map { value[($0 + 1)...] } ?? value }
}
