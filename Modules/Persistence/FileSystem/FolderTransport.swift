import CLibrary
import Models
public import Ports

/// Answers GET requests for `file://` addresses with the files of one folder, so that what a service hands out as files is
/// read like an API. A file's size and time are its entity tag.
///
/// In the last part of a path, `*` stands for any text; the newest file of such a name is the answer. A part that ends in
/// `.zip` is an archive, and what follows names a file in it; of several files of a pattern, the last one by name.
public struct FolderTransport: HTTPTransport {
  private static let largest = 1 << 30

  /// The absolute path of the folder.
  public let folder: String

  /// - Parameter folder: a path. Files outside of it are not read, also where a link or `..` leads there.
  public init(folder: String) {
    guard !folder.hasPrefix("/"), let current = getcwd(nil, 0) else {
      self.folder = folder
      return
    }
    defer { free(current) }
    self.folder = "\(String(cString: current))/\(folder)"
  }

  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    let (file, inside) = try place(request.url)
    var status = stat()
    if stat(file, &status) == 0, request.validator?.etag == Self.tag(status) {
      return HTTPResponse(status: HTTPStatus.notModified.code, headers: [:], body: [], url: request.url)
    }
    let most = min(Self.largest, request.bodyLimit ?? Self.largest)
    if let inside {
      let (name, bytes) = try Self.content(of: inside, in: file, most: most, url: request.url)
      return Self.answer(bytes, "\(file)/\(name)", status)
    }
    do throws(FileFailure) {
      let (bytes, status) = try WholeFile.read(file, most: most)
      return Self.answer(bytes, file, status)
    } catch {
      throw TransportError(
        .cannotConnect, "the file \(file) cannot be read: \(error.reason)", url: request.url,
        hint: "check its permissions")
    }
  }

  private static func answer(_ bytes: [UInt8], _ file: String, _ status: stat) -> HTTPResponse {
    var response = HTTPResponse(status: HTTPStatus.ok.code, body: bytes, url: "file://\(file)")
    response.headers["ETag"] = tag(status)
    if file.hasSuffix(".jsonl") || file.hasSuffix(".ndjson") {
      response.headers["Content-Type"] = "application/x-ndjson"
    }
    return response
  }

  private static func content(
    of pattern: String, in archive: String, most: Int, url: String
  ) throws(TransportError) -> (name: String, bytes: [UInt8]) {
    func refused(_ reason: String) -> TransportError {
      TransportError(.cannotConnect, "\(pattern) in \(archive): \(reason)", url: url, hint: "check the archive")
    }
    do throws(ZIPArchive.Problem) {
      let zip = try ZIPArchive.open(archive)
      let escaped = pattern.replacing("[", with: "\\[")
      let found = zip.entries.filter { fnmatch(escaped, $0.name, FNM_PATHNAME) == 0 }.max { $0.name < $1.name }
      guard let found else { throw .notThere }
      return (found.name, try zip.content(of: found, most: most))
    } catch {
      switch error {
      case .notThere: throw refused("there is no such file")
      case .damaged, .noList: throw refused("the archive is damaged")
      case .encrypted: throw refused("it is encrypted")
      case .tooLarge: throw refused("it is larger than \(most) bytes")
      case .method(let number): throw refused("it is compressed by the method \(number), which is not deflate")
      }
    }
  }

  private static func tag(_ status: stat) -> String { "\"\(status.st_size)-\(Platform.modificationTime(status))\"" }

  private func place(_ url: String) throws(TransportError) -> (file: String, inside: String?) {
    func refused(_ reason: String) -> TransportError {
      TransportError(
        .cannotConnect, "\(reason) in \(folder)", url: url,
        hint: "check \"file\" of the definition, and the name after \"get\"")
    }
    let root = "file://\(folder)"
    guard url.hasPrefix("\(root)/") else { throw refused("\(url) is not") }
    let text = url.dropFirst(root.utf8.count).prefix { $0 != "?" && $0 != "#" }
    var parts = percentDecoded(text).split(separator: "/").map(String.init)
    var inside: String?
    if let archive = parts.firstIndex(where: { $0.lowercased().hasSuffix(".zip") }), archive < parts.count - 1 {
      inside = parts[(archive + 1)...].joined(separator: "/")
      parts.removeSubrange((archive + 1)...)
    }
    guard let last = parts.last, !parts.contains(where: { $0 == ".." || $0 == "." }), !parts.joined().utf8.contains(0)
    else { throw refused("there is no such file") }
    let place = ([folder] + parts.dropLast()).joined(separator: "/")
    var name = last
    if last.contains("*") {
      guard let newest = Self.newest(like: last, in: place) else { throw refused("there is no file \(last)") }
      name = newest
    }
    guard let real = FolderPath.real("\(place)/\(name)") else {
      throw refused("there is no file \(parts.dropLast().map { "\($0)/" }.joined())\(name)")
    }
    guard let home = FolderPath.real(folder), real.hasPrefix("\(home)/") else {
      throw refused("the link \(name) leads to a file that is not")
    }
    return (real, inside)
  }

  private static func newest(like pattern: String, in folder: String) -> String? {
    let place = RealFileSystem(path: folder, isAnywhere: true, followsLink: true)
    guard (try? place.openFolder(create: false)) == true, let names = try? place.names() else { return nil }
    var found: (name: String, time: Int)?
    for name in names where !name.hasPrefix(".") {
      var status = stat()
      guard fnmatch(pattern.replacing("[", with: "\\["), name, 0) == 0, stat("\(folder)/\(name)", &status) == 0,
        status.st_mode & S_IFMT == S_IFREG
      else { continue }
      let time = Platform.modificationTime(status)
      if found.map({ (time, name) > ($0.time, $0.name) }) ?? true { found = (name, time) }
    }
    return found?.name
  }
}
