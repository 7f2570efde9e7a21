import Models
import Ports

extension Card {
  /// What the card says in addition to the name and the birthday.
  var details: ContactDetails {
    var details = ContactDetails()
    if let parts = name?.components(lists: !isVersion2) {
      func part(_ index: Int) -> String? { parts.count > index && !parts[index].isEmpty ? parts[index] : nil }
      (details.middleName, details.namePrefix, details.nameSuffix) = (part(2), part(3), part(4))
    }
    details.nickname = Self.nonEmpty(nickname?.text)
    details.organization = Self.nonEmpty(
      organization?.components(lists: !isVersion2)?.filter { !$0.isEmpty }.joined(separator: ", "))
    for property in properties {
      switch property.name {
      case "EMAIL": if let value = value(of: property) { details.emails.append(value) }
      case "TEL": if let value = value(of: property) { details.phones.append(value) }
      case "ADR": if let address = address(property) { details.addresses.append(address) }
      case "NOTE": details.note = details.note ?? Self.nonEmpty(property.lines)
      case "CATEGORIES": details.groups += property.list
      case "PHOTO": details.photo = details.photo ?? property.photo
      default: break
      }
    }
    return details
  }

  private static func nonEmpty(_ text: String?) -> String? {
    text.map(\.trimmed).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The value of `EMAIL` or `TEL`.
  func value(of property: CardProperty) -> ContactValue? {
    guard var text = Self.nonEmpty(property.text) else { return nil }
    if property.name == "TEL", text.lowercased().hasPrefix("tel:") { text.removeFirst(4) }
    return text.isEmpty ? nil : ContactValue(text, type: type(of: property))
  }

  /// The value of `ADR`.
  func address(_ property: CardProperty) -> PostalAddress? {
    property.components(lists: !isVersion2).flatMap { PostalAddress($0, type: type(of: property)) }
  }

  /// What a value is for: its label (`X-ABLabel` in the same group), or else its types in lower case.
  private func type(of property: CardProperty) -> String {
    if !property.group.isEmpty {
      let label = properties.first { $0.name == "X-ABLABEL" && $0.group.exact == property.group.exact }
      if var label = Self.nonEmpty(label?.text) {
        if label.hasPrefix("_$!<"), label.hasSuffix(">!$_") { label = String(label.dropFirst(4).dropLast(4)) }
        if !label.isEmpty { return label }
      }
    }
    return property.types.joined(separator: " ")
  }
}

extension CardProperty {
  /// Types that tell nothing about what a value is for.
  static let commonTypes = ["internet", "pref", "voice", "x400", "dom", "intl", "postal", "parcel"]

  /// The types in lower case, without those that every value has. In 2.1 they are parameters without a name.
  var types: [String] {
    var types: [String] = []
    for value in parameters(["TYPE", ""]) {
      for type in value.lowercased().split(separator: ",").map({ String($0).trimmed }) {
        let isWord = type.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
        let isEncoding = ["quoted-printable", "base64", "b", "8bit", "7bit"].contains(type)
        if isWord, !type.isEmpty, !isEncoding, !Self.commonTypes.contains(type), !types.contains(type) {
          types.append(type)
        }
      }
    }
    return types
  }

  /// The photo of `PHOTO`; `nil` if the property is empty.
  var photo: ContactPhoto? {
    let text = String(decoding: value.prefix(2048), as: UTF8.self).trimmed
    guard !text.isEmpty else { return nil }
    let type = parameter("MEDIATYPE") ?? types.first { $0 != "uri" }.map { $0.contains("/") ? $0 : "image/\($0)" }
    if text.lowercased().hasPrefix("data:") {
      let head = text.dropFirst(5).prefix { $0 != "," && $0 != ";" && $0 != "\\" }
      let data = value.firstIndex(of: 0x2C).map { value.endIndex - $0 - 1 } ?? 0
      return ContactPhoto(type: head.isEmpty ? type : String(head).lowercased(), bytes: data * 3 / 4)
    }
    if text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://") {
      return ContactPhoto(url: self.text?.trimmed)
    }
    return ContactPhoto(type: type, bytes: CardProperty.trimmed(value).count * 3 / 4)
  }
}
