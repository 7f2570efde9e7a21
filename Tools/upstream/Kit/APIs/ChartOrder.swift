/// The order of one chart, which moves a little from day to day: most entries by a few ranks, a few in and out.
struct ChartOrder {
  /// App numbers, best first; more than any chart shows, so that there are some to enter.
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

  /// Moves to a later day.
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
      // Whoever enters may do so anywhere: a new app at the top is what charts are read for.
      numbers.insert(numbers.remove(at: leaving), at: dice.below(leaving + 1))
    }
  }
}
