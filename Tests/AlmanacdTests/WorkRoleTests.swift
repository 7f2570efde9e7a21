import AlmanacTesting
import Models
import Testing

@testable import almanacd

/// What is known of the daemon that leads, which only the server of the store says.
@Suite struct WorkRoleTests {
  @Test("what the server said holds until a lease would have lapsed, and then nothing is known")
  func lapse() {
    let time = ManualTime()
    let role = WorkRole(sharedBy: time)
    #expect(!role.isLeader && role.fields == ["role": "unknown"])
    #expect(role.set(isLeader: true, until: time.uptime + .seconds(3)))
    #expect(role.isLeader && role.fields?["role"]?.string == "leader")
    time.advance(by: .seconds(2))
    #expect(!role.set(isLeader: true, until: time.uptime + .seconds(3)))
    time.advance(by: .seconds(2))
    #expect(role.isLeader && role.sentence?.contains("This daemon leads") == true)
    time.advance(by: .seconds(1))
    #expect(!role.isLeader && role.fields == ["role": "unknown"])
    #expect(role.sentence?.contains("not known") == true)
  }

  @Test("of a daemon that does not lead, the one that does is known as long") func member() {
    let time = ManualTime()
    let role = WorkRole(sharedBy: time)
    #expect(role.set(isLeader: false, holder: "other 1", until: time.uptime + .seconds(3)))
    #expect(role.sentence?.contains("other 1 leads") == true && role.fields?["holder"]?.string == "other 1")
    time.advance(by: .seconds(3))
    #expect(role.sentence?.contains("other 1") == false && role.fields == ["role": "unknown"])
    #expect(role.set(isLeader: false, until: time.uptime + .seconds(3)))
    #expect(role.sentence == "No daemon leads: edits and notifications wait.")
  }

  @Test("a daemon that is alone leads, and has no role to tell") func alone() {
    let role = WorkRole()
    #expect(role.isLeader && role.sentence == nil && role.fields == nil)
  }
}
