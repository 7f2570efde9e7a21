import Glibc

/// `parsing-bench FOLDER`: measures our reader, writer, parsers and filters on the data of `make_data.py`, beside
/// Foundation's coders, and prints `work TAB who TAB nanoseconds per record TAB MB/s`, one line each.
@main
enum Main {
  static func main() {
    guard CommandLine.arguments.count >= 2 else {
      print("usage: parsing-bench FOLDER [WORK]")
      exit(64)
    }
    let folder = CommandLine.arguments[1]
    let only = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : nil
    let stopwatch = Stopwatch(only: only)
    let people = Lines(path: "\(folder)/people.jsonl", limit: 50_000)
    PeopleBench(lines: people, stopwatch: stopwatch).run()
    CardBench(lines: people, stopwatch: stopwatch).run()
    FeedBench(lines: Lines(path: "\(folder)/feeds.jsonl"), stopwatch: stopwatch).run()
    if only?.hasPrefix("filter") ?? true {
      FilterBench(lines: Lines(path: "\(folder)/people-1m.jsonl"), stopwatch: stopwatch).run()
    }
  }
}
