/// The kinds of images that are kept, recognised by their first bytes and not by what a server calls them.
enum ImageType: String, CaseIterable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"

  /// The type of an image by its first bytes; `nil` for anything else.
  init?(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
      self = .gif
    } else if bytes.starts(with: Array("RIFF".utf8)), bytes.dropFirst(8).starts(with: Array("WEBP".utf8)) {
      self = .webp
    } else {
      return nil
    }
  }

  var name: String {
    switch self {
    case .png: "PNG"
    case .jpeg: "JPEG"
    case .gif: "GIF"
    case .webp: "WebP"
    }
  }

  /// Whether the bytes of an image of this type contain its end. What follows the end does not count. O(n) for n bytes.
  func isComplete(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .png: Self.hasPNGEnd(bytes)
    case .jpeg: Self.hasJPEGEnd(bytes)
    case .gif: Self.hasGIFEnd(bytes)
    case .webp: Self.hasWebPEnd(bytes)
    }
  }

  /// Whether the chunk IEND is there (PNG, Third Edition, section 5.3).
  private static func hasPNGEnd(_ bytes: [UInt8]) -> Bool {
    var place = 8
    while place + 12 <= bytes.count {
      let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let isEnd = bytes[(place + 4)..<(place + 8)].elementsEqual("IEND".utf8)
      place += 12 + length
      if isEnd { return place <= bytes.count }
    }
    return false
  }

  /// Whether the marker EOI is there (ITU-T T.81, annex B). That of a thumbnail is within a segment.
  private static func hasJPEGEnd(_ bytes: [UInt8]) -> Bool {
    var place = 2
    while place + 1 < bytes.count {
      // In the coded data, 0xFF is followed by 0 or the marker of a restart.
      guard bytes[place] == 0xFF else {
        place += 1
        continue
      }
      switch bytes[place + 1] {
      case 0xFF: place += 1
      case 0xD9: return true
      case 0x00, 0x01, 0xD0...0xD8: place += 2
      default:
        guard place + 3 < bytes.count else { return false }
        place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
      }
    }
    return false
  }

  /// Whether the trailer is there (GIF89a specification, sections 15 to 27).
  private static func hasGIFEnd(_ bytes: [UInt8]) -> Bool {
    /// The bytes of the colour table that a byte of flags announces.
    func table(_ place: Int) -> Int {
      place < bytes.count && bytes[place] & 0x80 != 0 ? 3 << (Int(bytes[place] & 7) + 1) : 0
    }
    var place = 13 + table(10)
    while place < bytes.count {
      switch bytes[place] {
      case 0x3B: return true
      case 0x21: place += 2
      case 0x2C: place += 11 + table(place + 9)
      default: return false
      }
      // Blocks of data, each with its length, up to an empty one.
      while place < bytes.count, bytes[place] > 0 { place += 1 + Int(bytes[place]) }
      place += 1
    }
    return false
  }

  /// Whether the file is as long as its head says (RFC 9649, section 2.4).
  private static func hasWebPEnd(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 12 else { return false }
    return bytes.count >= 8 + bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
