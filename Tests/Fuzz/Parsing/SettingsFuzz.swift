import Models
import Parsing
import Ports

/// The config file: a file that is read can be edited, and the edit undone; one that is not has mistakes with places.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let format = JSONSettingsFormat()
  do {
    let settings = try format.read(bytes)
    let follow = Follow(path: "x/y/z", limit: 2)
    let more = try format.adding(follow, to: bytes)
    let read = try format.read(more)
    precondition(read.follows.contains(follow), "the follow was not written")
    guard !settings.follows.contains(where: { $0.path == follow.path }) else { return 0 }
    precondition(read.servers == settings.servers, "another part of the file changed")
    guard let less = try format.removing(path: follow.path, from: more) else {
      preconditionFailure("the follow is not found")
    }
    let again = try format.read(less)
    precondition(again == settings, "the file came back as another one")
  } catch {
    let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
    precondition(!error.problems.isEmpty, "no problem named")
    for problem in error.problems {
      precondition((1...lines).contains(problem.line) && problem.column >= 1 && !problem.message.isEmpty)
    }
  }
  return 0
}
