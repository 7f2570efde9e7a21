/// What `almanac demo` replays: HAR 1.2 recordings of every source, all of them invented.
///
/// They are answered like any seed (see `--seed`), so that the demo takes the way of a real run without a network. The
/// App Store's chart is there twice, a day apart: ranks move, four apps enter and four leave. One owner is deleted.
/// The follows that they answer: `app-store/us/top-paid` with limit 100, `flickr/interestingness` with limit 24,
/// `users/ada` and `people`, the last two at `https://api.example.com`.
enum DemoRecordings {
  /// Each source's recording, as the text of a HAR file.
  static let all: [StaticString] = [appStore, flickr, users, people]
}
