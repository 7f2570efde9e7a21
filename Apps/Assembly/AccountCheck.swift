public import Models
public import Ports

/// Whether the server of an account has what is to be followed: the rule of both programs.
public enum AccountCheck {
  /// Asks the server of the account, if the path is followed for the first time.
  ///
  /// - Parameter offers: lists what an account of a source offers to follow.
  /// - Returns: why the server could not say; `nil` where it has it, or where nothing is to be asked: the source has no
  ///   accounts.
  /// - Throws: `Failure`: `notFound` if there is no such account, or if it has no such address book, with those that it has.
  public static func problem(
    following path: String, among sources: [SourceDescriptor], _ settings: Settings,
    accounts: [SourceName: [SourceAccount]],
    offers: (SourceAccount, SourceName) async throws(Failure) -> [AccountOffer]
  ) async throws(Failure) -> Failure? {
    let source = Follow(path: path).source
    let parts = path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    guard sources.first(where: { $0.name == source })?.hasAccounts == true, parts.count == 3,
      !settings.follows.contains(where: { $0.path.exact == path.exact })
    else { return nil }
    let accounts = accounts[source] ?? []
    guard let account = accounts.first(where: { $0.name.exact == parts[1].exact }) else {
      let others = "the accounts are \(accounts.map(\.name).joined(separator: ", ")); "
      throw Failure(
        .config, .notFound, "there is no account '\(parts[1])' of \(source)",
        hint: "\(accounts.isEmpty ? "" : others)\(command: "account", "add", "\(source)", "URL") adds one",
        code: .own(.noAccount), path: path)
    }
    let offered: [AccountOffer]
    do throws(Failure) { offered = try await offers(account, source) } catch { return error }
    let isThere =
      offered.contains { $0.path.exact == path.exact }
      || offered.filter { $0.title?.exact == parts[2].exact }.count == 1
    guard isThere else {
      throw Failure(
        .config, .notFound,
        "the account \(account.name) has no \(source == .calDAV ? "calendar" : "address book") '\(parts[2])'",
        hint: "it has \(offered.map(\.path).joined(separator: ", "))", code: .own(.noBook), path: path)
    }
    return nil
  }
}
