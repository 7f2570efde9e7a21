import Models
import TestSupport
import Testing

/// What identifies something is its bytes, although Swift's strings are equal by canonical equivalence.
@Suite struct ExactStringTests {
  @Test func theyAreEqualAsStringsOnly() {
    for (one, other) in LookAlikes.equivalent {
      #expect(one == other)
      #expect(one.exact != other.exact)
      #expect(one.exact == String(one.unicodeScalars.map(Character.init)).exact)
      #expect(one.exact.hashValue == String(decoding: Array(one.utf8), as: UTF8.self).exact.hashValue)
    }
  }

  @Test func setsAndOrdersGoByTheBytes() {
    let all = LookAlikes.ids + ["", "a", "aa", "b"]
    #expect(Set(all.map(\.exact)).count == all.count)
    let sorted = all.map(\.exact).sorted().map { Array($0.text.utf8) }
    #expect(sorted == all.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    #expect("/\u{301}x".exact.hasPrefix("/"))
    #expect(!"cafe\u{301}".exact.hasPrefix("caf\u{E9}"))
  }

  @Test func membersAndValuesOfJSON() {
    for (one, other) in LookAlikes.equivalent {
      var object = JSONObject(members: [.init(key: one, value: 1), .init(key: other, value: 2)])
      #expect(object[one] == 1)
      #expect(object[other] == 2)
      object[other] = 3
      object[one] = nil
      #expect(object == JSONObject(members: [.init(key: other, value: 3)]))
      #expect(object != JSONObject(members: [.init(key: one, value: 3)]))
      #expect(JSONValue.string(one) != .string(other))
      #expect(Set([JSONValue.string(one), .string(other), .array([.string(one)])]).count == 3)
      #expect(JSONValue.object([one: 1, "b": 2]) == .object(["b": 2, one: 1]))
    }
  }

  @Test func recordsAndFollows() {
    for (one, other) in LookAlikes.equivalent {
      #expect(Follow(path: "users/\(one)") != Follow(path: "users/\(other)"))
      #expect(CollectionName(rawValue: one) != CollectionName(rawValue: other))
      #expect(SourceName(rawValue: one) != SourceName(rawValue: other))
      #expect(Set([Follow(path: one), Follow(path: other)]).count == 2)
    }
  }

  /// A mark that follows a `/` is one character with it.
  @Test(arguments: LookAlikes.ids)
  func pathsAreTakenApartAtTheirBytes(id: String) {
    let follow = Follow(path: "users/\(id)/\(id)")
    #expect(follow.source == .users)
    #expect(follow.parameters.map(\.exact) == [id.exact, id.exact])
    let entry = OutboxEntry(
      id: "1", target: "profiles/\(id)", kind: .put, edit: [:], base: [:], createdAt: Timestamp(secondsSinceEpoch: 0))
    #expect(entry.targetCollection == .profiles)
    #expect(entry.targetID.exact == id.exact)
  }
}
