import AlmanacTesting
import Foundation
import Models
import Ports
import Testing
import UpstreamKit

@testable import almanac

/// Files of images under names that people can read.
@Suite final class MediaNameTests: SceneTests {
  private func name(_ words: [String], id: String, type: String = "image/jpeg", _ names: MediaFileNames? = nil)
    -> String
  {
    var names = names ?? MediaFileNames()
    return names.add(words, id: id, MediaItem(digest: "0123456789abcdef", type: type, bytes: 1))
  }

  @Test(arguments: [
    (["Ada", "Harbour", "2026-03-02"], "5391", "Ada - Harbour - 2026-03-02 [5391].jpg"),
    (["AC/DC: \"live\" <1>?*|\\"], "us/7", "AC_DC_ _live_ _1_____ [us_7].jpg"),
    ([], "7", "[7].jpg"), ([" .hidden. "], "1", "hidden [1].jpg"), (["..", ""], "../x", "[_x].jpg"),
    (["nul"], "1", "_nul [1].jpg"), (["COM1.txt"], "1", "_COM1.txt [1].jpg"), (["Conrad"], "1", "Conrad [1].jpg"),
    (["a\u{202E}gpj\nb"], "1", "a_gpj b [1].jpg"), (["王小明 🎂"], "é", "王小明 🎂 [é].jpg"),
  ])
  func aNameIsSafe(words: [String], id: String, expected: String) {
    #expect(name(words, id: id) == expected)
  }

  @Test func aLongTitleIsCutInWholeCharactersAndTheIDStays() {
    let long = name([String(repeating: "👩‍👩‍👧‍👧", count: 40)], id: "12345")
    #expect(long.utf8.count <= 210 && long.hasSuffix("👩‍👩‍👧‍👧 [12345].jpg"), "\(long)")
    let longID = name(["x"], id: String(repeating: "y", count: 500))
    #expect(longID.utf8.count <= 210 && longID.hasPrefix("x [y"))
  }

  @Test func noTwoAreAlike() {
    var names = MediaFileNames()
    func add(_ title: String, _ id: String, _ digest: String) -> String {
      names.add([title], id: id, MediaItem(digest: digest, type: "image/png", bytes: 1))
    }
    #expect(add("Tide", "a", "11111111aa") == "Tide [a].png")
    #expect(add("Tide", "b", "22222222aa") == "Tide [b].png")
    #expect(add("TIDE", "A", "33333333aa") == "TIDE [A] 33333333.png")
    #expect(add("tide", "a", "44444444aa") == "tide [a] 44444444.png")
  }

  @Test func theEndingIsThatOfTheContent() {
    for (type, ending) in [("image/png", ".png"), ("image/gif", ".gif"), ("image/webp", ".webp")] {
      #expect(name(["x"], id: "1", type: type) == "x [1]" + ending)
    }
  }

  @Test func imagesAreCopied() async throws {
    let almanac = try scene.configured(
      ["flickr"], settings: ["flickr": #""apiKey": "k""#], follows: ["flickr/interestingness"])
    try await almanac.run("sync", exits: 0)
    try await almanac.run("media", "export", "pictures", exits: 0, err: "no image was downloaded yet")
    let fetched = try await almanac.object("media", "fetch")
    let images = try await almanac.records("media", "list")
    #expect(!images.isEmpty && (fetched["fetched"] as? Int ?? 0) > 0)
    let first = try await almanac.object("media", "export", "pictures")
    #expect(first["written"] as? Int == images.count, "\(first)")
    let files = try FileManager.default.contentsOfDirectory(atPath: almanac.folder + "/pictures")
    #expect(files.count == images.count, "\(files)")
    for image in images where image["collection"] as? String == "photos" {
      let id = try #require(image["id"] as? String)
      let file = try #require(files.first { $0.contains("[\(id)]") }, "\(files)")
      #expect(
        file.contains(" - ")
          && FileManager.default.contentsEqual(
            atPath: almanac.folder + "/pictures/" + file, andPath: image["file"] as? String ?? "")
      )
    }
    let again = try await almanac.object("media", "export", "pictures", "--in", "photos")
    #expect(again["written"] as? Int == 0 && (again["known"] as? Int ?? 0) > 0, "\(again)")

    // A damaged file of one address leaves out its image alone.
    let folder = almanac.store + "/media/"
    let reference = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".ref") })
    let intact = try Data(contentsOf: URL(fileURLWithPath: folder + reference))
    try intact.prefix(20).write(to: URL(fileURLWithPath: folder + reference))
    let listed = try await almanac.run("media", "list", "--format", "json")
    let rest = try listed.records().count
    #expect(listed.status == 0 && rest > 0 && rest < images.count, "\(listed.err)")
    #expect(listed.err.split(separator: "\n").count { $0.contains("\(reference) is damaged") } == 1, "\(listed.err)")
    try await almanac.run("export", "photos", "--to", "html", exits: 0, out: "</html>")
    let most = try await almanac.run(
      "media", "export", "most", "--format", "json", exits: 74, err: "\(reference) is damaged")
    #expect(try most.object()["written"] as? Int == rest, "\(most)")
    #expect(try most.object()["damaged"] as? Int == 1, "\(most)")
    let copied = try await almanac.run(
      "store", "copy", almanac.store, almanac.folder + "/copied", "--format", "json", exits: 74,
      err: "is damaged and was left out")
    #expect(try (copied.object()["damaged"] as? [String])?.count == 1, "\(copied)")
    #expect(try copied.object()["images"] as? Int ?? 0 > 0, "\(copied)")
    #expect(try await almanac.object("media", "fetch")["fetched"] as? Int == 1)
    #expect(try await almanac.records("media", "list").count == images.count)

    // An image that is not what was downloaded is neither copied nor passed over in silence.
    let path = try #require(images.first?["file"] as? String)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let damaged = try await almanac.run("media", "export", "others", "--format", "json", exits: 74, err: "is damaged")
    let counts = try damaged.object()
    #expect(
      (counts["damaged"] as? Int ?? 0) > 0
        && counts["written"] as? Int == images.count - (counts["damaged"] as? Int ?? 0))
    try await almanac.run(
      "doctor", exits: 74, out: "the image is not what was downloaded", "'almanac doctor --repair'",
      "'almanac media fetch'")
    try await almanac.run("doctor", "--repair", exits: 0)
    try await almanac.run("doctor", "--quiet", exits: 0)
    // Hosts of owners' pictures cannot be reached here.
    let refetched = try await almanac.object("media", "fetch")
    #expect(refetched["fetched"] as? Int ?? 0 > 0, "\(refetched)")
    let whole = try await almanac.object("media", "export", "others")
    #expect(whole["damaged"] as? Int == 0 && whole["written"] as? Int == counts["damaged"] as? Int, "\(whole)")
  }
}
