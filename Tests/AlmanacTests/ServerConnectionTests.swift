import AlmanacTesting
import Foundation
import Testing
import UpstreamKit

/// What a person is told who connects to a server in a wrong way, and copies by the server's own tools.
@Suite(
  .serialized, .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed; .ci/install-tools installs it"))
struct ServerConnectionTests {
  private static let hasOpenSSL = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  @Test("TLS, passwords, and roles without rights", .enabled(if: hasOpenSSL)) func connections() async throws {
    var almanac = try Program("almanac")
    defer { almanac.clean() }
    let server = try await PostgreSQLServer()
    defer { server.end() }
    for role in ["ada", "poor"] { _ = try server.query("create role \(role) login password 's3cret'") }
    _ = try server.query("create database team owner ada")
    _ = try server.query("revoke all on database team from public; grant connect on database team to poor")
    // A port that was free a moment ago.
    let other = try Upstream()
    other.stop()
    let port = other.server.port
    let authority = try server.secure(port: port)
    let store = "postgres://ada@localhost:\(port)/team"
    let trusted = "sslmode=verify-full&sslrootcert=\(authority)"
    almanac.environment["PGPASSWORD"] = "s3cret"
    try await almanac.run("people", "add", "--first", "Ada", "--store", store, exits: 0)
    try await almanac.run("list", "people", "--store", "\(store)?\(trusted)", exits: 0, out: "Ada")
    let cases: [(address: String, password: String, status: Int32, words: [String])] = [
      (store, "wr0ng", 77, ["password authentication failed", "PGPASSWORD"]),
      (store, "", 77, ["no password supplied", "PGPASSWORD"]),
      ("\(store)?sslmode=disable", "s3cret", 77, ["no encryption", "pg_hba.conf"]),
      ("\(store)?sslmode=verify-full&sslrootcert=/nowhere.crt", "s3cret", 78, ["/nowhere.crt", "sslrootcert"]),
      (store.replacing("localhost", with: "127.0.0.1") + "?\(trusted)", "s3cret", 78, ["certificate", "127.0.0.1"]),
      (store.replacing("ada@", with: "poor@"), "s3cret", 77, ["denied for schema almanac", "authorization"]),
      (store.replacing("localhost", with: "nowhere.invalid"), "s3cret", 75, ["nowhere.invalid", "check the address"]),
    ]
    for (address, password, status, words) in cases {
      almanac.environment["PGPASSWORD"] = password
      let result = try await almanac.run("list", "people", "--store", address, exits: status)
      #expect(words.allSatisfy { result.err.contains($0) }, "\(address): \(result)")
      #expect(password.isEmpty || !result.err.contains(password), "\(result.err)")
    }
    almanac.environment["PGPASSWORD"] = "s3cret"
    let poor = store.replacing("ada@", with: "poor@") + "?schema=own"
    try await almanac.run(
      "people", "add", "--first", "Poor", "--store", poor, exits: 77, err: "grant create on database")
  }

  @Test("a dump of pg_dump is the whole store, also after it was restored") func dump() async throws {
    let almanac = try Program("almanac")
    defer { almanac.clean() }
    let server = try await PostgreSQLServer()
    defer { server.end() }
    let address = server.address("team")
    let demo = almanac.folder + "/demo"
    try await almanac.run("demo", "--store", demo, "--quiet", exits: 0)
    let copied = try await almanac.run("store", "copy", demo, address, "--format", "json")
    let cursor = try await almanac.run("changes", "--store", address).out.split(separator: "\n").last ?? ""
    let end = try JSONSerialization.jsonObject(with: Data(cursor.utf8)) as? [String: Any]
    let file = almanac.folder + "/team.sql"
    _ = try server.run("pg_dump", "-d", "postgres", "--schema=team", "-f", file)
    // What is committed after the dump is gone after the restore, and whoever read it is told so.
    _ = try await almanac.run("people", "add", "--first", "Late", "--store", address)
    let late = try await almanac.run("changes", "--store", address, "--since", end?["cursor"] as? String ?? "").out
    let lateCursor =
      try
      (JSONSerialization.jsonObject(with: Data(late.split(separator: "\n").last.map { Array($0.utf8) } ?? []))
      as? [String: Any])?["cursor"] as? String ?? ""
    _ = try server.query("drop schema team cascade")
    _ = try server.run("psql", "-d", "postgres", "-Xq", "-v", "ON_ERROR_STOP=1", "-f", file)
    let back = try await almanac.run("store", "copy", address, almanac.folder + "/back", "--format", "json")
    #expect(try back.object()["digest"] as? String == copied.object()["digest"] as? String, "\(back)")
    let known = try await almanac.run(
      "changes", "--store", address, "--since", end?["cursor"] as? String ?? "", exits: 0)
    #expect(known.out.isEmpty, "\(known)")
    _ = try await almanac.run("people", "add", "--first", "Other", "--store", address)
    try await almanac.run(
      "changes", "--store", address, "--since", lateCursor, exits: 64, err: "an earlier copy was put back")
    #expect(try await almanac.run("list", "people", "--store", address).out.contains("Other"))
  }
}
