import Models
import Ports

/// A collection as one text, which is written while it is read: it may be longer than memory.
struct ExportText {
  /// Where the records come from.
  let services: any AlmanacServices
  /// Which collection.
  let collection: CollectionName
  /// Takes the next piece; answers whether more is wanted.
  typealias Take = ([UInt8]) -> Bool

  /// Gives the text piece by piece, in one of the formats that every collection has.
  func write(_ format: Export.Format, to take: Take) throws(Failure) {
    switch format {
    case .json: try array(take)
    case .csv: try table(take)
    case .html: try page(take)
    case .singer: try messages(take)
    case .jsonl, .vcf, .ics: try each { take($0 + [0x0A]) }
    }
  }

  private func array(_ take: Take) throws(Failure) {
    var count = 0
    try each { record in
      count += 1
      return take(Array((count == 1 ? "[\n" : ",\n").utf8) + record)
    }
    _ = take(Array((count == 0 ? "[]\n" : "\n]\n").utf8))
  }

  private func table(_ take: Take) throws(Failure) {
    let fields = CollectionColumns.csv(collection)
    let answer = Answer(terminal: services.terminal)
    func line(_ cells: [String]) -> Bool {
      take(Array((cells.map(RecordStream.quoted).joined(separator: ",") + "\n").utf8))
    }
    guard line(fields) else { return }
    try eachObject { object in line(fields.map { answer.cell(object.value(at: $0)) }) }
  }

  private func messages(_ take: Take) throws(Failure) {
    var schema = SingerSchema(collection)
    try eachObject { record in
      schema.see(record)
      return true
    }
    guard take(services.coder.encode(schema.message) + [0x0A]) else { return }
    try eachObject { record in
      let message: JSONObject = [
        "type": "RECORD", "stream": .string(collection.rawValue), "record": .object(schema.completed(record)),
      ]
      return take(services.coder.encode(message) + [0x0A])
    }
    _ = take(services.coder.encode(["type": "STATE", "value": ["bookmarks": [:]]] as JSONObject) + [0x0A])
  }

  private func page(_ take: Take) throws(Failure) {
    let fields = CollectionColumns.csv(collection)
    let answer = Answer(terminal: services.terminal)
    let head = fields.map { "<th scope=\"col\">\($0)</th>" }.joined()
    let beginning = """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Almanac: \(collection)</title>
      <style>
      :root { color-scheme: light dark; font-family: system-ui, sans-serif }
      body { margin: 1rem } table { border-collapse: collapse; font-size: .9rem }
      th, td { padding: .3rem .6rem; border-bottom: 1px solid #8886; text-align: start; vertical-align: top }
      th { position: sticky; top: 0; background: Canvas }
      </style>
      <h1>\(collection)</h1>
      <table>
      <thead><tr>\(head)</tr></thead>
      <tbody>

      """
    guard take(Array(beginning.utf8)) else { return }
    try eachObject { object in
      let cells = fields.map { "<td>\(Markup.escaped(answer.cell(object.value(at: $0))))</td>" }.joined()
      return take(Array("<tr>\(cells)</tr>\n".utf8))
    }
    _ = take(Array("</tbody>\n</table>\n</html>\n".utf8))
  }

  private func each(_ body: Take) throws(Failure) {
    try services.library().list(collection, LibraryQuery()) { record in
      body(record.copied) ? .next : .stop
    }
  }

  private func eachObject(_ body: (JSONObject) -> Bool) throws(Failure) {
    try services.library().list(collection, LibraryQuery()) { (record: RawSpan) throws(Failure) -> ScanStep in
      let object = try Failure.from { () throws(ParsingError) in try services.coder.decode(record) }
      return body(object) ? .next : .stop
    }
  }
}
