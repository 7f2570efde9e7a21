/// The vocabulary of the generated records. All names are invented.
enum Words {
  static let firstNames = [
    "Ada", "Bruno", "Carla", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kirsi", "Leon", "Mira",
    "Nils", "Olga", "Pavel", "Quinn", "Rosa", "Sven", "Tilda", "Umut", "Vera", "Wanda", "Xenia", "Yusuf", "Zoë",
    "Björn", "Chloé", "Dušan", "Łucja", "Søren", "Ξένια",
  ]

  static let lastNames = [
    "Almqvist", "Barreto", "Castellan", "Dorval", "Eklund", "Ferrant", "Gallweit", "Hollander", "Ibarra", "Jansky",
    "Kowalde", "Lindqvist", "Marchetto", "Norrby", "Okonski", "Petrakis", "Quillon", "Rautio", "Sandoz", "Thorvald",
    "Ullman", "Vasquero", "Wendel", "Yildirim", "Zamorra", "O'Malden", "de Wit", "van Loo", "Núñez", "Čapek",
  ]

  static let appNouns = [
    "Ledger", "Lantern", "Harbor", "Meadow", "Orbit", "Puzzle", "Quill", "Rocket", "Sketch", "Timber", "Voyage",
    "Weather", "Canvas", "Drum", "Ember", "Forest", "Garden", "Island", "Journal", "Kitchen", "Maze", "Notes",
    "Piano", "Recipes", "Signal", "Tracker", "Vault", "Workout", "Yoga", "Budget",
  ]

  static let appAdjectives = [
    "Tiny", "Brave", "Calm", "Daily", "Electric", "Fuzzy", "Golden", "Hidden", "Infinite", "Jolly", "Little", "Magic",
    "Northern", "Open", "Pocket", "Quiet", "Rapid", "Silent", "True", "Urban", "Vivid", "Wild", "Zen", "Super",
  ]

  static let appTails = [
    "", "", "", "", "", " Pro", " 2", ": The Game", " for Kids", " – Offline", " HD", " Plus", "+", " & Friends",
    ": Épopée",
  ]

  static let studios = [
    "Bluefinch Software", "Copper Kettle Games", "Dovetail Labs", "Evenstar Studio", "Fjordlight AB", "Graupel GmbH",
    "Hazelwood Apps", "Inkwell & Sons", "Juniper Works LLC", "Kestrel Interactive", "Lumen Nord ApS", "Maple Byte Inc.",
    "Nine Lanterns", "Ostrich Logic", "Paperboat Ltd", "Quarry Lane Media", "Rivet & Bolt", "Saltmarsh Digital",
    "Tallgrass, Inc.", "Umbra Petite SARL",
  ]

  /// The store's categories: the number and the English label.
  static let genres = [
    (6014, "Games"), (6002, "Utilities"), (6007, "Productivity"), (6008, "Photo & Video"), (6011, "Music"),
    (6013, "Health & Fitness"), (6015, "Finance"), (6017, "Education"), (6003, "Travel"), (6001, "Weather"),
    (6016, "Entertainment"), (6006, "Reference"),
  ]

  /// The subjects of photos, which a search finds.
  static let subjects = [
    "cats", "dogs", "birds", "harbor", "bridge", "autumn", "winter", "spring", "summer", "mountain", "river", "lake",
    "forest", "sunset", "sunrise", "clouds", "rain", "snow", "street", "market", "train", "bicycle", "portrait",
    "flowers", "macro", "night", "stars", "beach", "island", "lighthouse", "castle", "garden", "mushrooms", "horses",
    "fog", "architecture", "museum", "festival", "coffee", "bread",
  ]

  static let moods = [
    "Quiet", "Golden", "Blue", "Early", "Late", "Old", "Lost", "Distant", "Bright", "Foggy", "Still", "Wild", "Über",
    "Petite", "Three", "More",
  ]

  static let places = [
    "Arvenia", "Belmora", "Castrel", "Dunhaven", "Eskil Bay", "Fallowmere", "Grünfels", "Hollin", "Ivarsund",
    "Jasper Point", "Kettlewick", "Lomé d'Or", "Marrow Hill", "Nørrevik", "Ostmark", "Port Sable",
  ]

  static let sentences = [
    "Works without a connection.", "No account, no advertising.", "Everything stays on your device.",
    "Share with the people you like.", "Now in twelve languages.", "Made by two people and a dog.",
    "Learn at your own pace.", "“Surprisingly calm.” — a reader", "Syncs when you want it to.", "Dark mode: yes.",
  ]

  /// Lower-case ASCII letters and digits with hyphens, as in URLs.
  static func slug(_ text: String) -> String {
    var slug = ""
    for scalar in text.lowercased().unicodeScalars {
      if scalar.isASCII, scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        slug.unicodeScalars.append(scalar)
      } else if !slug.isEmpty, slug.last != "-" {
        slug += "-"
      }
    }
    while slug.last == "-" { slug.removeLast() }
    return slug.isEmpty ? "x" : slug
  }
}

/// A seeded random number generator: the same seed, topic and index give the same numbers in any order of access.
///
/// The algorithm is SplitMix64, whose state may start anywhere, so that record 99,999 is generated without those before
/// it.
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64, _ topic: String, _ index: Int = 0) {
    var hash = Dice.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    for byte in topic.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    state = Dice.mix(hash &+ Dice.mix(UInt64(bitPattern: Int64(index))))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Dice.mix(state)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// A number from 0 up to, but not including, the limit.
  mutating func below(_ limit: Int) -> Int { Int(truncatingIfNeeded: next() >> 33) % max(1, limit) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func chance(_ probability: Double) -> Bool { Double(next() >> 11) / Double(1 << 53) < probability }

  /// Hexadecimal digits.
  mutating func hex(_ count: Int) -> String {
    var text = ""
    while text.utf8.count < count { text += String(next() | 1 << 63, radix: 16) }
    return String(text.prefix(count))
  }
}
