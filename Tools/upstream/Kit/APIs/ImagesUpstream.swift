/// Simulates image hosts: any path with the extension of an image returns one, of the size in its name.
enum ImagesUpstream {
  private static let edges = [
    "s": 75, "q": 150, "t": 100, "m": 240, "n": 320, "z": 640, "c": 800, "b": 1024, "h": 1600, "k": 2048, "o": 4000,
  ]

  static func isImage(_ path: String) -> Bool {
    [".png", ".jpg", ".jpeg", ".gif"].contains { path.lowercased().hasSuffix($0) }
  }

  /// `…/100x100bb.png`, `…/51000000123_0a1b2c3d4e_q.jpg`, `/buddyicons/12345@N01.jpg` and similar paths.
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

/// Creates small valid images of one colour: thumbnails, icons and artwork.
public enum TinyImage {
  public enum Kind: String, Sendable, CaseIterable {
    case png, jpeg, gif

    /// The format for the extension of a file; PNG for any other extension.
    public init(name: String) {
      let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
      switch ending {
      case "jpg", "jpeg": self = .jpeg
      case "gif": self = .gif
      default: self = .png
      }
    }

    public var type: String { "image/\(rawValue)" }
  }

  /// Creates an image of this size in pixels, each edge from 1 to 4096.
  /// - Complexity: O(width × height) for PNG and GIF, a sixty-fourth of it for JPEG.
  public static func make(_ kind: Kind, width: Int, height: Int, colour: (red: UInt8, green: UInt8, blue: UInt8))
    -> [UInt8]
  {
    let width = min(max(1, width), 4096)
    let height = min(max(1, height), 4096)
    switch kind {
    case .png: return png(width, height, colour)
    case .gif: return gif(width, height, colour)
    case .jpeg:
      let grey = (Int(colour.red) + Int(colour.green) + Int(colour.blue)) / 3
      return jpeg(width, height, grey)
    }
  }

  private static func big(_ number: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// PNG with a palette of one colour and one bit per pixel (W3C PNG, sections 5 and 11).
  private static func png(_ width: Int, _ height: Int, _ colour: (red: UInt8, green: UInt8, blue: UInt8)) -> [UInt8] {
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      let content = Array(name.utf8) + data
      return big(data.count, 4) + content + big(Int(CRC32.of(content)), 4)
    }
    let rows = [UInt8](repeating: 0, count: height * (1 + (width + 7) / 8))
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", big(width, 4) + big(height, 4) + [1, 3, 0, 0, 0])
      + chunk("PLTE", [colour.red, colour.green, colour.blue])
      + chunk("IDAT", Deflate.zlib(rows)) + chunk("IEND", [])
  }

  /// GIF87a with codes of constant size: the table is cleared after every two pixels.
  private static func gif(_ width: Int, _ height: Int, _ colour: (red: UInt8, green: UInt8, blue: UInt8)) -> [UInt8] {
    func little(_ number: Int) -> [UInt8] {
      [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
    var codes = BitWriter()
    for pixel in 0..<width * height {
      if pixel % 2 == 0 { codes.add(4, 3) }
      codes.add(0, 3)
    }
    codes.add(5, 3)
    codes.align()
    var file = Array("GIF87a".utf8) + little(width) + little(height) + [0x80, 0, 0]
    file += [colour.red, colour.green, colour.blue, 0, 0, 0]
    file += [0x2C, 0, 0, 0, 0] + little(width) + little(height) + [0, 2]
    var rest = codes.bytes[...]
    while !rest.isEmpty {
      let block = rest.prefix(255)
      file.append(UInt8(block.count))
      file += block
      rest = rest.dropFirst(block.count)
    }
    return file + [0, 0x3B]
  }

  /// Baseline JPEG of one grey (ITU T.81): every block equals its mean, and all but the first have no difference.
  private static func jpeg(_ width: Int, _ height: Int, _ grey: Int) -> [UInt8] {
    func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] { [0xFF, marker] + big(data.count + 2, 2) + data }
    // Quantised by 8, the mean of a block of samples s is s - 128.
    let level = grey - 128
    let width8 = level == 0 ? 0 : (0..<8).first { abs(level) < 1 << ($0 + 1) }.map { $0 + 1 } ?? 8
    var file: [UInt8] = [0xFF, 0xD8]
    file += segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
    file += segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
    file += segment(0xC0, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
    // Two codes of one bit and of two: '0' means no difference, '10' is the first block.
    file += segment(0xC4, [0x00, 1, 1] + [UInt8](repeating: 0, count: 14) + [0, UInt8(max(1, width8))])
    // One code of one bit: '0' is the end of a block.
    file += segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
    file += segment(0xDA, [1, 1, 0x00, 0, 63, 0])
    var bits = ""
    if width8 == 0 {
      bits = "0"
    } else {
      let value = level > 0 ? level : level + (1 << width8) - 1
      let digits = String(value, radix: 2)
      bits = "10" + String(repeating: "0", count: width8 - digits.utf8.count) + digits
    }
    bits += "0"
    let blocks = (width + 7) / 8 * ((height + 7) / 8)
    var data: [UInt8] = []
    var current: UInt8 = 0
    var count = 0
    func put(_ bit: Bool) {
      current = current << 1 | (bit ? 1 : 0)
      count += 1
      guard count == 8 else { return }
      data.append(current)
      // A byte of ones is followed by a zero, so that it is not read as a marker.
      if current == 0xFF { data.append(0) }
      current = 0
      count = 0
    }
    for bit in bits.utf8 { put(bit == UInt8(ascii: "1")) }
    for _ in 1..<max(1, blocks) {
      put(false)
      put(false)
    }
    while count != 0 { put(true) }
    return file + data + [0xFF, 0xD9]
  }
}
