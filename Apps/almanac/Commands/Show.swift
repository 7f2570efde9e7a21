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
    let record = try services.library().record(CollectionArgument.parse(collection), id)
    if services.terminal.format == .json || services.terminal.format == .jsonl {
      services.terminal.write(record + [0x0A])
      return .done
    }
    do throws(ParsingError) {
      Answer(terminal: services.terminal).one(try services.coder.decode(record))
    } catch { throw error.failure }
    return .done
  }
}
