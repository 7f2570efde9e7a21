import ArgumentParser
import Models
import Ports

/// `almanac show COLLECTION ID`
struct Show: ServiceCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one record.")

  @Argument(help: "Which collection.") var collection: String
  @Argument(help: "The record's id.") var id: String
  @OptionGroup var global: GlobalOptions

  func run(_ services: any AlmanacServices) async throws(Failure) -> ExitStatus {
    let collection = try CollectionArgument.parse(collection)
    let record = try Self.record(collection, id, services.library())
    if services.terminal.format == .json || services.terminal.format == .jsonl {
      services.terminal.write(record + [0x0A])
      return .done
    }
    do throws(ParsingError) {
      Answer(terminal: services.terminal).one(try services.coder.decode(record))
    } catch { throw error.failure }
    return .done
  }

  private static func record(
    _ collection: CollectionName, _ id: String, _ library: any LibraryService
  ) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      return try library.record(collection, id)
    } catch {
      guard error.reason == .notFound, collection == .apps, !id.contains("/") else { throw error }
      var failure = error
      failure.hint = "apps are kept by storefront, us/\(id) for instance: almanac list apps --where 'appID = \(id)'"
      throw failure
    }
  }
}
