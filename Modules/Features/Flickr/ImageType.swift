/// The kinds of images that are kept, recognised by their first bytes and not by what a server calls them.
enum ImageType: String, CaseIterable {
  case png = "image/png"
  case jpeg = "image/jpeg"
  case gif = "image/gif"
  case webp = "image/webp"

  /// The kind of the bytes; `nil` where they are no image of these kinds.
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
}
