import Models
import Ports

/// Speaks with the server of the people.
struct PeopleClient: Sendable {
  let server: SourceClient
  let list: any ResponseParser<[RemotePerson]>
  let answer: any ResponseParser<RemotePerson>
  let coder: any RecordCoder

  /// Room for 200,000 people; what is larger is refused before it is held whole.
  static let largestList = 32 << 20

  /// The list's address.
  var url: String { "\(server.base)/people" }

  /// The server's list; `nil` where the validator still holds.
  func people(validator: HTTPValidator? = nil) async throws(SourceError) -> SourceAnswer<[RemotePerson]>? {
    guard var answer = try await server.get(url, list, validator: validator, bodyLimit: Self.largestList)
    else { return nil }
    answer.parsed.value = answer.parsed.value.map(\.trimmed)
    return answer
  }

  /// Makes a person.
  ///
  /// - Parameter key: the same at every try, so that a server that honours it makes the person once
  ///   (draft-ietf-httpapi-idempotency-key-header).
  /// - Returns: the person as the server answered; `nil` where it answered without content.
  func post(_ person: RemotePerson, key: String) async throws(SourceError) -> RemotePerson? {
    let body: JSONObject = [
      "firstName": .string(person.firstName), "lastName": .string(person.lastName),
      "birthday": .string(person.birthday.description),
    ]
    let response = try await server.send(
      HTTPRequest(
        .post, url,
        headers: [
          "Accept": "application/json", "Content-Type": "application/json", "Idempotency-Key": key,
        ], body: coder.encode(body)))
    if response.isSuccess, !response.body.contains(where: { $0 > 0x20 }) { return nil }
    return try SourceClient.answer(response, url, answer, message: message).parsed.value.trimmed
  }

  /// The server's own message about a refusal: `{"error": {"message"}}`, `{"error": "…"}` or `{"message": "…"}`.
  private func message(of response: HTTPResponse) -> String? {
    guard let fields = try? coder.decode(response.body) else { return nil }
    return fields["error"]?.object?["message"]?.string ?? fields["error"]?.string ?? fields["message"]?.string
  }
}
