import Models
import Ports
import Synchronization

/// An address book or a calendar of an account.
struct DAVCollection: Hashable, Sendable {
  /// The path, which ends with `/`.
  var path: String
  var title: String?
  /// Whether the server accepts no changes.
  var isReadOnly: Bool

  /// The name in follows: the last component of the path.
  var name: String { DAVAddress.name(path) }
}

/// Where new cards of an address book go.
struct BookPlace: Sendable {
  var follow: Follow
  var account: String
  var book: DAVCollection
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

/// Finds the address books or the calendars of an account (RFC 6764 section 6, RFC 6352 section 7.1.1, RFC 4791 section
/// 6.2.1).
struct CollectionDiscovery: Sendable {
  let client: DAVClient

  private var service: DAVService { client.service }

  /// All collections of the service, in the order of the server: the one at the account's URL, or else those of the user.
  ///
  /// The principal is looked for at the account's URL, at the service's well-known path, and at the root.
  /// - Returns: none if there is no such collection.
  func collections() async throws(SourceError) -> [DAVCollection] {
    var refusal: SourceError?
    var tried: Set<ExactString> = []
    for path in [client.start.path, service.wellKnown, "/"] where tried.insert(path.exact).inserted {
      do throws(SourceError) {
        if let found = try await collections(from: path) { return found }
      } catch {
        // A server may have nothing there; any other error would be the same elsewhere.
        guard case .answered = error, Self.concernsOnePlace(error) else { throw error }
        refusal = refusal ?? error
      }
    }
    if let refusal { throw refusal }
    return []
  }

  var nothing: (message: String, hint: String) {
    (
      "no \(service.item) of the account '\(client.account.name)' was found at \(client.start.url)",
      "set \(client.setting).url to the address that the server gives for \(service.protocolName)"
    )
  }

  /// What the account offers to follow.
  ///
  /// - Throws: `SourceError`: `configuration` if there is nothing.
  func offers() async throws(SourceError) -> [AccountOffer] {
    let found = try await collections()
    if found.isEmpty { throw .configuration(message: nothing.message, hint: Advice(nothing.hint)) }
    return found.map { AccountOffer(path: path(of: $0), title: $0.title, isReadOnly: $0.isReadOnly) }
  }

  private func path(of collection: DAVCollection) -> String {
    "\(service.source)/\(client.account.name)/\(collection.name)"
  }

  /// Whether another path may have what is looked for.
  private static func concernsOnePlace(_ error: SourceError) -> Bool {
    switch error {
    case .answered(let status, _, _, _): [.forbidden, .missing, .unsupported, .conflict].contains(status.meaning)
    case .configuration: true
    default: false
    }
  }

  /// The collections that a path leads to; `nil` if it leads to none.
  private func collections(from path: String) async throws(SourceError) -> [DAVCollection]? {
    let (address, resources) = try await client.properties(
      of: path, [.currentUserPrincipal, service.homes] + service.properties)
    guard let found = resources.first else { return nil }
    if service.isCollection(found) { return [collection(found, at: address.path)] }
    var homes = found.homes
    var base = address
    if homes.isEmpty, let principal = found.principal {
      let path = try client.path(of: principal, from: address)
      let answer = try await client.properties(of: path, [service.homes])
      base = answer.address
      homes = answer.resources.flatMap(\.homes)
    }
    guard !homes.isEmpty else { return nil }
    var collections: [DAVCollection] = []
    var refusal: SourceError?
    for home in homes {
      do throws(SourceError) {
        let path = try client.path(of: home, from: base)
        let (address, members) = try await client.properties(of: path, depth: 1, service.properties)
        for member in members where service.isCollection(member) {
          let path = try client.path(of: member.href, from: address)
          if !collections.contains(where: { DAVAddress.decoded($0.path).exact == DAVAddress.decoded(path).exact }) {
            collections.append(collection(member, at: path))
          }
        }
      } catch {
        // One of several places may be gone, forbidden, or at a server that must not get the password.
        guard homes.count > 1, Self.concernsOnePlace(error) else { throw error }
        refusal = refusal ?? error
      }
    }
    if collections.isEmpty, let refusal { throw refusal }
    return collections.isEmpty ? nil : collections
  }

  private func collection(_ resource: WebDAVResource, at path: String) -> DAVCollection {
    DAVCollection(
      path: path.hasSuffix("/") ? path : path + "/", title: resource.displayName,
      isReadOnly: resource.isReadOnly)
  }

  /// The collection with a name: the last component of its path, or the title that only one has.
  ///
  /// - Throws: `SourceError`: `follow` if there is no such collection, or several, with the names that there are.
  func collection(named name: String, of follow: Follow) async throws(SourceError) -> DAVCollection {
    let found = try await collections()
    let named = found.filter { $0.name.exact == name.exact }
    let candidates = named.isEmpty ? found.filter { $0.title?.exact == name.exact } : named
    if candidates.count == 1 { return candidates[0] }
    let all = found.map(path).joined(separator: ", ")
    let allowed = all.isEmpty ? "\(nothing.message): \(nothing.hint)" : "the \(service.item)s of the account are \(all)"
    let message = candidates.isEmpty ? "there is no \(service.item)" : "several \(service.item)s have the name"
    throw .follow(
      FollowError(
        follow: follow.path, message: "\(message) '\(name)'", allowed: allowed, isMissing: candidates.isEmpty))
  }
}

extension WebDAVResource {
  /// Whether the user may change nothing in the collection. Servers that do not list privileges decide at the first change.
  var isReadOnly: Bool {
    let writing = ["all", "write", "write-content", "bind"]
    return privileges.map { !$0.contains { writing.contains($0) } } ?? false
  }
}
