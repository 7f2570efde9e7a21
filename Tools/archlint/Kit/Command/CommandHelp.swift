extension CommandLineOptions {
  static let help = """
    Lints the direction of dependencies of a Swift package.

      archlint [lint]               every check that needs no build
      archlint symbols              after a build: concrete types named outside composition roots
      archlint graph                who knows whom: --format mermaid, dot, svg, html; --tests, --packages for more of it
      archlint metrics              fan-in, fan-out, reach, instability of each target: --format text, json
      archlint --explain A B        why the target A may or may not use B (a target or a module)
      archlint --affected REVISION  the targets that the changes since a revision can change: --format text, json
      archlint --watch              lints again whenever something changes
      archlint init                 proposes a rule file for this package
      archlint imports PATH…        the imports of any files and folders
      archlint measure              its own speed on a generated package: --files 5000, --megabytes 70

      --package DIR      the package (the nearest one above the current folder)
      --rules FILE       the rule file (Modules/archlint.rules)
      --format FORMAT    of lint and symbols: text, json, sarif, github
      --output FILE      where the result goes
      --manifest FILE    a dump of the manifest, instead of asking SwiftPM
      --index-store DIR  of symbols (.build/debug/index/store)
      --no-cache         ask SwiftPM about the manifest even if it did not change
      --today DAY        which day it is, for ignores that end (as 2026-12-31)
      --quiet            no summary

    Exit status: 0 clean, 1 violations, 2 bad rules or usage, 3 a failure of archlint's own.

    """
}
