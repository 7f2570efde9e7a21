import AlmanacTesting
import Assembly
import Declared
import Foundation
import Models
import Parsing
import Ports
import Sync
import Testing

@Suite("The gallery")
struct GalleryTests {
  static let names = Gallery.definitions.map(\.name)

  static func definition(_ name: SourceName) throws -> SourceDefinition {
    let bytes = try #require(Gallery.definitions.first { $0.name == name }).bytes
    return try JSONDefinitionFormat().read(bytes, named: name)
  }

  @Test("the definitions have no mistakes, can be added together, and are those of the folder")
  func definitions() throws {
    var taken: [CollectionName] = []
    for (name, bytes) in Gallery.definitions {
      let definition = try JSONDefinitionFormat(collections: taken).read(bytes, named: name)
      taken += definition.collections.map(\.name)
      #expect(
        definition.title != nil && definition.docs != nil, "\(name) says what it reads, and where that is described")
    }
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Apps/Assembly/Gallery").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(files == Self.names.map { "\($0).json" })
    #expect(Self.names.count >= 40)
  }

  @Test("half of the definitions have at most 30 lines")
  func lengths() {
    let lengths = Gallery.definitions.map { $0.bytes.count { $0 == 0x0A } }.sorted()
    #expect(lengths[lengths.count / 2] <= 30)
    print(
      "gallery: \(lengths.count) definitions of \(lengths[0]) to \(lengths.last ?? 0) lines, median \(lengths[lengths.count / 2])"
    )
  }

  @Test("each reads answers in the form of its API, and a second sync changes nothing", arguments: names)
  func reads(name: SourceName) async throws {
    let definition = try Self.definition(name)
    let sample = try GallerySample(name)
    for (index, scene) in sample.scenes.enumerated() {
      let store = InMemoryRecordStore(time: ManualTime())
      let coder = JSONRecordCoder()
      let source = DeclaredSource(
        definition, compiler: JSONAnswerReaderCompiler(), coder: coder,
        apiKey: scene.key.map { .given($0, from: "the sample") } ?? .absent)
      let transport = SampleTransport(scene, of: definition)
      let engine = SyncEngine(
        store: store, sources: [source], transport: transport, coder: coder, time: ManualTime(), random: SeededRandom(),
        events: RecordedEvents())
      let follow = Follow(path: scene.follow)
      let first = try await engine.sync([follow], SyncOptions(run: "first-\(index)")).follows[0]
      #expect(first.error == nil, "\(scene.follow): \(first.error?.message ?? "") \(transport.unknown)")
      #expect(first.counts.rejected == scene.rejects, "\(scene.follow)")
      #expect(transport.unknown.isEmpty, "\(scene.follow)")
      for (collection, count) in scene.counts {
        #expect(try store.snapshot().count(collection) == count, "\(scene.follow): \(collection)")
      }
      for member in scene.records.members {
        let parts = member.key.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let bytes = try store.snapshot().record(CollectionName(rawValue: parts[0]), parts[1])
        let record = try coder.decode(try #require(bytes, "\(member.key) is missing"))
        for field in member.value.object?.members ?? [] {
          #expect(record[field.key] == field.value, "\(member.key): \(field.key)")
        }
      }
      let second = try await engine.sync([follow], SyncOptions(run: "second-\(index)")).follows[0]
      #expect(second.error == nil, "\(scene.follow): \(second.error?.message ?? "")")
      #expect(transport.unknown.isEmpty, "\(scene.follow)")
      #expect(
        second.counts.added + second.counts.updated + second.counts.removed == 0, "\(scene.follow): \(second.counts)")
    }
  }

  @Test("what a complete list does not have any more is removed", arguments: names)
  func removal(name: SourceName) async throws {
    let definition = try Self.definition(name)
    for scene in try GallerySample(name).scenes {
      let form = try definition.descriptor.match(Follow(path: scene.follow)).form
      let request = try #require(definition.follows.first { $0.form == form }).request
      guard request.complete == .always, let shorter = scene.shorter(request) else { continue }
      let (store, coder) = (InMemoryRecordStore(time: ManualTime()), JSONRecordCoder())
      for (run, scene) in [("first", scene), ("second", shorter)] {
        let source = DeclaredSource(
          definition, compiler: JSONAnswerReaderCompiler(), coder: coder,
          apiKey: scene.key.map { .given($0, from: "the sample") } ?? .absent)
        let engine = SyncEngine(
          store: store, sources: [source], transport: SampleTransport(scene, of: definition), coder: coder,
          time: ManualTime(), random: SeededRandom(), events: RecordedEvents())
        let report = try await engine.sync([Follow(path: scene.follow)], SyncOptions(run: run)).follows[0]
        #expect(report.error == nil, "\(scene.follow): \(report.error?.message ?? "")")
        #expect((report.counts.removed > 0) == (run == "second"), "\(scene.follow): \(report.counts)")
      }
    }
  }

  @Test("a required field that is renamed rejects its record alone", arguments: names)
  func renamed(name: SourceName) throws {
    let definition = try Self.definition(name)
    var tried = 0
    for scene in try GallerySample(name).scenes {
      let match = try definition.descriptor.match(Follow(path: scene.follow))
      let follow = try #require(definition.follows.first { $0.form == match.form })
      var variables: [ExactString: String] = [:]
      for (name, value) in zip(follow.parameters, match.parameters) { variables[name.exact] = value }
      for request in follow.request.all {
        let reader = JSONAnswerReaderCompiler().reader(of: request)
        for answer in scene.answers {
          // An answer to another request may have no list of this one.
          var text = GallerySample.Scene.text(answer.body)
          if let format = request.format { text = try JSONAnswerReaderCompiler().json(text, format) }
          let body = try JSONRecordCoder().decode(Array(#"{"v":"#.utf8) + text + Array("}".utf8))["v"] ?? .null
          guard let before = try? reader.read(text, variables: variables) else { continue }
          for selection in request.selections where !selection.isColumns {
            guard before.value.records.contains(where: { $0.id?.collection == selection.collection }) else { continue }
            for path in selection.mapping.requiredPaths {
              tried += 1
              try check(path, selection, body, before, reader, variables, request.selections.count)
            }
          }
        }
      }
    }
    if !["openmeteo", "jsonfeed", "rss"].contains(name.rawValue) { #expect(tried > 0, "\(name) has a required field") }
  }

  /// Renames the field in one record after another, until one of them is read with the selection.
  private func check(
    _ path: ValuePath, _ selection: SourceDefinition.Selection, _ body: JSONValue, _ before: Parsed<DeclaredAnswer>,
    _ reader: any AnswerReader, _ variables: [ExactString: String], _ mostLost: Int
  ) throws {
    let lists = body.places(of: selection.records.steps[...])
    let records = lists.flatMap { place -> [[JSONStep]] in
      guard let array = body[place[...]]?.array else { return [place] }
      return array.indices.map { place + [.index($0)] }
    }
    for record in records {
      for place in body[record[...]]?.places(of: path.steps[...]) ?? [] {
        let changed = body.renaming((record + place)[...])
        let after = try reader.read(GallerySample.Scene.text(changed), variables: variables)
        let lost = before.value.records.count - after.value.records.count
        guard after.rejects.total > before.rejects.total else { continue }
        #expect(after.rejects.total - before.rejects.total == lost, "\(path)")
        #expect((1...mostLost).contains(lost), "\(path): \(lost) records are lost")
        return
      }
    }
    Issue.record("\(path) can be renamed without a rejected record")
  }
}

extension GallerySample.Scene {
  /// The scene without the last record of its list; `nil` where no answer has a list in JSON.
  fileprivate func shorter(_ request: SourceDefinition.Request) -> GallerySample.Scene? {
    var scene = self
    for index in scene.answers.indices.reversed() {
      for selection in request.selections {
        let body = scene.answers[index].body
        guard let list = body.places(of: selection.records.steps[...]).last else { continue }
        guard let records = body[list[...]], records.array?.isEmpty != true else { continue }
        scene.answers[index].body =
          body.changing(list[...]) { value in value.array.map { .array(Array($0.dropLast())) } } ?? .null
        for answer in scene.answers.indices { scene.answers[answer].count(request.paging?.count) }
        return scene
      }
    }
    return nil
  }
}

extension GallerySample.Answer {
  /// Makes the number of all records smaller by one.
  fileprivate mutating func count(_ place: SourceDefinition.Place?) {
    func smaller(_ value: JSONValue?) -> JSONValue? {
      value?.int.map { .int($0 - 1) } ?? value?.string.flatMap { Int($0) }.map { .string(String($0 - 1)) } ?? value
    }
    switch place {
    case .header(let name)?: headers[name] = smaller(headers[name])
    case .path(let path)?:
      for place in body.places(of: path.steps[...]) { body = body.changing(place[...], smaller) ?? body }
    case nil: break
    }
  }
}

extension SourceDefinition.Mapping {
  /// The paths of required fields that lead to one value of the record.
  fileprivate var requiredPaths: [ValuePath] { fields.flatMap(\.requiredPaths) }
}

extension SourceDefinition.Field {
  fileprivate var requiredPaths: [ValuePath] {
    switch content {
    case .object(let fields): return fields.flatMap(\.requiredPaths)
    case .value(let value):
      guard !value.isOptional, case .paths(let paths) = value.origin, paths.count == 1, paths[0].root == .record,
        !paths[0].isMany
      else { return [] }
      return paths
    }
  }
}
