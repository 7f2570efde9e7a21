// swift-tools-version: 6.2
import PackageDescription

// The house, bottom up: a line uses only names above it. Who may use whom is checked by archlint
// (Modules/archlint.rules); who may use which package is said in Apps/README.md.

let modules: [Target] = [
  .module("CLibrary"),
  .module("Models", ["CLibrary"]),
  .module("Ports", ["Models"]),
  .module("Networking", ["CLibrary", "Models", "Ports"], exclude: ["URLSession"]),
  .module("Parsing", ["CLibrary", "Models", "Ports"]),
  .module("Persistence", ["CLibrary", "Models", "Ports"]),
  .feature("AppStore"),
  .feature("Flickr"),
  .feature("Users"),
  .feature("People"),
  .feature("CardDAV"),
  .feature("Declared"),
  .feature("Library", ["CLibrary"]),
  .feature("Notifications"),
  .feature("Sync", ["CLibrary"]),
  .plug(
    "AsyncHTTPTransport", ["CLibrary"],
    wraps: [
      // The types of these packages are part of AsyncHTTPClient's own API.
      .outside("AsyncHTTPClient", of: "async-http-client"),
      .outside("NIOCore", of: "swift-nio"),
      .outside("NIOHTTP1", of: "swift-nio"),
      .outside("NIOPosix", of: "swift-nio"),
      .outside("NIOHTTPCompression", of: "swift-nio-extras"),
      .outside("NIOSSL", of: "swift-nio-ssl"),
    ]),
  // It loads libpq when it is used, so it needs neither a package nor a header.
  .plug("PostgreSQLStore", ["CLibrary"]),
  // YAML 1.1; the events of libyaml, which Yams has, are enough.
  .plug("YAMLDocuments", wraps: [.outside("Yams", of: "Yams")]),
]

let rooms: [Target.Dependency] = modules.map { .target(name: $0.name) }

// In the room Networking, and a target of its own: whoever links it links FoundationNetworking, curl and 25 libraries
// more, which doubles the start of a program and cannot be linked statically everywhere.
let session = Target.target(
  name: "URLSessionTransport", dependencies: ["Models", "Networking", "Ports"], path: "Modules/Networking/URLSession")

// What both programs put together alike; their composition roots alone know it.
let assembly = Target.target(
  name: "Assembly", dependencies: rooms, path: "Apps/Assembly", resources: [.embedInCode("Gallery")])

// What the commands, the API and assistants ask of a store in the same way.
let frontend = Target.target(name: "Frontend", dependencies: ["CLibrary", "Models", "Ports"], path: "Apps/Frontend")

let apps: [Target] = [
  .app(
    "almanac",
    [
      "Assembly", "AsyncHTTPTransport", "CLibrary", "Frontend", "Models", "Networking", "Persistence", "Ports",
      .argumentParser,
    ]),
  .app(
    "almanacd",
    [
      "Assembly", "AsyncHTTPTransport", "CLibrary", "Frontend", "Models", "Networking", "Persistence", "Ports",
      .argumentParser, .hummingbird, .hummingbirdCore, .logging, .metrics, .lifecycle, .signals, .nio, .nioHTTP,
      .nioPosix, .nioTypes,
    ],
    exclude: ["deploy"]),
]

let tools: [Target] = [
  .library("ArchlintKit", at: "Tools/archlint/Kit"),
  .tool("archlint", ["ArchlintKit"]),
  .library("UpstreamKit", ["CLibrary"], at: "Tools/upstream/Kit"),
  .tool("upstream", ["CLibrary", "UpstreamKit"]),
  .bench("parsing-bench", ["CLibrary", "Models", "Parsing", "Ports"], at: "Tools/benchmarks/Parsing/Bench"),
  .bench(
    "store-bench", ["CLibrary", "Models", "Networking", "Persistence", "Ports", "PostgreSQLStore"],
    at: "Tools/benchmarks/Store",
    exclude: ["README.md", "history_peers.py", "sqlite_peer.py"]),
  .library("HTTPBenchKit", ["CLibrary"], at: "Tools/benchmarks/HTTP/Kit"),
  .bench(
    "http-bench",
    [
      "AsyncHTTPTransport", "HTTPBenchKit", "Networking", "Ports", "UpstreamKit",
      // The peer: AsyncHTTPClient without us.
      .outside("AsyncHTTPClient", of: "async-http-client"),
      .outside("NIOCore", of: "swift-nio"),
      .outside("NIOHTTP1", of: "swift-nio"),
    ],
    at: "Tools/benchmarks/HTTP/Bench"),
  .bench("hello-bench", ["CLibrary", .hummingbird], at: "Tools/benchmarks/Daemon/Hello"),
]

