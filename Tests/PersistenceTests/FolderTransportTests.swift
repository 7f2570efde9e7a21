import AlmanacTesting
import Foundation
import Models
import Persistence
import Ports
import Testing

@Suite final class FolderTransportTests {
  private let folder = NSTemporaryDirectory() + "almanac-files-\(UUID().uuidString)"
  private var transport: FolderTransport { FolderTransport(folder: folder) }

  init() throws { try FileManager.default.createDirectory(atPath: folder + "/in", withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ text: String, _ name: String, at seconds: TimeInterval = 1_000) throws {
    try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: "\(folder)/\(name)")
  }

  private func get(_ path: String, _ validator: HTTPValidator? = nil) async throws -> HTTPResponse {
    try await transport.send(HTTPRequest(.get, "file://\(folder)\(path)", validator: validator))
  }

  @Test("a file that has not changed is not read again")
  func validator() async throws {
    try write("[1]", "a b.json")
    let first = try await get("/a%20b.json")
    #expect(first.status.code == 200 && first.body == Array("[1]".utf8))
    let same = try await get("/a%20b.json", first.validator)
    #expect(same.status == .init(304) && same.body.isEmpty)
    try write("[2]", "a b.json", at: 2_000)
    let changed = try await get("/a%20b.json", first.validator)
    #expect(changed.body == Array("[2]".utf8) && changed.validator != first.validator)
  }

  @Test("of the files of a pattern, the newest is the answer; brackets mean themselves")
  func newest() async throws {
    try write("old", "in/x[1]-a.json", at: 1_000)
    try write("new", "in/x[1]-b.json", at: 3_000)
    try write("other", "in/x1-c.json", at: 9_000)
    #expect(try await get("/in/x%5B1%5D-*.json").body == Array("new".utf8))
  }

  @Test("a file of an archive is read, stored, compressed or of 64 bits; a damaged one is an error")
  func archives() async throws {
    let long = (0..<1000).map { "line \($0 % 97) of \($0)" }.joined(separator: "\n")
    try write(long, "in/data b.csv")
    try write("[1]", "in/a.json")
    let script = """
      import zipfile, sys
      z = zipfile.ZipFile("\(folder)/export-2.zip", "w", strict_timestamps=False)
      z.write("\(folder)/in/data b.csv", "x/data b.csv", zipfile.ZIP_DEFLATED)
      z.write("\(folder)/in/a.json", "x/a.json", zipfile.ZIP_STORED)
      with z.open("x/z.json", "w", force_zip64=True) as f: f.write(b"[2]")
      z.close()
      """
    #expect(try Tool.run("python3", ["-c", script]).status == 0)
    let csv = try await get("/export-*.zip/x/data%20*.csv")
    #expect(csv.body == Array(long.utf8) && csv.url.hasSuffix("/export-2.zip/x/data b.csv"))
    #expect(try await get("/export-2.zip/x/a.json").body == Array("[1]".utf8))
    #expect(try await get("/export-2.zip/x/*.json").body == Array("[2]".utf8))
    #expect(try await get("/export-2.zip/x/a.json", csv.validator).status == .init(304))
    await #expect(throws: TransportError.self) { _ = try await self.get("/export-2.zip/a.json") }
    // Each byte but those of names, times and comments counts.
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/export-2.zip")))
    for place in stride(from: 40, to: bytes.count, by: 97) {
      var other = bytes
      other[place] ^= 0xFF
      try Data(other).write(to: URL(fileURLWithPath: "\(folder)/export-3.zip"))
      if let read = try? await get("/export-3.zip/x/data%20b.csv") { #expect(read.body == csv.body, "byte \(place)") }
      try Data(bytes[..<place]).write(to: URL(fileURLWithPath: "\(folder)/export-3.zip"))
      await #expect(throws: TransportError.self) { _ = try await self.get("/export-3.zip/x/data%20b.csv") }
    }
  }

  @Test(
    "nothing outside of the folder is read",
    arguments: ["/../x", "/in/../in/a", "/none", "/in/link", "/no*", "/in%2F..%2Fa"])
  func outside(path: String) async throws {
    try write("a", "in/a")
    try FileManager.default.createSymbolicLink(atPath: folder + "/in/link", withDestinationPath: "/etc/hostname")
    await #expect(throws: TransportError.self) { _ = try await self.get(path) }
    await #expect(throws: TransportError.self) {
      _ = try await self.transport.send(HTTPRequest(.get, "file:///etc/hostname"))
    }
  }
}
