import Models
import Parsing
import Ports

/// What a parser makes of a sample, in a few words that a table can pin.
enum Outcome {
  /// A summary of a parser's result; `count` counts its models.
  static func of<Parser: ResponseParser>(
    _ parser: Parser, _ body: [UInt8], count: (Parser.Output) -> String
  ) -> String {
    do throws(ParsingError) {
      let parsed = try parser.parse(body)
      let rejects = parsed.rejects.isEmpty ? "" : ", \(parsed.rejects.total) rejects"
      return count(parsed.value) + rejects
    } catch {
      return "\(error.code.rawValue) \(error.path)"
    }
  }

  /// An App Store feed.
  static func appStore(_ body: [UInt8]) -> String {
    of(AppStoreFeedParser(), body) { "\($0.apps.count) apps\($0.updatedAt == nil ? "" : ", dated")" }
  }

  /// A page of photos.
  static func photos(_ body: [UInt8]) -> String {
    of(FlickrPhotosParser(), body) { answer in
      switch answer {
      case .success(let page): "\(page.photos.count) of \(page.total.map(String.init) ?? "?") photos"
      case .failure(let failure): "Flickr \(failure.code)"
      }
    }
  }

  /// A person of Flickr's.
  static func owner(_ body: [UInt8]) -> String {
    of(FlickrPersonParser(), body) { answer in
      switch answer {
      case .success: "1 owner"
      case .failure(let failure): "Flickr \(failure.code)"
      }
    }
  }

  /// A user.
  static func profile(_ body: [UInt8]) -> String {
    of(UserEnvelopeParser(), body) { answer in
      switch answer {
      case .success: "1 profile"
      case .failure(let failure): "error \(failure.code)"
      }
    }
  }

  /// A list of people.
  static func people(_ body: [UInt8]) -> String {
    of(PeopleListParser(), body) { "\($0.count) people" }
  }

  /// A JSON text.
  static func json(_ body: [UInt8]) -> String {
    do throws(ParsingError) {
      return "\(try JSONDocument.read(body) { $0.kind.rawValue })"
    } catch {
      return "\(error.code.rawValue) \(error.offset)"
    }
  }
}
