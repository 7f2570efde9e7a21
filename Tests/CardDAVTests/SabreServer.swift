import Foundation

/// sabre/dav, the library of Nextcloud and Baïkal, in PHP's own server with an SQLite file.
///
/// Debian's packages php-sabre-dav, php-cli, php-xml, php-mbstring and php-sqlite3 are used if they are installed, or in the
/// folder that `ALMANAC_SABRE` names, into which `dpkg -x FILE FOLDER` unpacked them (Tools/benchmarks/WholeJob).
struct SabreServer {
  let program: String
  private let library: String
  /// The folder of PHP's modules, where they are not those of the system.
  private let modules: String?

  static let installed: SabreServer? = {
    let root = ProcessInfo.processInfo.environment["ALMANAC_SABRE"] ?? ""
    let files = FileManager.default
    let modules = root + "/usr/lib/php"
    let versions = (try? files.contentsOfDirectory(atPath: modules)) ?? []
    let php = ["php", "php8.2", "php8.4"].map { "\(root)/usr/bin/\($0)" }.first(where: files.isExecutableFile)
    let library = root + "/usr/share/php"
    guard let php, files.fileExists(atPath: library + "/Sabre/CardDAV/Plugin.php") else { return nil }
    let module = versions.first { $0.allSatisfy(\.isNumber) }
    return SabreServer(program: php, library: library, modules: root.isEmpty ? nil : module.map { "\(modules)/\($0)" })
  }()

  private func options(in folder: String) -> [String] {
    modules == nil ? ["-d", "memory_limit=1G"] : ["-n", "-c", folder + "/php.ini"]
  }

  /// Writes the files of a server with one empty book of `ann`.
  ///
  /// - Returns: the arguments of PHP.
  func prepare(in folder: String, port: UInt16) throws -> [String] {
    if let modules {
      let names = "mbstring pdo pdo_sqlite xml dom xmlreader xmlwriter ctype iconv tokenizer".split(separator: " ")
      let settings = "extension_dir=\(modules)\nmemory_limit=1G\n" + names.map { "extension=\($0)\n" }.joined()
      try Data(settings.utf8).write(to: URL(filePath: folder + "/php.ini"))
    }
    try Data(server(folder).utf8).write(to: URL(filePath: folder + "/server.php"))
    try run(Self.tables, in: folder)
    return options(in: folder) + ["-S", "127.0.0.1:\(port)", folder + "/server.php"]
  }

  func fill(_ folder: String, _ cards: [(name: String, card: String)]) throws {
    let list = cards.map { ["name": $0.name, "card": $0.card] }
    try JSONSerialization.data(withJSONObject: list).write(to: URL(filePath: folder + "/cards.json"))
    try run(
      """
      $add = $pdo->prepare('insert into cards(addressbookid, carddata, uri, lastmodified) values(1, ?, ?, 1)');
      $pdo->beginTransaction();
      foreach (json_decode(file_get_contents('cards.json'), true) as $one) { $add->execute([$one['card'], $one['name']]); }
      $pdo->exec('update addressbooks set ctag = ctag + 1');
      $pdo->commit();
      """, in: folder)
  }

  /// Runs statements that use the database `$pdo`.
  private func run(_ statements: String, in folder: String) throws {
    let file = folder + "/run.php"
    try Data("<?php\n\(Self.database(folder))\n\(statements)\n".utf8).write(to: URL(filePath: file))
    let php = Process()
    php.executableURL = URL(filePath: program)
    php.currentDirectoryURL = URL(filePath: folder)
    php.arguments = options(in: folder) + [file]
    try php.run()
    php.waitUntilExit()
    guard php.terminationStatus == 0 else { throw Failed(status: php.terminationStatus) }
  }

  struct Failed: Error { var status: Int32 }

  private static func database(_ folder: String) -> String {
    """
    $pdo = new PDO('sqlite:\(folder)/dav.db');
    $pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
    """
  }

  private static let tables = """
    $pdo->exec('create table principals (id integer primary key, uri text unique, email text, displayname text,
      vcardurl text)');
    $pdo->exec('create table groupmembers (id integer primary key, principal_id integer, member_id integer)');
    $pdo->exec('create table addressbooks (id integer primary key, principaluri text, displayname text, uri text,
      description text, ctag integer)');
    $pdo->exec('create table cards (id integer primary key, addressbookid integer, carddata blob, uri text,
      lastmodified integer)');
    $pdo->exec("insert into principals(uri, displayname) values('principals/ann', 'Ann')");
    $pdo->exec("insert into addressbooks(principaluri, displayname, uri, ctag) values('principals/ann', 'Book', 'book', 1)");
    """

  private func server(_ folder: String) -> String {
    #"""
    <?php
    date_default_timezone_set('UTC');
    error_reporting(E_ERROR);
    set_include_path('\#(library)');
    require 'Sabre/autoload.php';
    \#(Self.database(folder))
    $principals = new Sabre\DAVACL\PrincipalBackend\PDO($pdo);
    class Users extends Sabre\DAV\Auth\Backend\AbstractBasic {
      protected function validateUserPass($user, $password) { return $user === 'ann' && $password === 'secret'; }
    }
    $server = new Sabre\DAV\Server([
      new Sabre\DAVACL\PrincipalCollection($principals),
      new Sabre\CardDAV\AddressBookRoot($principals, new Sabre\CardDAV\Backend\PDO($pdo)),
    ]);
    $server->setBaseUri('/');
    $server->addPlugin(new Sabre\DAV\Auth\Plugin(new Users(), 'test'));
    $server->addPlugin(new Sabre\DAVACL\Plugin());
    $server->addPlugin(new Sabre\CardDAV\Plugin());
    $server->exec();
    """#
  }
}