// The one program that links FoundationNetworking. Swift's static libraries come without the libcurl that it needs, so
// it is part of the package only where somebody asks for it.
let sessionTools: [Target] =
  Context.environment["ALMANAC_URLSESSION_BENCH"] == nil
  ? []
  : [
    .bench(
      "urlsession-bench", ["HTTPBenchKit", "Ports", "URLSessionTransport"], at: "Tools/benchmarks/HTTP/Session")
  ]

let tests: [Target] = [
  .library("AlmanacTesting", ["CLibrary", "Models", "Ports", "UpstreamKit"], at: "Tests/AlmanacTesting"),
  .bench("storeworker", ["CLibrary", "Models", "Persistence", "Ports"], at: "Tests/StoreWorker"),
  .tests("Models"),
  .tests("Networking", ["Networking", "Parsing", "URLSessionTransport"]),
  .tests("AsyncHTTPTransport", ["AsyncHTTPTransport", "Networking", "Parsing", "URLSessionTransport"]),
  .tests(
    "Parsing", ["Parsing"],
    exclude: ["Calendar/check_ics.py", "Contacts/README.md", "Contacts/compare_vobject.py"]),
  .tests(
    "Persistence", ["Persistence", "storeworker"],
    exclude: ["README.md", "kill_sweep.py", "many_writers.py", "mutants.py", "other_readers.py", "power_cut.py"]),
  .tests(
    "PostgreSQLStore", ["Networking", "Parsing", "Persistence", "PostgreSQLStore"], exclude: ["README.md"]),
  .tests("YAMLDocuments", ["Parsing", "YAMLDocuments"]),
  .tests("AppStore", ["AppStore", "Declared", "Parsing"]),
  .tests("Flickr", ["Flickr", "Parsing", "Sync"]),
  .tests("Users", ["Parsing", "Sync", "Users"]),
  .tests("People", ["Parsing", "People", "Sync"]),
  .tests(
    "CardDAV", ["AsyncHTTPTransport", "CardDAV", "Library", "Networking", "Parsing", "People", "Sync"],
    exclude: ["README.md", "both_sides.py", "three_programs.py"]),
  .tests("Declared", ["Declared", "Library", "Parsing", "Persistence", "Sync"]),
  .tests("Gallery", ["Assembly", "Declared", "Parsing", "Sync"], exclude: ["Samples"]),
  .tests("Library", ["Library", "Parsing"]),
  .tests("Notifications", ["Notifications", "Parsing"]),
  .tests("Sync", ["Parsing", "Persistence", "Sync"]),
  .tests("Assembly", ["AppStore", "Library", "Networking", "Parsing", "Sync", "URLSessionTransport"]),
  .tests(
    "Almanac", ["Assembly", "Frontend", "Networking", "Parsing", "Persistence", "almanac"], packages: [.argumentParser],
    exclude: [
      "kill_at.c", "singer_server.py", "singer_taps.sh", "singer_targets.py", "singer_targets.sh",
    ]),
  .tests(
    "Almanacd", ["Assembly", "Frontend", "Networking", "Parsing", "Persistence", "almanac", "almanacd"],
    packages: [.logging, .hummingbirdCore, .nio, .nioPosix],
    exclude: [
      "README.md", "alerts.py", "browser.py", "buttons.py", "clients.py", "firefox.py", "page.py", "proxies.py",
      "rebinding.py",
      "schemathesis.sh", "silence.py", "stage.py", "thread_sanitizer.sh",
    ]),
  .tests("Archlint", ["ArchlintKit"]),
  .tests("Examples"),
  .tests("Upstream", ["upstream"]),
]

