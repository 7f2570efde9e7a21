import ArgumentParser

/// The list of commands.
///
/// Each command gives its `commandName`: where one does not, ArgumentParser makes it from the type's description at every
/// start, and forty questions for conformances take a quarter of the program's time.
struct AlmanacCLI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "almanac",
    abstract: "Keeps a local copy of the people, photos, profiles and charts that you follow.",
    discussion: """
      Begin with 'almanac demo', which needs nothing. Then follow something of your own:

        almanac follow app-store/us/top-free
        almanac sync
        almanac charts top app-store/us/top-free

      The store is \u{24}XDG_DATA_HOME/almanac (or --store, ALMANAC_STORE); the config file is \
      \u{24}XDG_CONFIG_HOME/almanac/config.json (or --config, ALMANAC_CONFIG). Answers go to standard output, everything \
      else to standard error.
      """,
    version: "almanac \(AlmanacVersion.current)",
    groupedSubcommands: [
      CommandGroup(
        name: "Keep",
        subcommands: [Demo.self, AddFollow.self, Unfollow.self, Following.self, Sync.self, SourceCommand.self]),
      CommandGroup(
        name: "Look",
        subcommands: [
          List.self, Show.self, ChartsCommand.self, GenreCommand.self, PhotosCommand.self, Birthdays.self, Status.self,
        ]),
      CommandGroup(name: "Edit", subcommands: [PeopleCommand.self, ProfileCommand.self, OutboxCommand.self]),
      CommandGroup(
        name: "House-keeping",
        subcommands: [
          MediaCommand.self, Export.self, Import.self, Changes.self, Doctor.self, Compact.self, Dashboard.self,
        ]),
    ])
}
