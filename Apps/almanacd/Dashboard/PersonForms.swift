import Hummingbird
import Models
import Ports

/// The forms that add, edit and remove people.
enum PersonForms {
  /// The form that adds somebody.
  static let addition: HTML = """
    <section class="card" id="add" aria-labelledby="add-title">
    <div class="head"><h2 id="add-title">Add a person</h2></div>
    <form method="post" action="/do/people/add" class="fields">\(names())<button>Add</button></form></section>
    """

  /// The forms that edit and remove a person. They are valid for the record as it was read, so that an edit does not undo
  /// another one that was made meanwhile.
  static func change(_ record: JSONObject, tag: String) -> HTML {
    let id = record["id"]?.string ?? ""
    let name = record["fullName"]?.string ?? id
    let hidden: HTML = """
      <input type="hidden" name="id" value="\(id)"><input type="hidden" name="tag" value="\(tag)">
      """
    return """
      <section class="card" id="edit" aria-labelledby="edit-title">
      <div class="head"><h2 id="edit-title">Edit</h2></div>
      <form method="post" action="/do/people/edit" class="fields">\(hidden)\(names(record))<button>Save</button></form>
      <details><summary>Remove this person</summary>
      <p>\(name) is removed here, with edits that wait. A copy on a server stays there, and a sync does not bring it \
      back.</p>
      <form method="post" action="/do/people/remove">\(hidden)<button>Remove \(name)</button></form></details>
      </section>
      """
  }

  private static func names(_ record: JSONObject = [:]) -> HTML {
    let fields = [("firstName", "First name"), ("lastName", "Last name"), ("fullName", "Full name")].map {
      name, label -> HTML in
      """
      <label class="long">\(label) <input name="\(name)" autocomplete="off" value="\(record[name]?.string ?? "")"></label>
      """
    }
    return """
      \(fields)<label>Birthday <input name="birthday" autocomplete="off" placeholder="YYYY-MM-DD" size="12" \
      pattern="([0-9]{4}|-)-[0-9]{2}-[0-9]{2}" title="YYYY-MM-DD, or --MM-DD without a year" \
      value="\(record["birthday"]?.string ?? "")"></label>
      """
  }

  /// Adds the person of a form; the way to the new page.
  static func add(_ call: APIRequest) async throws -> String {
    let person = try await call.services.people.add(
      firstName: call.form["firstName"] ?? "", lastName: call.form["lastName"] ?? "", birthday: try birthday(call),
      fullName: call.form["fullName"].flatMap { $0.isEmpty ? nil : $0 })
    return "/collections/people/\(percentEncoded(person.id))"
  }

  /// Edits the person of a form; the way to the page.
  static func edit(_ call: APIRequest) async throws -> String {
    let (id, current) = try expected(call)
    let stored: JSONObject = try call.services.coder.decode(current)
    var change = PersonChange()
    func changed(_ name: String) -> String? {
      guard let text = call.form[name], text != stored[name]?.string ?? "" else { return nil }
      return text
    }
    change.firstName = changed("firstName")
    change.lastName = changed("lastName")
    change.fullName = changed("fullName")
    if changed("birthday") != nil {
      change.birthday = try birthday(call)
      change.clearsBirthday = change.birthday == nil
    }
    if change != PersonChange() { _ = try await call.services.people.edit(id, change, ifStored: current) }
    return "/collections/people/\(percentEncoded(id))"
  }

  /// Removes the person of a form; the way to the list.
  static func remove(_ call: APIRequest) async throws -> String {
    let (id, current) = try expected(call)
    _ = try await call.services.people.remove(id, ifStored: current)
    return "/collections/people"
  }

  /// The record of which the form was made.
  ///
  /// - Throws: `Problem` with 412 where it was changed since.
  private static func expected(_ call: APIRequest) throws -> (id: String, record: [UInt8]) {
    let id = call.form["id"] ?? ""
    let record = try call.services.library.record(.people, id)
    guard EntityTag.of(record).exact == (call.form["tag"] ?? "").exact else {
      var changed = Failure.changed(.people, id)
      changed.hint = "open the page of the person again, and repeat the edit"
      throw Problem(changed)
    }
    return (id, record)
  }

  private static func birthday(_ call: APIRequest) throws(Problem) -> Birthday? {
    guard let text = call.form["birthday"], !text.isEmpty else { return nil }
    guard let birthday = Birthday(text) else {
      throw Problem(.unprocessableContent, "'\(text)' is not a birthday", hint: "write YYYY-MM-DD, or --MM-DD")
    }
    return birthday
  }
}
