import Hummingbird

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
    guard let problem = Problem(of: error) else { throw error }
    (values, self.problem) = (call.form, problem)
  }

  /// The problem where it is about the whole form, for the place above its fields.
  var message: HTML? {
    problem.field == nil ? "<p class=\"error long\" role=\"alert\">\(problem.text)</p>" : nil
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
    [detail, hint].compactMap(\.self).joined(separator: "; ").replacing("\n", with: "; ")
  }
}
