/// An invented member of Flickr, the same for the same seed and number.
struct FlickrOwner {
  let number: Int
  let id: String
  let username: String
  let realName: String?
  let location: String?
  let alias: String?
  let server: Int
  /// 0 is a member without an icon.
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
