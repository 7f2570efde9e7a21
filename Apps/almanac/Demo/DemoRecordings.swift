import Models
import Ports

/// What `almanac demo` replays: every source, all of it invented.
///
/// It is answered like any seed (see `--seed`), so that the demo takes the way of a real run without a network. The App
/// Store's chart is there twice, a day apart: ranks move, four apps enter and four leave. One owner is deleted. The
/// follows that it answers: `app-store/us/top-paid` with limit 100, `flickr/interestingness` with limit 24, `users/ada`
/// and `people`, the last two at `https://api.example.com`.
enum DemoRecordings {
  /// All answers, as a HAR 1.2 file.
  static func har(_ coder: any RecordCoder) -> [UInt8] {
    let entries = (appStore + flickr + people).map { $0.entry(coder) }
    return coder.encode(
      [
        "log": [
          "version": "1.2", "creator": ["name": "almanac", "version": .string(AlmanacVersion.current)],
          "entries": .array(entries),
        ]
      ] as JSONObject)
  }
}
