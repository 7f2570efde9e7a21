import Models

/// An invented landscape, 75 points wide and high: a sky with a sun, and two rows of hills.
enum DemoPicture {
  private static let size = 75
  private static let sky = 0..<64, sun = 64, far = 65, near = 66

  /// Above, at the horizon, the far hills and the near ones, as RRGGBB.
  private static let scenes = [
    (0x1B3A6B, 0xF2B28C, 0x5A4A78, 0x2B2545), (0x3F7FBF, 0xDCEBF5, 0x7FA08A, 0x3E6B4F),
    (0x0E1A33, 0x4F6E9C, 0x24385C, 0x101B30), (0x7D8FA3, 0xE6E4DC, 0x9AA3A0, 0x5E6A63),
    (0xC65D3B, 0xFBDCA0, 0x8C3F45, 0x4A2038), (0x4A9BA8, 0xE8F3E1, 0x5F8F6A, 0x2C5A4A),
  ]

  /// The bytes of a GIF (GIF89a specification): what is drawn follows from the seed alone.
  static func gif(seed text: String) -> [UInt8] {
    let seed = XXHash64.sum(Array(text.utf8))
    func part(_ shift: UInt64, _ count: Int) -> Int { Int(seed >> shift & 0xFF) % count }
    let (top, low, farHills, nearHills) = scenes[part(0, scenes.count)]
    func channels(_ color: Int) -> [Int] { [color >> 16 & 255, color >> 8 & 255, color & 255] }
    func mixed(_ step: Int) -> [UInt8] {
      zip(channels(top), channels(low)).map { UInt8(($0 * (sky.count - step) + $1 * step) / sky.count) }
    }
    var palette = sky.flatMap(mixed)
    for color in [0xFFF3D6, farHills, nearHills] { palette += channels(color).map { UInt8($0) } }
    palette += [UInt8](repeating: 0, count: 128 * 3 - palette.count)
    func ridge(_ x: Int, _ period: Int) -> Int { abs(x % period - period / 2) }
    let (sunX, sunY) = (12 + part(8, 50), 10 + part(16, 22))
    var pixels: [UInt8] = []
    for y in 0..<size {
      for x in 0..<size {
        let isNear = y > 50 + ridge(x + part(24, 60), 62) / 3
        let isFar = y > 36 + ridge(x + part(32, 40), 44) / 2
        let isSun = (x - sunX) * (x - sunX) + (y - sunY) * (y - sunY) < 40
        pixels.append(UInt8(isNear ? near : isFar ? far : isSun ? sun : y * sky.count / size))
      }
    }
    let side: [UInt8] = [UInt8(size), 0]
    var bytes =
      Array("GIF89a".utf8) + side + side + [0xF6, 0, 0] + palette + [0x2C, 0, 0, 0, 0] + side + side + [0, 7]
    // Each block begins with the code that clears the table, before codes would get longer than a byte.
    for start in stride(from: 0, to: pixels.count, by: 120) {
      let block = pixels[start..<min(start + 120, pixels.count)]
      bytes += [UInt8(block.count + 1), 128] + block
    }
    return bytes + [1, 129, 0, 0x3B]
  }
}
