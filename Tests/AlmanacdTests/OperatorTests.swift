import AlmanacTesting
import CLibrary
import Foundation
import Logging
import Models
import Parsing
import Ports
import Synchronization
import Testing
import UpstreamKit

@testable import almanacd

/// What operators read and set: the log, the metrics of the API, the retention of history.
@Suite struct OperatorTests {
  @Test("a log in JSON has numbers as numbers, durations in seconds, and times to the millisecond")
  func json() async throws {
    let daemon = try await Daemon(follows: ["people"], arguments: ["--log-format", "json"])
    let log = try await daemon.log(holds: "\"synced\"")
    try await daemon.stop()
    let lines = try log.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    let started = try #require(lines.first { $0["message"] as? String == "started" })
    let listening = try #require(lines.first { $0["message"] as? String == "listening" })
    #expect(started["pid"] is Int && listening["after"] is Double, "\(started) \(listening)")
    let synced = try #require(lines.first { $0["message"] as? String == "synced" })
    #expect(synced["added"] as? Int == 20 && synced["requests"] is Int && synced["duration"] is Double, "\(synced)")
    #expect(synced["follow"] as? String == "people")
    for line in lines {
      #expect((line["time"] as? String)?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(line)")
    }
  }

  @Test("the daemon listens while a program is asked for a key, says so, and syncs when it has it")
  func slowKey() async throws {
    let pipe = NSTemporaryDirectory() + "almanac-key-\(UUID().uuidString)"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    let upstream = try Upstream(UpstreamOptions())
    defer { upstream.stop() }
    let key = #"{"command": ["sh", "-c", "read -r key < '\#(pipe)'; echo $key"]}"#
    let config = """
      {"servers": {"flickr": {"url": "\(upstream.url)", "apiKey": \(key)}, "people": {"url": "\(upstream.url)"}},
       "follows": [{"follow": "people"}, {"follow": "flickr/interestingness"}]}
      """
    let (daemon, client) = try await Daemon(config: config).withClient
    try await daemon.log(holds: "asks programs")
    let status = try await daemon.eventually("/api/v1/status") { $0.body.contains(#""part":"keys""#) }
    #expect(status.body.contains("waiting for the key of flickr") && upstream.log.isEmpty, "\(status.body)")
    let end = try #require(FileHandle(forWritingAtPath: pipe))
    try end.write(contentsOf: Data("secret\n".utf8))
    try end.close()
    try await daemon.log(holds: " synced ", times: 2)
    #expect(try await !client.get("/api/v1/status").body.contains(#""part":"keys""#))
    let result = try await daemon.stop()
    #expect(!result.err.contains("missing") && result.status == 0, "\(result.err)")
  }

  @Test("a daemon that was stopped by a signal does not count as one that is well", .enabled(if: Daemon.hasCLI))
  func stoppedProcess() async throws {
    let daemon = try await Daemon(follows: [])
    daemon.running.signal(SIGSTOP)
    let status = try await daemon.program.almanac("status --check")
    daemon.running.signal(SIGCONT)
    #expect(status.status == 75 && status.out.contains("daemon: it does not answer: process "), "\(status)")
    try await daemon.stop()
  }

  @Test("requests are counted by route, and logged where the config says so, without their query")
  func requests() async throws {
    let (daemon, client) = try await Daemon(
      config: #"{"daemon": {"accessLog": true}}"#, arguments: ["--log-format", "json"]
    ).withClient
    _ = try await client.get("/api/v1/collections/people?search=secret-word")
    _ = try await client.get("/api/v1/collections/people/none")
    _ = try await client.anonymous.get("/api/v1/status")
    _ = try await client.get("/no/such/place/\(UUID().uuidString)")
    let metrics = try await client.get("/metrics").body
    for series in [
      #"requests_total{route="/api/v1/collections/{name}",method="GET",status="200"} 1"#,
      #"requests_total{route="/api/v1/collections/{name}/**",method="GET",status="404"} 1"#,
      #"requests_total{route="/api/v1/status",method="GET",status="401"} 1"#,
      #"requests_total{route="NotFound",method="GET",status="404"} 1"#,
      #"request_duration_seconds_count{route="/api/v1/collections/{name}",method="GET"} 1"#,
    ] { #expect(metrics.contains("almanac_api_\(series)"), "\(series)\n\(metrics)") }
    let log = try await daemon.log(holds: #""message":"request""#, times: 5)
    let lines = log.split(separator: "\n").filter { $0.contains(#""message":"request""#) }
    #expect(lines[0].contains(#""path":"/api/v1/collections/people""#) && lines[0].contains(#""status":200"#), "\(log)")
    #expect(!log.contains("secret-word"))
    try await daemon.stop()
    let silent = try await Daemon(follows: [])
    _ = try await silent.client.get("/api/v1/collections/people")
    let result = try await silent.stop()
    #expect(!result.err.contains("/api/v1/collections/people"), "\(result.err)")
  }

  @Test("a record that is rejected by sync after sync is logged once, and again when it was gone in between")
  func rejects() {
    let lines = Mutex<[String]>([])
    let logger = Logger(label: "test") { _ in
      LineLogHandler(format: .text, time: ManualTime(), coder: JSONRecordCoder()) { line in
        lines.withLock { $0.append(String(decoding: line, as: UTF8.self)) }
      }
    }
    let log = EventLog(logger: logger, time: ManualTime())
    func sync(_ paths: [String], _ status: FollowReport.Status = .partial) -> Int {
      lines.withLock { $0 = [] }
      for path in paths { log.report(.rejected(follow: "people", path: path, expected: "a day", found: "x")) }
      log.report(.followFinished(report: FollowReport(follow: "people", status: status), duration: .seconds(1)))
      return lines.withLock { $0.count { $0.contains("record rejected") } }
    }
    #expect(sync(["$[0]", "$[1]"]) == 2)
    #expect(sync(["$[0]", "$[1]"]) == 0)
    #expect(sync(["$[0]", "$[2]"]) == 1)
    #expect(sync([], .unchanged) == 0 && sync([], .failed) == 0)
    #expect(sync(["$[0]", "$[2]"]) == 0)
    #expect(sync([], .ok) == 0)
    #expect(sync(["$[0]"]) == 1)
  }

  @Test("history that is older than the config says is removed, but for the newest snapshot of each chart")
  func retention() async throws {
    let store = InMemoryRecordStore()
    let coder = JSONRecordCoder()
    func chart(_ series: String, _ day: Int) -> (String, String) {
      let at = "2026-01-\(day < 10 ? "0" : "")\(day)T00:00:00Z"
      return (
        "\(series)/\(at)", #"{"id":"\#(series)/\#(at)","observedAt":"\#(at)","lastObservedAt":"\#(at)","ranks":[]}"#
      )
    }
    let charts = [
      chart("fr/top-paid", 1), chart("fr/top-paid", 2), chart("fr/top-paid", 20), chart("us/new", 1),
      chart("us/new/6014", 2), chart("us/new/6014", 3),
    ]
    let runs = (1...3).map { ("r\($0)", #"{"id":"r\#($0)","finishedAt":"2026-01-\#($0)0T00:00:00Z"}"#) }
    _ = try await store.write { (transaction) throws(StoreError) in
      for (id, record) in charts { try transaction.put(Array(record.utf8), id: id, in: .charts) }
      for (id, record) in runs + [("r9", #"{"id":"r9"}"#)] {
        try transaction.put(Array(record.utf8), id: id, in: .runs)
      }
    }
    func ids(_ collection: CollectionName) throws -> [String] { try store.snapshot().ids(collection, coder) }
    let now = try #require(Timestamp(rfc3339: "2026-01-25T00:00:00Z"))
    let nothing = Retention(settings: Settings.Retention(), store: store, coder: coder)
    #expect(try await nothing.apply(at: now) == 0)
    let tenDays = Retention(
      settings: Settings.Retention(charts: Interval("10d"), runs: Interval("10d")), store: store, coder: coder)
    #expect(try await tenDays.apply(at: now) == 4)
    #expect(
      try ids(.charts) == [
        "fr/top-paid/2026-01-20T00:00:00Z", "us/new/2026-01-01T00:00:00Z", "us/new/6014/2026-01-03T00:00:00Z",
      ])
    #expect(try ids(.runs) == ["r2", "r3", "r9"])
    #expect(try await tenDays.apply(at: now) == 0)
  }
}
