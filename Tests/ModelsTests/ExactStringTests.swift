import AlmanacTesting
import Models
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

  /// A string is stored inline, on the heap, or as a literal; only its bytes count.
  @Test func representationsDoNotMatter() {
    for text in ["", "id", "fifteen letters", "a text that does not fit into a string's own words", "é e\u{301}"] {
      var heap = String(repeating: "x", count: 200)
      heap.removeAll(keepingCapacity: true)
      heap += text
      #expect(heap.exact == text.exact && !(heap.exact < text.exact) && !(text.exact < heap.exact))
      #expect((heap + "1").exact != (text + "2").exact && heap.exact < (text + "0").exact)
      let object = JSONObject(members: [.init(key: heap, value: .string(heap))])
      #expect(object == JSONObject(members: [.init(key: text, value: .string(text))]))
      #expect(object != JSONObject(members: [.init(key: text, value: .string(text + "."))]))
    }
  }

  @Test func objectsAreEqualInAnyOrderOfTheirMembers() {
    let object: JSONObject = ["id": "1", "a": 1, "b": ["c": [true, null]], "d": "e\u{301}"]
    #expect(object == ["d": "e\u{301}", "a": 1, "b": ["c": [true, null]], "id": "1"])
    #expect(object != ["d": "é", "a": 1, "b": ["c": [true, null]], "id": "1"])
    #expect(object != ["id": "1", "a": 1, "b": ["c": [true, null]]])
    #expect(object != ["id": "1", "a": 1, "b": ["c": [true, null]], "e": "e\u{301}"])
    #expect(object != ["id": "1", "a": 1, "b": ["c": [null, true]], "d": "e\u{301}"])
  }

  private let null = JSONValue.null

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
