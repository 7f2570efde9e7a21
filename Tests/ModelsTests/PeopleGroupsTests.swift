import Models
import Testing

@Suite struct PeopleGroupsTests {
  private func person(_ id: String, _ book: String?, groups: [String] = []) -> Person {
    var person = Person(id: id, firstName: id, lastName: "", birthday: nil, origin: book)
    person.details.groups = groups
    return person
  }

  @Test func membersAreThoseOfTheSameAddressBook() {
    let groups = PeopleGroups(
      [person("a", "x", groups: ["choir"]), person("b", "x"), person("c", "y"), person("d", nil, groups: ["choir"])],
      groups: [
        PersonGroup(id: "1", name: "choir", members: ["ub", "uc", "ub", "gone"], origin: "x"),
        PersonGroup(id: "2", name: "band", members: [], origin: "y"),
      ], uids: ["a": "ua", "b": "ub", "c": "uc"])
    #expect(groups.all.map(\.name) == ["band", "choir", "choir"])
    #expect(groups.all.map { $0.people.map(\.text) } == [[], ["b"], ["a", "d"]])
    #expect(groups.all.map(\.missing) == [[], ["uc", "gone"], []])
    #expect(groups.card(named: "choir", in: "x")?.id == "1" && groups.card(named: "choir", in: "y") == nil)
    #expect(groups.card(named: "choir", in: nil) == nil && groups.member("c") == "uc" && groups.member("d") == nil)
  }
}
