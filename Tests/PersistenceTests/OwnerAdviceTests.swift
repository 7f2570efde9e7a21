import CLibrary
import Foundation
import Models
import Testing

@testable import Persistence

@Suite("What lets a user replace a file depends on whose files are beside it")
struct OwnerAdviceTests {
  @Test("only a folder without files of others is given to the user", arguments: [true, false])
  func advice(isAlone: Bool) throws {
    let folder = TemporaryFolder()
    // The name says nothing.
    let path = folder.path + (isAlone ? "/etc" : "/almanac")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data().write(to: URL(filePath: path + "/other"))
    if !isAlone {
      // Only root can give a file away.
      guard geteuid() == 0 else { return }
      #expect(chown(path + "/other", 65534, 65534) == 0)
    }
    let advice = FolderPath.owning(path + "/config.json", EACCES)?.description ?? ""
    #expect(advice.contains("sudo chown") == isAlone, "\(advice)")
    #expect(FolderPath.owning(path + "/config.json", ENOSPC) == nil)
  }
}
