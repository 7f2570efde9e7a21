/// A generated photo, which depends only on the seed and the number.
struct FlickrPhoto {
  let id: Int
  let secret: String
  let server: Int
  let farm: Int
  let title: String
  let tags: [String]
  let taken: Instant
  let posted: Instant
  let views: Int
  let isPortrait: Bool

  /// The tags alone, which a search needs for every photo.
  static func tags(seed: UInt64, number: Int) -> [String] {
    var dice = Dice(seed, "tags", number)
    return (0..<3).map { _ in dice.pick(Words.subjects) }
  }

  init(seed: UInt64, number: Int, drift: Bool) {
    var dice = Dice(seed, "photo", number)
    id = 51_000_000_000 + number * 1009 + dice.below(1009)
    secret = dice.hex(10)
    server = 4000 + dice.below(4000)
    farm = 1 + dice.below(66)
    tags = FlickrPhoto.tags(seed: seed, number: number)
    let plain = "\(dice.pick(Words.moods)) \(tags[0]), \(dice.pick(Words.places))"
    title = drift ? ["", "***", "IMG_\(1000 + number % 9000)", plain, plain, plain, plain][dice.below(7)] : plain
    taken = Instant(seconds: Instant.start.seconds - dice.below(300_000_000))
    posted = Instant(seconds: taken.seconds + 3600 + dice.below(8_000_000))
    views = dice.below(20_000)
    isPortrait = dice.chance(0.3)
  }

  /// The letter, the longest edge, and whether the picture is cropped to a square.
  private static let sizes: [String: (suffix: String, edge: Int, square: Bool)] = [
    "sq": ("_s", 75, true), "q": ("_q", 150, true), "t": ("_t", 100, false), "s": ("_m", 240, false),
    "n": ("_n", 320, false), "m": ("", 500, false), "z": ("_z", 640, false), "c": ("_c", 800, false),
    "l": ("_b", 1024, false), "h": ("_h", 1600, false), "k": ("_k", 2048, false), "o": ("_o", 4000, false),
  ]

  /// The URL, width and height of one size; nil for a letter that Flickr does not have.
  func image(_ letter: String, base: String) -> (url: String, width: Int, height: Int)? {
    guard let size = FlickrPhoto.sizes[letter] else { return nil }
    let short = size.square ? size.edge : size.edge * 2 / 3
    return (
      "\(base)/\(server)/\(id)_\(secret)\(size.suffix).jpg", isPortrait ? short : size.edge,
      isPortrait ? size.edge : short
    )
  }
}

/// A generated member of Flickr, which depends only on the seed and the number.
struct FlickrOwner {
  let number: Int
  let id: String
  let username: String
  let realName: String?
  let location: String?
  let alias: String?
  let server: Int
  /// 0 for a member without an icon.
  let farm: Int
  let isPro: Bool

  init(seed: UInt64, number: Int, drift: Bool) {
    var dice = Dice(seed, "owner", number)
    self.number = number
    id = "\(10_000_000 + number * 613 + dice.below(613))@N0\(dice.below(9))"
    let first = dice.pick(Words.firstNames)
    let last = dice.pick(Words.lastNames)
    username = ["\(first) \(last)", "\(first.lowercased())_\(number)", "\(Words.slug(last)).photo"][dice.below(3)]
    realName = drift && dice.chance(0.15) ? nil : "\(first) \(last)"
    location = drift && dice.chance(0.25) ? nil : "\(dice.pick(Words.places)), Nordmark"
    alias = dice.chance(0.5) ? "\(Words.slug(first))-\(number)" : nil
    let hasIcon = dice.chance(0.75)
    server = hasIcon ? 2000 + dice.below(6000) : 0
    farm = hasIcon ? 1 + dice.below(9) : 0
    isPro = dice.chance(0.3)
  }

  var photosURL: String { "https://www.flickr.com/photos/\(alias ?? id)/" }
  var profileURL: String { "https://www.flickr.com/people/\(alias ?? id)/" }
}
