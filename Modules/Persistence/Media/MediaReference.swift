import Models
import Ports

/// What the folder remembers of an address: one line in a file of its own, named by the address's digest.
///
/// `{"digest":"…64…","bytes":…,"type":"image/png","url":"…","sum":"…16…"}`; the sum covers all before `,"sum"`.
struct MediaReference: Hashable {
  var item: MediaItem
  var url: String

  static func fileName(_ url: String) -> String { SHA256.digest(url.utf8) + ".ref" }

  var text: [UInt8] {
    var line = Array("{\"digest\":\"\(item.digest)\",\"bytes\":\(item.bytes),\"type\":\"".utf8)
    Array(item.type.utf8).withSlice { RecordKey.escape($0, into: &line) }
    line += Array("\",\"url\":\"".utf8)
    Array(url.utf8).withSlice { RecordKey.escape($0, into: &line) }
    line.append(0x22)
    let sum = line.withSlice { XXHash64.sum($0.raw) }
    return line + Array(",\"sum\":\"\(hexadecimalText(sum))\"}\n".utf8)
  }

  init(item: MediaItem, url: String) {
    self.item = item
    self.url = url
  }

  /// Reads a line; `nil` where it is not, to the last byte, one that was written for this address.
  init?(text: [UInt8], url: String) {
    let words = String(decoding: text, as: UTF8.self).split(separator: "\"", maxSplits: 8)
    // `{`, digest, `:`, the digest, `,`, bytes, `:n,`, type, the rest
    guard words.count == 9, words[1] == "digest", words[5] == "bytes", words[7] == "type",
      let bytes = Int(words[6].dropFirst().dropLast()), words[8].hasPrefix(":\"")
    else { return nil }
    let type = words[8].dropFirst(2).prefix { $0 != "\"" }
    self.init(item: MediaItem(digest: String(words[3]), type: String(type), bytes: bytes), url: url)
    guard self.text == text else { return nil }
  }
}
