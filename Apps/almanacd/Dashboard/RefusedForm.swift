import Hummingbird
import Models
import Ports

/// A form that was refused: it comes again with what the person wrote, and with the problem beside its field.
struct RefusedForm: Sendable {
  let values: SentForm
  let problem: Problem
  /// What is wrong with further fields.
  private var others: [Problem] = []
  /// The record that is in the way.
  private(set) var other: (id: String, name: String, isLocal: Bool)?
  /// Whether the page knows what is stored now. Where it does not, the fields show what they showed before.
  private var knowsStored = true

  init(values: SentForm, problem: Problem) { (self.values, self.problem) = (values, problem) }

  /// The form of a request that failed.
  ///
  /// - Throws: the error itself, if no form can explain it.
  init(_ call: APIRequest, _ error: any Error) throws {
    let mistakes = ((error as? PersonForms.Mistakes)?.all ?? []).map { Problem($0).about($0.path ?? "") }
    guard var problem = mistakes.first ?? Problem(of: error) else { throw error }
    others = Array(mistakes.dropFirst())
    // What services refuse has the path of the member: fields of records begin with `field.` in forms.
    if problem.field == nil, let failure = error as? Failure, failure.reason == .usage, let path = failure.path {
      problem.field = [path, "field.\(path)"].first { call.form[$0] != nil }
    }
    if let failure = error as? Failure, failure.code == .own(.duplicate), let path = failure.path {
      let id = path.restOfParts
      let record = (try? call.services.library.record(.people, id)).flatMap { try? call.services.coder.decode($0) }
      let isLocal = [nil, Person.imported].contains(record?["origin"]?.string) && record?["remoteID"] == nil
      other = (id, Shown.name(record?["fullName"]?.string ?? id), isLocal)
      problem.hint = "if it is somebody else, save it anyway"
    }
    (values, self.problem) = (call.form, problem)
  }

  /// The form that adds what the person wrote about a record that was removed meanwhile.
  fileprivate var addition: RefusedForm {
    var problem = problem
    problem.hint = "it was removed meanwhile; this adds what you wrote as a new one"
    return RefusedForm(values: values.without("id"), problem: problem)
  }

  /// The form for a page that cannot read what is stored.
  fileprivate var withoutStored: RefusedForm {
    var form = self
    form.knowsStored = false
    return form
  }

  /// Whether the person wrote something into a field, or the problem is about it.
  func isAbout(_ name: String) -> Bool {
    self.problem(of: name) != nil || values.changed(name, stored: "").map { !$0.isEmpty } ?? false
  }

  fileprivate func problem(of name: String) -> Problem? { ([problem] + others).first { $0.field == name } }

  fileprivate var hasSeveral: Bool { !others.isEmpty }

  /// What a field shows that was not changed by the person.
  fileprivate func stored(_ name: String, _ text: String) -> String {
    knowsStored ? text : values.shown(name) ?? text
  }

  /// The problem where it is about the whole form, or about several fields, for the place above them.
  var message: HTML? {
    if hasSeveral {
      let items = ([problem] + others).map { problem -> HTML in
        let field = problem.field ?? ""
        return "<li><a href=\"#field-\(field)\">\(Shown.field(field, of: .people))</a>: \(problem.text)</li>"
      }
      return """
        <div class="error full" role="alert"><strong>\(items.count) fields need correcting</strong><ul class="plain">\(items)</ul></div>
        """
    }
    guard problem.field == nil else { return nil }
    return "<p class=\"error long\" role=\"alert\">\(problem.text)</p>"
  }
}

extension RefusedForm {
  /// What to do with a form whose record was changed elsewhere.
  static let changedHint: Advice = "nothing is saved yet; what you changed is in the form, and saving again keeps it"

  /// The page after a form, what it says, and perhaps the button that takes it back.
  typealias NextPage = (address: String, note: String, undo: HTML?)

  /// The record of which a form was made.
  ///
  /// - Throws: `Problem` with 412 where it was changed since; `Failure`, `notFound` where it was removed.
  static func expected(_ call: APIRequest, _ collection: CollectionName) throws -> (id: String, record: [UInt8]) {
    let id = call.form["id"] ?? ""
    let record = try call.services.library.record(collection, id)
    guard EntityTag.of(record).exact == (call.form["tag"] ?? "").exact else {
      var changed = Failure.changed(collection, id)
      let name = RecordPages.title(try call.services.coder.decode(record), collection, call.services) ?? id
      changed.message = "\(Shown.name(name)) was changed since the page was read"
      changed.hint = changedHint
      throw Problem(changed)
    }
    return (id, record)
  }

