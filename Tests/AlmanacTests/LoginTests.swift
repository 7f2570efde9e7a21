import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// Logins with a real browser's part of the protocol, played by `curl` in the place of `xdg-open`.
@Suite final class LoginTests: ProgramTests {
  private static let secrets = ["access-4711-secret", "refresh-4711-secret", "code-4711-of-once", "device-4711-secret"]

  /// An API and its authorization server.
  private static func server() throws -> LocalServer {
    try LocalServer { request in
      switch request.path {
      case "/login":
        let query = "code=code-4711-of-once&state=\(request.query("state") ?? "")"
        return .redirect(to: "\(request.query("redirect_uri") ?? "")?\(query)")
      case "/device":
        return .json(
          """
          {"device_code": "device-4711-secret", "user_code": "WDJB-MJHT", "verification_uri": "https://shop.example/d",
           "expires_in": 60, "interval": 1}
          """)
      case "/token":
        return .json(
          """
          {"access_token": "access-4711-secret", "refresh_token": "refresh-4711-secret", "expires_in": 3600,
           "scope": "read:items"}
          """)
      default:
        guard request.headers["authorization"] == "Bearer access-4711-secret" else {
          return .json(#"{"message": "refresh-4711-secret is no token"}"#, status: 401)
        }
        return .json(#"{"items": [{"id": 1, "name": "access-4711-secret"}]}"#)
      }
    }
  }

  private func prepare(_ server: LocalServer) throws {
    let folder = almanac.folder
    for name in ["sources", "bin"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    _ = try almanac.file(
      "sources/shop.json",
      """
      {"almanac": 1, "source": "shop", "url": "\(server.url)",
       "auth": {"oauth2": {"token": "\(server.url)/token", "authorize": "\(server.url)/login",
         "device": "\(server.url)/device", "scope": "read"}},
       "collections": {"items": {"id": "$.id", "fields": {"name": "text $.name"}}},
       "follows": {"all": {"get": "/items", "take": {"records": "$.items", "into": "items"}}}}
      """)
    let opener = try almanac.file("bin/xdg-open", "#!/bin/sh\ncurl -s -L \"$1\" > page.txt 2>&1 &\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    almanac.environment["PATH"] = "\(folder)/bin:\(path)"
    almanac.environment["ALMANAC_CONFIG"] = try almanac.file("config.json", #"{"follows": [{"follow": "shop/all"}]}"#)
    almanac.environment["ALMANAC_SHOP_KEY"] = "client:s3cret-of-client"
  }

  @Test(
    "a login in the browser, or with a code, gives a sync its tokens; no output and no recording has them",
    arguments: [["--record", "login.har"], ["--device", "--record", "login.har"]])
  func login(options: [String]) async throws {
    let server = try Self.server()
    defer { server.stop() }
    try prepare(server)
    let before = try await almanac.run("sync", exits: 77, err: "almanac source login shop")
    let login = try await almanac.run(
      ["source", "login", "shop", "--verbose"] + options, exits: 0, out: "shop has its tokens",
      err: options.contains("--device") ? "WDJB-MJHT" : "\(server.url)/login?")
    let sync = try await almanac.run("sync", "--verbose", "--record", "sync.har", exits: 0)
    let tokens = almanac.folder + "/sources/.tokens/shop"
    let mode = try FileManager.default.attributesOfItem(atPath: tokens)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let files = try ["login.har", "sync.har"].map {
      try contents("\(almanac.folder)/\($0)")
    }
    #expect(files[0].contains("token") && files[1].contains("items"))
    for secret in Self.secrets + ["s3cret-of-client"] {
      #expect(!files.contains { $0.contains(secret) }, "\(secret) is recorded")
      #expect(!"\(before)\(login)\(sync)".contains(secret), "\(secret) is shown")
    }
  }

  @Test("a login that nothing can be done with says why")
  func refusals() async throws {
    let server = try LocalServer { _ in .json(#"{"error": "invalid_client"}"#, status: 401) }
    defer { server.stop() }
    try prepare(server)
    try await almanac.run("source", "login", "shp", exits: 66, err: "did you mean 'shop'")
    try await almanac.run("source", "login", "shop", "--device", exits: 77, err: "invalid_client")
    almanac.environment["ALMANAC_SHOP_KEY"] = nil
    try await almanac.run("source", "login", "shop", exits: 77)
    #expect(!FileManager.default.fileExists(atPath: almanac.folder + "/sources/.tokens/shop"))
  }
}
