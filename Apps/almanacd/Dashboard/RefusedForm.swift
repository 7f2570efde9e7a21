import Hummingbird
import Models
import Ports

/// A form that was refused: it comes again as it was sent, with the problem beside its field.
struct RefusedForm: Sendable {
  /// What was sent, by field.
  let values: [String: String]
  /// Why it was refused.
  let problem: Problem

  /// A form with a problem.
  init(values: [String: String], problem: Problem) { (self.values, self.problem) = (values, problem) }

  /// The form of a request that failed.
  ///
  /// - Throws: the error itself, if no form can explain it.
  init(_ call: APIRequest, _ error: any Error) throws {
    guard var problem = Problem(of: error) else { throw error }
    // What services refuse has the path of the member: fields of records begin with `field.` in forms.
    if problem.field == nil, let failure = error as? Failure, failure.reason == .usage, let path = failure.path {
      problem.field = [path, "field.\(path)"].first { call.form[$0] != nil }
    }
    (values, self.problem) = (call.form, problem)
  }

  /// The problem where it is about the whole form, for the place above its fields.
  var message: HTML? {
    problem.field == nil ? "<p class=\"error long\" role=\"alert\">\(problem.text)</p>" : nil
  }
}

extension RefusedForm {
  /// The page after a form, and what it says.
  typealias NextPage = (address: String, note: String)

  /// Does what the form of a record asks for. A form that is refused comes again on its page, with what was typed and the
  /// reason.
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
      return parts.notes.answer(next.address, saying: next.note, call.services.random)
    } catch {
      let refused = try RefusedForm(call, error)
      // Somebody else may have removed the record.
      if refused.problem.status == .notFound { throw error }
      let (id, services) = (refused.values["id"], call.services)
      let page = collection.flatMap { collection in
        id.map { try? RecordPages.record(collection, $0, services, refused) }
          ?? (try? RecordPages.list(collection, RecordQuery(call), services, refused))
      }
      let name = collection?.name.rawValue ?? "records"
      var shown = page ?? Page(title: name, content: form(refused) ?? "")
      shown.address = "/collections/\(percentEncoded(name))" + (id.map { "/" + percentEncoded($0) } ?? "")
      shown.status = refused.problem.status
      return shown.response(base: parts.endpoint.basePath)
    }
  }
}

extension RefusedForm? {
  /// What was sent for a field; `nil` where nothing was.
  func value(_ name: String) -> String? { self?.values[name] }

  /// The attributes of a field: the one with the problem gets the focus, and names the message.
  func attributes(_ name: String) -> HTML? {
    self?.problem.field == name ? " aria-invalid=\"true\" aria-describedby=\"problem\" autofocus" : nil
  }

  /// The message of a field; `nil` where the problem is about another one.
  func message(_ name: String) -> HTML? {
    guard let problem = self?.problem, problem.field == name else { return nil }
    return "<span class=\"error\" id=\"problem\" role=\"alert\">\(problem.text)</span>"
  }
}

extension Problem {
  /// The message with what to do, in one line.
  fileprivate var text: String {
    let text = [detail, hint].compactMap(\.self).joined(separator: "; ").replacing("\n", with: "; ")
    return OverviewPage.short(text, 600)
  }
}
