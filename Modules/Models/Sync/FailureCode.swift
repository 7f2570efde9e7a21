/// What identifies a failure for programs: it is printed, and does not change.
public enum FailureCode: Hashable, Sendable {
  case status(Int)
  case transport(TransportCode)
  case store(StoreCode)
  case parsing(ParsingCode)
  case own(OwnCode)
  /// An API's own code, or a program's. It is shown, and never compared.
  case reported(String)

  public init(_ text: String, of kind: Failure.Kind) {
    if kind == .http, text.hasPrefix("http-"), let status = Int(text.dropFirst(5)) {
      self = .status(status)
    } else if kind == .parsing, let code = ParsingCode(rawValue: text) {
      self = .parsing(code)
    } else if kind != .api, let code = TransportCode(rawValue: text) {
      self = .transport(code)
    } else if kind != .api, let code = StoreCode(rawValue: text) {
      self = .store(code)
    } else {
      self = OwnCode(rawValue: text).map(Self.own) ?? .reported(text)
    }
  }

  /// The printed form: `http-503`, `circuitOpen`, `no-book`.
  public var text: String {
    switch self {
    case .status(let status): "http-\(status)"
    case .transport(let code): code.rawValue
    case .store(let code): code.rawValue
    case .parsing(let code): code.rawValue
    case .own(let code): code.rawValue
    case .reported(let text): text
    }
  }
}

/// The errors that only have a name.
public enum OwnCode: String, Sendable, CaseIterable {
  case accountExists = "account-exists", allRejected = "all-rejected", ambiguous, askedToWait = "asked-to-wait"
  case badCondition = "bad-condition", badCursor = "bad-cursor", badDetail = "bad-detail", badID = "bad-id"
  case badLine = "bad-line", badSort = "bad-sort", badText = "bad-text", badToken = "bad-token", badValue = "bad-value"
  case cannotListen = "cannot-listen", changed, changedSince = "changed-since", config
  case configDeleted = "config-deleted", conflict, days, definition, duplicate, editor, followed, follows
  case futureBirthday = "future-birthday", gone, incompleteImage = "incomplete-image", keyring, locked
  case massRemoval = "mass-removal", missingKey = "missing-key", missingSecret = "missing-secret"
  case missingSetting = "missing-setting", noAccount = "no-account", noAddress = "no-address", noApp = "no-app"
  case noBirthday = "no-birthday", noBook = "no-book", noCollection = "no-collection", noConflict = "no-conflict"
  case noDefinition = "no-definition", noEmail = "no-email", noField = "no-field", noHistory = "no-history"
  case noImage = "no-image"
  case noName = "no-name", noPage = "no-page", noPicture = "no-picture", noProgram = "no-program"
  case noReceiver = "no-receiver", noSource = "no-source", noStore = "no-store", noTerminal = "no-terminal"
  case noValue = "no-value", noVersion = "no-version", notAddable = "not-addable", notConfirmed = "not-confirmed"
  case notEditable = "not-editable", notFound = "not-found", notListed = "not-listed", notOpened = "not-opened"
  case notPurgeable = "not-purgeable", notRemovable = "not-removable", notSet = "not-set", notShown = "not-shown"
  case notWritable = "not-writable", nothing, notifications, otherServer = "other-server"
  case pulledElsewhere = "pulled-elsewhere", readOnly = "read-only", refusedEvent = "refused-event", replay, required
  case restart, sameChanges = "same-changes", samePage = "same-page", sending, sendmail, severalApps = "several-apps"
  case storeOnServer = "store-on-server", taken, tokenClaimed = "token-claimed", tooLarge = "too-large"
  case undeclaredCollection = "undeclared-collection", undecidedEdits = "undecided-edits", unguarded, unreadable,
    unwritable, usage
}

public enum TransportCode: String, Sendable, CaseIterable {
  /// The request is not valid: URL, header or method.
  case invalidRequest
  /// The connection failed: refused, unknown host, no route.
  case cannotConnect
  /// TLS failed: expired certificate, wrong host, unknown authority.
  case untrusted
  /// A setting of the connection is not valid, such as a certificate file that cannot be read.
  case misconfigured
  /// The time limit of the connection, of a pause or of the whole exchange was exceeded.
  case timeout
  /// The connection ended before the response was complete.
  case connectionLost
  /// The response is shorter than announced, or its framing ends early.
  case truncated
  /// The body or the headers exceed the limit.
  case tooLarge
  /// The response is not valid HTTP.
  case malformed
  /// A redirect that must not be followed.
  case badRedirect
  /// The URL came with data, and its server is on this machine or in a private network.
  case forbiddenAddress
  /// The rate budget is exhausted; see `retryAfter`.
  case budgetExhausted
  /// The circuit breaker is open; see `retryAfter`.
  case circuitOpen
  /// A plan does not send such a request.
  case notPlanned
  case cancelled
  /// The recording has no response to this request.
  case recordingMissing = "seedMissing"
  case recordingMalformed = "seedMalformed"
}

public enum StoreCode: String, Sendable, CaseIterable {
  /// Another writer held the lock for too long.
  case busy
  case cannotCreate
  case cannotRead
  case cannotWrite
  case full
  /// A checksum or a format does not match; see `path` and `offset`.
  case damaged
  /// The format of the store is newer than this program supports.
  case newerFormat
  /// An earlier write failed and its outcome is unknown; reopen the store.
  case poisoned
  case invalidRecord
  /// There is no such record, no store in the folder that is to be copied, or no such database on the server.
  case notFound
  /// The location does not support a store, because it is on a network file system or behind a link.
  case unsuitablePlace
  /// The folder at the store's path, or the file in it that commits are written to, is not the one that is open: it was
  /// moved, deleted or replaced. Nothing is written to the old one; open the store again. On a server: the schema was
  /// removed; a call works again once the schema is restored.
  case moved
  /// The server of the store cannot be reached, or ended the connection. Nothing was written.
  case unreachable
  /// The server of the store was lost while it committed, and could not be asked afterwards: the commit was made, or it was
  /// not. Read the records before you repeat it.
  case unknownOutcome
  /// The server of the store refuses the user or the password, or refuses to write.
  case denied
  case invalidAddress
  /// Another process took over the work of this one, which was silent for too long, or an earlier copy of the store was
  /// put back. Nothing was written.
  case leaseLost
  /// The store was compacted, and the state of this snapshot is no longer available; take a new one.
  case snapshotExpired
  /// The state at this commit or time is not kept.
  case notKept
  /// The changes after this cursor are no longer available.
  case cursorExpired
  /// The text is not a cursor, of this store or of another.
  case invalidCursor
  /// The body of a transaction aborted it, or its task was cancelled while it waited for a writer. Nothing was written.
  case aborted
}

public enum ParsingCode: String, Sendable, CaseIterable {
  case syntax
  case truncated
  /// A value is not of the expected kind, or is missing.
  case shape
  /// The text is in another format, such as HTML or XML, or empty.
  case foreign
  /// The text is too large or nested too deeply.
  case limit
}