// A change is tried sooner with the tests that it concerns alone: ALMANAC_TESTS=Persistence,Sync.
let chosen = Context.environment["ALMANAC_TESTS"]?.split(separator: ",").map { "\($0)Tests" }
let chosenTests = tests.filter { $0.type != .test || chosen?.contains($0.name) ?? true }

let package = Package(
  name: "almanac",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: (modules + [session]).map { .library(name: $0.name, targets: [$0.name]) }
    + [.library(name: "AlmanacTesting", targets: ["AlmanacTesting"])]
    + (apps + tools.filter { $0.type == .executable && !$0.name.hasSuffix("-bench") }).map {
      .executable(name: $0.name, targets: [$0.name])
    },
  traits: [
    .default(enabledTraits: ["Apps"]),
    .trait(
      name: "Apps",
      description: "The programs, and AsyncHTTPTransport: everything that needs another package."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
    // Without its traits: FullFoundation brings 40 MB of ICU's data into a static program.
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1", traits: []),
    .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
  ],
  targets: modules + [session, assembly, frontend] + apps + tools + sessionTools + chosenTests
)

for target in package.targets {
  target.swiftSettings = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
  ]
}

extension Target {
  static func module(_ name: String, _ uses: [Dependency] = [], exclude: [String] = []) -> Target {
    .target(name: name, dependencies: uses, path: "Modules/\(name)", exclude: exclude)
  }

  static func feature(_ name: String, _ uses: [Dependency] = []) -> Target {
    .target(name: name, dependencies: ["Models", "Ports"] + uses, path: "Modules/Features/\(name)")
  }

  static func plug(_ name: String, _ uses: [Dependency] = [], wraps package: [Dependency] = []) -> Target {
    .target(name: name, dependencies: ["Models", "Ports"] + uses + package, path: "Modules/Plugs/\(name)")
  }

  static func app(_ name: String, _ uses: [Dependency], exclude: [String] = []) -> Target {
    .executableTarget(name: name, dependencies: uses, path: "Apps/\(name)", exclude: exclude)
  }

  static func library(_ name: String, _ uses: [Dependency] = [], at path: String) -> Target {
    .target(name: name, dependencies: uses, path: path)
  }

  static func tool(_ name: String, _ uses: [Dependency]) -> Target {
    .executableTarget(name: name, dependencies: uses, path: "Tools/\(name)/Main")
  }

  static func bench(
    _ name: String, _ uses: [Dependency], at path: String, exclude: [String] = []
  ) -> Target {
    .executableTarget(name: name, dependencies: uses, path: path, exclude: exclude)
  }

  static func tests(
    _ name: String, _ uses: [String] = [], packages: [Dependency] = [], exclude: [String] = []
  ) -> Target {
    .testTarget(
      name: "\(name)Tests",
      dependencies: (["CLibrary", "Models", "Ports", "AlmanacTesting", "UpstreamKit"] + uses).map { .target(name: $0) }
        + packages,
      path: "Tests/\(name)Tests", exclude: exclude)
  }
}

extension Target.Dependency {
  /// A product of another package. It is used only where the trait `Apps` is on, so that a package that uses modules
  /// alone fetches nothing.
  static func outside(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Apps"]))
  }

  static let argumentParser = outside("ArgumentParser", of: "swift-argument-parser")
  static let hummingbird = outside("Hummingbird", of: "hummingbird")
  static let hummingbirdCore = outside("HummingbirdCore", of: "hummingbird")
  static let lifecycle = outside("ServiceLifecycle", of: "swift-service-lifecycle")
  static let logging = outside("Logging", of: "swift-log")
  static let signals = outside("UnixSignals", of: "swift-service-lifecycle")
  static let metrics = outside("Metrics", of: "swift-metrics")
  // The handlers of a connection are written against these; Hummingbird brings them in.
  static let nio = outside("NIOCore", of: "swift-nio")
  static let nioPosix = outside("NIOPosix", of: "swift-nio")
  static let nioHTTP = outside("NIOHTTP1", of: "swift-nio")
  static let nioTypes = outside("NIOHTTPTypesHTTP1", of: "swift-nio-extras")
}
