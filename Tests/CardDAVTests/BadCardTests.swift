import AlmanacTesting
import CardDAV
import Foundation
import Models
import People
import Ports
import Sync
import Testing

/// Cards that a server cannot give.
@Suite struct BadCardTests {
  private func house(_ count: Int, _ status: Int, _ bad: Set<String>) -> (FakeCardDAV, CardDAVHouse) {
    let server = FakeCardDAV { ($0.broken, $0.brokenStatus) = (bad, status) }
    for number in 0..<count { server.put("\(number).vcf", vCard("P\(number) Q", uid: "\(number)")) }
    return (server, CardDAVHouse(server.transport))
  }

  private func reports(_ server: FakeCardDAV) -> Int {
    server.taken().filter { request in
      request.method == .get || request.method == .report && request.text.contains("multiget")
    }.count
  }

  @Test(arguments: [1, 2, 3, 7, 8, 50, 64, 100, 125], [0, 1, 2]) func oneBadCardClosesNoBook(
    _ count: Int, _ place: Int
  ) async throws {
    let bad = [0, count / 2, count - 1][place]
    let (server, house) = house(count, 500, ["\(bad).vcf"])
    let report = try await house.sync()
    // 2 log₂ n + 1
    #expect(Double(reports(server)) <= 2 * log2(Double(count)) + 1, "\(count)")
    guard count > 1 else { return }
    #expect(report.status == .partial && report.counts.added == count - 1 && report.counts.rejected == 1, "\(report)")
    let rejects = try house.rejects()
    #expect(rejects.count == 1 && rejects[0].contains("\(bad).vcf") && rejects[0].contains("500"), "\(rejects)")
    // The next time only that card is asked for.
    let again = try await house.sync()
    #expect(again.error == nil && again.counts.added == 0 && again.counts.rejected == 1, "\(again)")
    #expect(reports(server) == 1)
    try await house.sync()
    #expect(reports(server) == 1)
    server.change { $0.broken = [] }
    #expect(try await house.sync().counts.added == 1)
    #expect(try house.all().count == count && house.rejects().isEmpty)
    // And then nothing is.
    _ = server.taken()
    #expect(try await house.sync().counts.requests == 1)
  }

  @Test(arguments: [403, 406, 451]) func aStatusOfOneCardConcernsThatCard(_ status: Int) async throws {
    let (server, house) = house(20, status, ["7.vcf"])
    let report = try await house.sync()
    #expect(report.status == .partial && report.counts.added == 19 && report.counts.rejected == 1, "\(report)")
    #expect(reports(server) == 2)
    #expect(try house.rejects().first?.contains("7.vcf") == true)
  }

  /// A server that gives no card at all has a fault: nothing is stored, and not each card is asked for.
  @Test func aServerWithoutAnyCardFails() async throws {
    let (server, house) = house(100, 500, Set((0..<100).map { "\($0).vcf" }))
    let report = try await house.sync()
    #expect(report.error?.code == .status(500), "\(report)")
    #expect(reports(server) <= 10)
    server.change { $0.broken = [] }
    #expect(try await house.sync().counts.added == 100)
  }

  @Test func severalBadCardsAreEachNamed() async throws {
    let (_, house) = house(300, 500, ["3.vcf", "4.vcf", "150.vcf", "299.vcf"])
    let report = try await house.sync()
    #expect(report.counts.added == 296 && report.counts.rejected == 4, "\(report)")
  }
}
