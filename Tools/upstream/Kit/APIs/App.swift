/// A generated app, which depends only on the seed and the number.
struct App {
  let number: Int
  let id: Int
  let name: String
  let bundleID: String?
  let studio: Int
  let artist: String
  let summary: String?
  /// The price in hundredths; 0 for a free app.
  let price: Int
  let genre: (id: Int, label: String)
  let released: Instant
  let icon: String
  let hasRights: Bool
  let hasArtistLink: Bool
  /// The order of the images in the feed.
  let imageHeights: [Int]
  let amountSpelling: Int

  /// - Parameter drift: whether to omit and reorder fields as real feeds do.
  init(seed: UInt64, number: Int, drift: Bool) {
    var dice = Dice(seed, "app", number)
    self.number = number
    id = 300_000_000 + number * 7919 + dice.below(7919)
    name = "\(dice.pick(Words.appAdjectives)) \(dice.pick(Words.appNouns))\(dice.pick(Words.appTails))"
    studio = dice.below(Words.studios.count)
    artist = Words.studios[studio]
    price = number % 5 < 2 ? [99, 199, 299, 399, 499, 699, 999, 1499, 1999, 2999][dice.below(10)] : 0
    let category = dice.pick(Words.genres)
    genre = (category.0, category.1)
    released = Instant(seconds: Instant.start.seconds - 86_400 * (1 + dice.below(4000)) + 3600 * dice.below(24))
    icon = "\(dice.hex(8))-\(dice.hex(4))-\(dice.hex(4))"
    let lines = (0..<(2 + dice.below(4))).map { _ in dice.pick(Words.sentences) }
    let odd = dice.below(1000)
    summary = drift && odd % 19 == 3 ? nil : "\(name).\n\n" + lines.joined(separator: "\n• ")
    bundleID = drift && odd % 23 == 4 ? nil : "com.example.\(Words.slug(artist)).\(Words.slug(name))\(number)"
    hasRights = !(drift && odd % 11 == 5)
    hasArtistLink = !(drift && odd % 17 == 6)
    imageHeights = drift && odd % 13 == 7 ? [100, 53, 75] : [53, 75, 100]
    amountSpelling = drift ? odd % 3 : 0
  }

  /// The amount in the notation of the feed: `4.99000`, `4.99`, and for free apps `0.00000`, `0`.
  var amount: String {
    let cents = price % 100 < 10 ? "0\(price % 100)" : String(price % 100)
    switch amountSpelling {
    case 1: return price == 0 ? "0" : "\(price / 100).\(cents)"
    case 2: return "\(price / 100).\(cents)"
    default: return "\(price / 100).\(cents)000"
    }
  }

  /// `Get` or `$4.99`.
  func priceLabel(_ symbol: String) -> String {
    price == 0 ? "Get" : "\(symbol)\(price / 100).\(price % 100 < 10 ? "0" : "")\(price % 100)"
  }
}

/// The order of one chart, which changes slightly from day to day: most entries by a few ranks, a few in and out.
struct ChartOrder {
  /// The numbers of the apps, best first. There are more than a chart shows, so that new ones can enter.
  private(set) var numbers: [Int]
  private(set) var day = 0
  private let shown: Int
  private var dice: Dice

  init(seed: UInt64, chart: String, numbers: [Int], shown: Int) {
    self.numbers = numbers
    self.shown = min(shown, numbers.count)
    dice = Dice(seed, "chart " + chart)
    self.numbers.shuffle(using: &dice)
  }

  mutating func advance(to day: Int) {
    while self.day < day {
      self.day += 1
      step()
    }
  }

  private mutating func step() {
    guard numbers.count > 1, shown > 0 else { return }
    for _ in 0..<max(1, shown / 5) {
      let from = dice.below(shown)
      let to = min(max(0, from + dice.below(13) - 6), shown - 1)
      numbers.insert(numbers.remove(at: from), at: to)
    }
    guard numbers.count > shown else { return }
    for _ in 0..<max(1, shown / 33) {
      let leaving = shown - 1 - dice.below(max(1, shown / 4))
      numbers.swapAt(leaving, shown + dice.below(numbers.count - shown))
      // An app can enter at any rank, because new apps at the top are the main reason to read charts.
      numbers.insert(numbers.remove(at: leaving), at: dice.below(leaving + 1))
    }
  }
}
