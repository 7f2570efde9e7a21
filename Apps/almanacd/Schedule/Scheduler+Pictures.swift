import Models
import Ports

extension Scheduler {
  /// The most bytes of pictures that one request fetches.
  static let mostMediaBytes = 64 << 20

  /// Fetches the pictures that records name, unless that is being done; `false` where another daemon does it.
  @discardableResult
  func fetchMedia(_ media: any MediaService) -> Bool {
    guard !isStopping, !isHeld, isLeader else { return false }
    guard fetching == nil else { return true }
    let services = services
    pictures = PictureFetch(isRunning: true)
    services.onPictures(pictures)
    fetching = Task(executorPreference: WorkThreads.background) {
      await self.fetched(await PictureFetch.made(by: media, services, most: Self.mostMediaBytes))
    }
    return true
  }

  /// Fetches pictures at the next pause, although no record is new.
  func wantMedia() {
    mediaAt = nil
    wake()
  }

  private func fetched(_ result: PictureFetch) {
    fetching = nil
    pictures = result
    services.onPictures(result)
    if result.isInterrupted { mediaAt = nil }
    for line in pictureProblems.news(in: result) { warn(Advice(line)) }
    wake()
  }

  var mediaDue: Int {
    max(
      lastCommit + Self.idleBeforeMedia.quiet, (lastMedia ?? -Self.idleBeforeMedia.pause) + Self.idleBeforeMedia.pause)
  }

  /// Fetches the pictures of new records when their commits pause.
  func fetchMediaIfQuiet(_ now: Int) {
    guard let media = services.media, fetching == nil, seenSequence != mediaAt, mediaDue <= now else { return }
    (mediaAt, lastMedia) = (seenSequence, now)
    fetchMedia(media)
  }
}
