import Models
import Parsing
import Ports

// One of the parsers, chosen when it is compiled: -D APP_STORE, FLICKR_PHOTOS, FLICKR_PERSON, USERS, PEOPLE, PERSON.
#if APP_STORE
  private let parser = AppStoreFeedParser()
#elseif FLICKR_PHOTOS
  private let parser = FlickrPhotosParser()
#elseif FLICKR_PERSON
  private let parser = FlickrPersonParser()
#elseif USERS
  private let parser = UserEnvelopeParser()
#elseif PEOPLE
  private let parser = PeopleListParser()
#else
  private let parser = PersonAnswerParser()
#endif

/// The parser never crashes, says the same twice, and its rejects tell where they are from.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do throws(ParsingError) {
    let parsed = try parser.parse(bytes)
    let again = try parser.parse(bytes)
    precondition(again == parsed, "another result the second time")
    for reject in parsed.rejects.kept {
      precondition(reject.index >= 0 && reject.path.hasPrefix("$") && reject.raw.utf8.count <= Reject.rawLimit)
      precondition(!reject.expected.isEmpty && !reject.found.isEmpty)
    }
  } catch {
    precondition(error.offset <= count && error.path.hasPrefix("$"))
    precondition(!error.expected.isEmpty && !error.found.isEmpty)
  }
  return 0
}
