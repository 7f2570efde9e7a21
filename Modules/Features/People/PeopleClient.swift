import Models
import Ports

/// Speaks with the server of the people.
struct PeopleClient: Sendable {
  let base: String
  let transport: any HTTPTransport
  let list: any ResponseParser<[RemotePerson]>
  let answer: any ResponseParser<RemotePerson>
  let coder: any RecordCoder

  /// Room for 200,000 people; what is larger is refused before it is held whole.
  static let largestList = 32 << 20

  /// The list's address.
  var url: String { "\(base)/people" }

  /// The server's list; `nil` where the validator still holds.
  func people(
    validator: HTTPValidator? = nil
  ) async throws(SourceError) -> (people: Parsed<[RemotePerson]>, validator: HTTPValidator?)? {
    let response = try await send(
      HTTPRequest(.get, url, headers: ["Accept": "application/json"], validator: validator, bodyLimit: Self.largestList)
    )
    if response.status == 304, validator != nil { return nil }
    guard response.isSuccess else { throw .status(response, url: url) }
    do throws(ParsingError) {
      var parsed = try list.parse(response.body)
      parsed.value = parsed.value.map(\.trimmed)
      return (parsed, response.validator)
    } catch {
      throw .parsing(error, url: url)
    }
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
    let response = try await send(
      HTTPRequest(
        .post, url,
        headers: [
          "Accept": "application/json", "Content-Type": "application/json", "Idempotency-Key": key,
        ], body: coder.encode(body)))
    guard response.isSuccess else { throw .status(response, url: url, message: message(of: response)) }
    guard response.body.contains(where: { $0 > 0x20 }) else { return nil }
    do throws(ParsingError) {
      return try answer.parse(response.body).value.trimmed
    } catch {
      throw .parsing(error, url: url)
    }
  }

  private func send(_ request: HTTPRequest) async throws(SourceError) -> HTTPResponse {
    do throws(TransportError) {
      return try await transport.send(request)
    } catch {
      throw .transport(error)
    }
  }

  /// The server's own message about a refusal: `{"error": {"message"}}`, `{"error": "…"}` or `{"message": "…"}`.
  private func message(of response: HTTPResponse) -> String? {
    guard let fields = try? coder.decode(response.body) else { return nil }
    return fields["error"]?.object?["message"]?.string ?? fields["error"]?.string ?? fields["message"]?.string
  }
}