  /// Does what the form of a record asks for. A form that is refused comes again on its page, with what the person wrote
  /// and the reason.
  ///
  /// - Parameters:
  ///   - collection: that of the record.
  ///   - form: the form alone, which is shown where the store cannot be read.
  ///   - action: returns the address of the next page, and what it says.
  static func answer(
    _ call: APIRequest, _ parts: API.Parts, _ collection: CollectionDescriptor?, form: (RefusedForm) -> HTML?,
    _ action: (APIRequest) async throws -> NextPage
  ) async throws -> Response {
    do {
      let next = try await action(call)
      let target = collection.flatMap { collection in call.form["id"].map { "\(collection.name)/\($0)" } }
      // A new record is the one to whose page it leads.
      let made = percentDecoded(next.address.replacing("/collections/", with: ""))
      let outcome = [target ?? made, made].lazy.compactMap { Outcome.address(ofEditOf: $0, call.services) }.first
      return parts.notes.answer(
        next.address, saying: next.note, undo: next.undo, outcome: outcome, call.services.random)
    } catch {
      var refused = try RefusedForm(call, error)
      // The page of the record, or the list with the form that adds one; neither where the source takes no new ones.
      var shownIn = collection
      if refused.problem.status == .notFound {
        guard call.part("action") == "edit" else { throw error }
        if form(refused.addition) != nil { refused = refused.addition } else { shownIn = nil }
      }
      let (id, services) = (refused.values["id"], call.services)
      let page = shownIn.flatMap { collection in
        id.map { try? RecordPages.record(collection, $0, services, refused) }
          ?? (try? RecordPages.list(collection, RecordQuery(call), services, refused))
      }
      let name = collection?.name.rawValue ?? "records"
      let shown = page ?? Page(title: name, content: form(refused.withoutStored) ?? "")
      let form =
        id != nil ? "?edit" : collection?.name != .people ? "" : refused.values["cards"] != nil ? "?import" : "?new"
      let address = "/collections/\(percentEncoded(name))" + (id.map { "/" + percentEncoded($0) } ?? "") + form
      return refused.response(shown, at: address, call, parts)
    }
  }

  /// The answer to a form that was refused: the page that has it, with the address of that page.
  func response(_ page: Page, at address: String, _ call: APIRequest, _ parts: API.Parts) -> Response {
    var page = page
    (page.address, page.status, page.counts) = (address, problem.status, API.counts(call.services))
    return page.response(base: parts.endpoint.basePath)
  }
}

struct FormField {
  let value: String
  let attributes: HTML?
  /// What follows the control within its label: what the field shows, for the answer, and what is wrong with it.
  let notes: HTML
}

extension RefusedForm? {
  /// What was sent for a field; `nil` where nothing was.
  func value(_ name: String) -> String? { self?.values[name] }

  /// A field, with what the person wrote into it.
  ///
  /// - Parameter stored: what is stored, as the field shows it, where the form edits something. A field that the person did
  ///   not change shows it, also after a refusal; what another edit made of a changed one is a conflict, which is shown
  ///   beside it.
  func field(_ name: String, stored: String? = nil) -> FormField {
    guard let now = stored else {
      return FormField(value: value(name) ?? "", attributes: attributes(name), notes: "\(message(name))")
    }
    let stored = self?.stored(name, now) ?? now
    let isConflict = self?.values.isConflict(name, stored: stored) ?? false
    let conflict: HTML? =
      isConflict
      ? """
      <span class="error" id="conflict-\(name)">Stored now: \(Self.quoted(stored)), \
      in place of \(Self.quoted(self?.values.shown(name) ?? "")). Saving again replaces it.</span>
      """ : nil
    let described: HTML? = isConflict ? " aria-invalid=\"true\" aria-describedby=\"conflict-\(name)\"" : nil
    return FormField(
      value: self?.values.changed(name, stored: stored) ?? stored, attributes: attributes(name) ?? described,
      notes: "<input type=\"hidden\" name=\"was.\(name)\" value=\"\(stored)\">\(message(name))\(conflict)")
  }

  private static func quoted(_ text: String) -> String {
    text.isEmpty ? "nothing" : "'\(Shown.short(text.replacing("\n", with: "; ")))'"
  }

  /// The attributes of a control with a problem: it names the message, and the first one gets the focus.
  func attributes(_ name: String) -> HTML? {
    guard let self, self.problem(of: name) != nil else { return nil }
    return """
       aria-invalid="true" aria-describedby="problem-\(name)" id="field-\(name)"\(self.problem.field == name ? " autofocus" as HTML : nil)
      """
  }

  /// The message of a field; `nil` where the problem is about another one.
  func message(_ name: String) -> HTML? {
    guard let self, let problem = self.problem(of: name) else { return nil }
    return """
      <span class="error" id="problem-\(name)"\(self.hasSeveral ? nil : " role=\"alert\"" as HTML)>\(problem.text)</span>
      """
  }
}

extension Problem {
  /// The message and what to do, in sentences.
  fileprivate var text: String {
    let parts = [detail, hint?.description].compactMap { $0?.replacing("\n", with: "; ") }
    // A path or a value at the beginning stays as it is.
    let sentences = parts.map { part in
      let sentence = Shown.sentence(part)
      return part.prefix { $0 != " " }.allSatisfy(\.isLetter) ? sentence : String(part.prefix(1) + sentence.dropFirst())
    }
    return Shown.short(sentences.joined(separator: " "), 600)
  }
}
