import AsyncHTTPTransport
import Foundation
import Testing

/// An authority and certificates made for one test by the `openssl` program, and servers that use them.
final class TestAuthority {
  let folder: URL
  private var servers: [Process] = []

  /// The path of the program; `nil` where it is not installed.
  static let program: String? = ["/usr/bin/openssl", "/usr/local/bin/openssl", "/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A server that speaks HTTP/2, where it is installed.
  static let nginx: String? = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/local/bin/nginx"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("authority-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try make(
      "ca",
      "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ca.key -out ca.pem -subj /CN=Test-Authority -days 2"
    )
  }

  deinit {
    // SIGTERM may be blocked in children of a thread that blocks it.
    for server in servers where server.isRunning { kill(server.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(at: folder)
  }

  /// This authority alone is trusted.
  var trust: TrustSettings { TrustSettings(environment: ["SSL_CERT_FILE": authorities, "SSL_CERT_DIR": "/nowhere"]) }

  var authorities: String { folder.appendingPathComponent("ca.pem").path }

  /// A certificate for `name`, valid for so many days from now; signed by itself where `isSelfSigned`.
  func certificate(_ name: String, subject: String, days: Int, isSelfSigned: Bool = false) throws {
    let alternative = "-addext subjectAltName=\(subject)"
    if isSelfSigned {
      try make(
        name,
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout \(name).key -out \(name).pem -subj /CN=x -days \(days) \(alternative)"
      )
    } else {
      try make(
        name,
        "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout \(name).key -out \(name).csr -subj /CN=x \(alternative)"
      )
      try make(
        name,
        "x509 -req -in \(name).csr -CA ca.pem -CAkey ca.key -CAcreateserial -copy_extensions copy -days \(days) "
          + "-out \(name).pem")
    }
  }

  private func make(_ name: String, _ arguments: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.program))
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "openssl \(arguments)")
  }

  /// Starts a server with the certificate; gives its port.
  func serve(_ name: String, _ more: [String] = []) throws -> Int {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.program))
    process.arguments =
      ["s_server", "-accept", "127.0.0.1:0", "-cert", "\(name).pem", "-key", "\(name).key", "-www"] + more
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    servers.append(process)
    var text = ""
    while !text.contains("\n") || !text.contains("ACCEPT") {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    let line = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") }
    return try #require(line?.split(separator: ":").last.flatMap { Int($0) }, "\(text)")
  }
}
