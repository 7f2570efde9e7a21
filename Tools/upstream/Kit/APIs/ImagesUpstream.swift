/// Plays the hosts of pictures: any path that ends like an image is one, of the size that its name says.
enum ImagesUpstream {
  private static let edges = [
    "s": 75, "q": 150, "t": 100, "m": 240, "n": 320, "z": 640, "c": 800, "b": 1024, "h": 1600, "k": 2048, "o": 4000,
  ]

  /// Whether a path is a picture's.
  static func isImage(_ path: String) -> Bool {
    [".png", ".jpg", ".jpeg", ".gif"].contains { path.lowercased().hasSuffix($0) }
  }

  /// `…/100x100bb.png`, `…/51000000123_0a1b2c3d4e_q.jpg`, `/buddyicons/12345@N01.jpg` and anything like them.
  static func answer(_ path: String, validated: Bool) -> Content {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let kind = TinyImage.Kind(name: name)
    let stem = name.split(separator: ".").first.map(String.init) ?? ""
    var edge = path.contains("buddyicon") ? 48 : 500
    var isSquare = path.contains("buddyicon")
    if let digits = name.split(separator: "x").first, let number = Int(digits) {
      edge = number
      isSquare = true
    } else if let letter = stem.split(separator: "_").last.map(String.init), let known = edges[letter] {
      edge = known
      isSquare = letter == "s" || letter == "q"
    }
    var dice = Dice(0, "colour of " + path.split(separator: "/").dropLast().joined(separator: "/") + stem.prefix(11))
    let colour = (UInt8(40 + dice.below(200)), UInt8(40 + dice.below(200)), UInt8(40 + dice.below(200)))
    let body = TinyImage.make(kind, width: edge, height: isSquare ? edge : edge * 2 / 3, colour: colour)
    return Content(body: body, type: kind.type, modified: .start, validated: validated)
  }
}
