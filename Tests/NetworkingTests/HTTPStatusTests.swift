import Models
import Ports
import Testing

/// What each status means, in the one table and where it is used.
@Suite struct HTTPStatusTests {
  struct Row: CustomTestStringConvertible {
    let status: HTTPStatus
    let meaning: HTTPStatus.Meaning
    var repeats = false
    var pauses = false
    let edit: SourceError.Disposition
    var reason = Failure.Reason.unavailable
    var testDescription: String { "\(status)" }
  }

  private static let rows: [Row] = [
    Row(status: 200, meaning: .success, edit: .unknown), Row(status: 207, meaning: .success, edit: .unknown),
    Row(status: 304, meaning: .unchanged, edit: .unknown), Row(status: 300, meaning: .other, edit: .unknown),
    Row(status: 301, meaning: .redirect, edit: .unknown), Row(status: 308, meaning: .redirect, edit: .unknown),
    Row(status: 400, meaning: .invalid, edit: .refused), Row(status: 422, meaning: .invalid, edit: .refused),
    Row(status: 401, meaning: .unauthorized, edit: .retry, reason: .denied),
    Row(status: 403, meaning: .forbidden, edit: .retry, reason: .denied),
    Row(status: 404, meaning: .missing, edit: .refused, reason: .notFound),
    Row(status: 410, meaning: .missing, edit: .refused, reason: .notFound),
    Row(status: 405, meaning: .unsupported, edit: .refused), Row(status: 415, meaning: .unsupported, edit: .refused),
    Row(status: 407, meaning: .other, edit: .refused), Row(status: 418, meaning: .other, edit: .refused),
    Row(status: 423, meaning: .other, edit: .refused),
    Row(status: 408, meaning: .tryLater, repeats: true, pauses: true, edit: .unknown),
    Row(status: 425, meaning: .tryLater, repeats: true, pauses: true, edit: .retry),
    Row(status: 409, meaning: .conflict, edit: .refused),
    Row(status: 412, meaning: .preconditionFailed, edit: .refused),
    Row(status: 413, meaning: .tooLarge, pauses: true, edit: .refused),
    Row(status: 428, meaning: .preconditionRequired, edit: .refused),
    Row(status: 429, meaning: .limited, repeats: true, pauses: true, edit: .retry),
    Row(status: 500, meaning: .serverFault, repeats: true, pauses: true, edit: .unknown),
    Row(status: 501, meaning: .unsupported, pauses: true, edit: .unknown),
    Row(status: 502, meaning: .serverFault, repeats: true, pauses: true, edit: .unknown),
    Row(status: 503, meaning: .serverFault, repeats: true, pauses: true, edit: .unknown),
    Row(status: 504, meaning: .serverFault, repeats: true, pauses: true, edit: .unknown),
    Row(status: 507, meaning: .other, pauses: true, edit: .unknown),
    Row(status: 599, meaning: .other, pauses: true, edit: .unknown),
  ]

  @Test("a status, in the table and in the error of a source", arguments: rows)
  func row(_ row: Row) {
    #expect(row.status.meaning == row.meaning)
    #expect(row.status.isWorthRepeating == row.repeats && row.status.mayNameAPause == row.pauses)
    #expect(row.status.isFinal && row.status.isSuccess == (200..<300).contains(row.status.code))
    let error = SourceError.answered(row.status, message: nil, url: "http://h/", retryAfter: 7)
    #expect(error.disposition == row.edit && error.isNotFound == (row.meaning == .missing))
    let failure = error.failure
    #expect(failure.retryable == row.repeats && failure.retryAfter == (row.pauses ? 7 : nil))
    #expect(failure.reason == (row.pauses ? .tryLater : row.reason), "\(failure)")
  }

  @Test("what ends no exchange")
  func unfinished() {
    for status in [0, 100, 199, 600, 999] { #expect(!HTTPStatus(status).isFinal) }
    #expect(!HTTPStatus(204).hasContent && !HTTPStatus(304).hasContent && HTTPStatus(200).hasContent)
  }
}
