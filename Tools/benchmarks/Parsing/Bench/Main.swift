import CLibrary

/// `parsing-bench FOLDER`: compares our reader, writer, parsers and filters with Foundation's coders on the data of
/// `make_data.py`. Each line is `work TAB library TAB nanoseconds per record TAB MB/s`.
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

/// Measures processor time: one run to warm up, then the median of seven. Processor time depends little on other
/// programs, and all work here runs on one thread.
struct Stopwatch {
  /// Selects only work whose name has this prefix; `nil` for all.
  var only: String?

  func measure(_ work: String, _ who: String, records: Int, bytes: Int, _ body: () -> Int) {
    if let only, !"\(work) \(who)".hasPrefix(only) { return }
    var times: [Double] = []
    var sum = body()
    for _ in 0..<7 {
      let start = now()
      sum &+= body()
      times.append(now() - start)
    }
    let median = times.sorted()[3]
    let each = Int(median / Double(records) * 1e12 + 0.5)
    let speed = Int(Double(bytes) / median / 1e6 + 0.5)
    print("\(work)\t\(who)\t\(each / 1000).\(String(each % 1000 + 1000).dropFirst())\t\(speed)\t\(sum & 1)")
    fflush(nil)
  }

  private func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
