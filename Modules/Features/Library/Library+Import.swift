public import Models
public import Ports

extension Library {
  private struct Line {
    let id: String
    let record: [UInt8]
  }

  /// Writes the records of a file of JSON Lines, as one commit. Empty lines are passed over.
  ///
  /// Every record has a string `id`, no two the same one; records of a known kind are checked to be of that kind.
  public func importLines(_ lines: [UInt8], into collection: CollectionName) async throws(Failure) -> ImportedRecords {
    guard CollectionName.listed.contains(collection) else {
      throw Failure(
        .config, .usage, "there is no collection '\(collection)'",
        hint: "the collections are \(CollectionName.listed.map(\.rawValue).joined(separator: ", "))",
        code: "no-collection")
    }
    let records = try read(lines, collection)
    do throws(StoreError) {
      return try await store.write { (transaction) throws(StoreError) -> ImportedRecords in
        var result = ImportedRecords(added: 0, updated: 0, unchanged: 0)
        for line in records {
          let old = try transaction.record(collection, line.id)
          if old == line.record {
            result.unchanged += 1
            continue
          }
          try transaction.put(line.record, id: line.id, in: collection)
          if old == nil { result.added += 1 } else { result.updated += 1 }
        }
        return result
      }.value
    } catch {
      throw error.failure
    }
  }

  private func read(_ lines: [UInt8], _ collection: CollectionName) throws(Failure) -> [Line] {
    var records: [Line] = []
    var seen: Set<String> = []
    var number = 0
    // A byte order mark says nothing in UTF-8 (RFC 8259 section 8.1 lets readers pass over it).
    var rest = lines.starts(with: [0xEF, 0xBB, 0xBF]) ? lines.dropFirst(3) : lines[...]
    while !rest.isEmpty {
      number += 1
      let end = rest.firstIndex(of: 0x0A) ?? rest.endIndex
      let line = rest[rest.startIndex..<end]
      rest = rest[(end == rest.endIndex ? end : end + 1)...]
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { continue }
      let fields: JSONObject
      do throws(ParsingError) {
        fields = try coder.decode(Array(line))
      } catch {
        throw Self.mistake(
          number, "expected \(error.expected), found \(error.found) at column \(error.column)", error.path)
      }
      do throws(RecordError) {
        let record = try KnownRecords.canonical(fields, in: collection)
        let id = record["id"]?.string ?? ""
        guard (1...1024).contains(id.utf8.count), !id.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
          throw RecordError(
            collection: collection, id: nil, field: "id", expected: "1 to 1024 bytes without control characters",
            found: "\(id.utf8.count) bytes")
        }
        guard seen.insert(id).inserted else {
          throw RecordError(
            collection: collection, id: id, field: "id", expected: "an id that no line before has", found: "'\(id)'")
        }
        records.append(Line(id: id, record: coder.encode(record)))
      } catch {
        throw Self.mistake(number, error.description, "$.\(error.field)")
      }
    }
    return records
  }

  private static func mistake(_ line: Int, _ message: String, _ path: String) -> Failure {
    Failure(
      .parsing, .unparsable, "line \(line): \(message)", hint: "nothing was imported", code: "bad-line", path: path)
  }
}
