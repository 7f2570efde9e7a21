import Declared
import Models
import Parsing
import Ports
import Users

/// A source of users that passes the tests of edits.
protocol TestedUsers {
  /// The source, with `wraps` if a user is the member `data` of an answer.
  static func source(url: String, wraps: Bool) -> any EditableSource
}

/// The source that is compiled.
enum CompiledUsers: TestedUsers {
  static func source(url: String, wraps: Bool) -> any EditableSource {
    UsersSource(user: UserEnvelopeParser(), coder: JSONRecordCoder(), settings: Settings.Server(url: url))
  }
}

/// The same source as a definition.
enum DeclaredUsers: TestedUsers {
  static func source(url: String, wraps: Bool) -> any EditableSource {
    let record = wraps ? "$.data" : "$"
    let text = """
      {
        "almanac": 1,
        "source": "users",
        "url": "\(url)",
        "errors": [
          {"status": 200, "if": {"$.error": true}, "means": "refused", "code": "$.error.code", "message": "$.error.message"}
        ],
        "collections": {
          "profiles": {
            "id": "$.userId",
            "fields": {"name": "text $.name", "email": "text $.email", "description": "text? $.description"}
          }
        },
        "follows": {"{user}": {"get": "/user/{user}", "take": {"records": "\(record)", "into": "profiles"}}},
        "edits": {
          "profiles": {
            "read": "/user/{id}", "record": "\(record)",
            "update": {
              "put": "/user/{id}",
              "send": {"userId": "id", "name": "name", "email": "email", "description": "description"}
            }
          }
        }
      }
      """
    do throws(SettingsProblems) {
      return DeclaredSource(
        try JSONDefinitionFormat().read(Array(text.utf8), named: nil), compiler: JSONAnswerReaderCompiler(),
        coder: JSONRecordCoder())
    } catch {
      fatalError("the definition has mistakes: \(error.problems)")
    }
  }
}

/// Both sources, as an argument of tests.
enum UsersKind: CaseIterable {
  case compiled
  case declared

  func source(url: String = "https://users.example", wraps: Bool = true) -> any EditableSource {
    switch self {
    case .compiled: CompiledUsers.source(url: url, wraps: wraps)
    case .declared: DeclaredUsers.source(url: url, wraps: wraps)
    }
  }
}
