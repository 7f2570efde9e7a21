import ArgumentParser
import Frontend
import Models
import Ports

struct ProfileCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Show and edit profiles.", subcommands: [ShowProfile.self, Set.self])

  struct ShowProfile: ReadingCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Show a profile.")

    @Argument(help: "The user's id or name.", completion: Completions.profiles) var id: String
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let id = try RecordArgument.id(id, in: .profiles, services)
      return services.answer.one(try services.profiles().profile(id).fields)
    }
  }

  struct Set: ReadingCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Edit the local profile; the next sync sends the edit.")

    @Argument(help: "The user's id or name.", completion: Completions.profiles) var id: String
    @Option(help: "The new name.") var name: String?
    @Option(help: "The new email address.") var email: String?
    @Option(parsing: .unconditional, help: "The new description.") var description: String?
    @Flag(help: "Remove the description.") var clearDescription = false
    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
      try require(
        name != nil || email != nil || description != nil || clearDescription,
        "nothing changes: pass --name, --email, --description or --clear-description")
      try require(description == nil || !clearDescription, "--description and --clear-description cannot be combined")
    }

    func run(_ services: CompositionRoot) async throws(Failure) -> ExitStatus {
      let id = try RecordArgument.id(id, in: .profiles, as: .words, services)
      let text: ProfileChange.Text? = clearDescription ? .clear : description.map { .set($0) }
      let change = ProfileChange(name: name, email: email, description: text)
      let profile: Profile
      do throws(Failure) { profile = try await services.profiles().edit(id, change) } catch {
        // The options have the names of the fields.
        guard let field = error.path, ProfileChange.fields.contains(field) else { throw error }
        var failure = error
        failure.message = "--\(field): \(error.message)"
        throw failure
      }
      services.answer.done(profile.fields)
      services.noteWaiting()
      return .done
    }
  }
}
