import Models
import Ports
import Synchronization

/// An address book of an account.
struct AddressBook: Hashable, Sendable {
  /// The path, which ends with `/`.
  var path: String
  /// The name for users.
  var title: String?
  /// Whether the server accepts no changes.
  var isReadOnly: Bool

  /// The name in follows: the last component of the path.
  var name: String { DAVAddress.name(path) }
}

/// Where new cards of an address book go.
struct BookPlace: Sendable {
  /// The follow that the book has now.
  var follow: Follow
  var account: String
  var book: AddressBook
}

/// The address books that were found, by the paths of their follows, so that a book is looked for once for many cards.
final class KnownBooks: Sendable {
  private let books = Mutex<[ExactString: BookPlace]>([:])

  /// The book of a follow; `nil` to look for it again.
  subscript(follow: Follow) -> BookPlace? {
    get { books.withLock { $0[follow.path.exact] } }
    set { books.withLock { $0[follow.path.exact] = newValue } }
  }
}

/// Finds the address books of an account (RFC 6764 section 6, RFC 6352 section 7.1.1).
struct BookDiscovery: Sendable {
  let client: CardDAVClient

  private static let bookProperties: [WebDAVProperty] = [.types, .displayName, .privileges]

  /// All address books, in the order of the server: the one at the account's URL, or else those of the user.
  ///
  /// The principal is looked for at the account's URL, at `/.well-known/carddav`, and at the root.
  /// - Returns: none if there is no address book.
  func books() async throws(SourceError) -> [AddressBook] {
    var refusal: SourceError?
    var tried: Set<ExactString> = []
    for path in [client.start.path, "/.well-known/carddav", "/"] where tried.insert(path.exact).inserted {
      do throws(SourceError) {
        if let books = try await books(from: path) { return books }
      } catch {
        // A server may have nothing there; any other error would be the same elsewhere.
        guard case .http = error, Self.concernsOnePlace(error) else { throw error }
        refusal = refusal ?? error
      }
    }
    if let refusal { throw refusal }
    return []
  }

  /// What is said where there is no address book.
  var nothing: (message: String, hint: String) {
    (
      "no address book of the account '\(client.account.name)' was found at \(client.start.url)",
      "set \(CardDAVClient.setting(client.account.name)).url to the address that the server gives for CardDAV"
    )
  }

  /// Whether another path may have what is looked for.
  private static func concernsOnePlace(_ error: SourceError) -> Bool {
    switch error {
    case .http(let status, _, _, _): [403, 404, 405, 409, 410, 501].contains(status)
    case .configuration: true
    default: false
    }
  }

  /// The address books that a path leads to; `nil` if it leads to none.
  private func books(from path: String) async throws(SourceError) -> [AddressBook]? {
    let (address, resources) = try await client.properties(
      of: path, [.currentUserPrincipal, .addressBookHomes] + Self.bookProperties)
    guard let found = resources.first else { return nil }
    if found.isAddressBook { return [book(found, at: address.path)] }
    var homes = found.homes
    var base = address
    if homes.isEmpty, let principal = found.principal {
      let path = try client.path(of: principal, from: address)
      let answer = try await client.properties(of: path, [.addressBookHomes])
      base = answer.address
      homes = answer.resources.flatMap(\.homes)
    }
    guard !homes.isEmpty else { return nil }
    var books: [AddressBook] = []
    var refusal: SourceError?
    for home in homes {
      do throws(SourceError) {
        let path = try client.path(of: home, from: base)
        let (address, members) = try await client.properties(of: path, depth: 1, Self.bookProperties)
        for member in members where member.isAddressBook {
          let path = try client.path(of: member.href, from: address)
          if !books.contains(where: { DAVAddress.decoded($0.path).exact == DAVAddress.decoded(path).exact }) {
            books.append(book(member, at: path))
          }
        }
      } catch {
        // One of several places may be gone, forbidden, or at a server that must not get the password.
        guard homes.count > 1, Self.concernsOnePlace(error) else { throw error }
        refusal = refusal ?? error
      }
    }
    if books.isEmpty, let refusal { throw refusal }
    return books.isEmpty ? nil : books
  }

  /// Servers that do not list privileges decide at the first change.
  private func book(_ resource: WebDAVResource, at path: String) -> AddressBook {
    let writing = ["all", "write", "write-content", "bind"]
    return AddressBook(
      path: path.hasSuffix("/") ? path : path + "/", title: resource.displayName,
      isReadOnly: resource.privileges.map { !$0.contains { writing.contains($0) } } ?? false)
  }

  /// The address book with a name: the last component of its path, or the title that only one has.
  ///
  /// - Throws: `SourceError`: `follow` if there is no such book, or several, with the names that there are.
  func book(named name: String, of follow: Follow) async throws(SourceError) -> AddressBook {
    let books = try await books()
    let named = books.filter { $0.name.exact == name.exact }
    let candidates = named.isEmpty ? books.filter { $0.title?.exact == name.exact } : named
    if candidates.count == 1 { return candidates[0] }
    let all = books.map { "carddav/\(client.account.name)/\($0.name)" }.joined(separator: ", ")
    let allowed = all.isEmpty ? "\(nothing.message): \(nothing.hint)" : "the address books of the account are \(all)"
    let message = candidates.isEmpty ? "there is no address book" : "several address books have the name"
    throw .follow(
      FollowError(
        follow: follow.path, message: "\(message) '\(name)'", allowed: allowed, isMissing: candidates.isEmpty))
  }
}
