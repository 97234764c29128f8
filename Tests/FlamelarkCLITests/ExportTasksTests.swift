import Foundation
import Testing

/// What of tasks and hitches `flamelark export` writes.
@Suite struct ExportTasksTests {
  /// A thread with frames, two of which take long, and a task.
  private func file() -> Data {
    var events = [
      #"{"ph":"b","cat":"task","name":"load","id":"0x9","pid":1,"tid":1,"ts":5}"#,
      #"{"ph":"e","cat":"task","name":"load","id":"0x9","pid":1,"tid":1,"ts":90}"#,
    ]
    for frame in 0..<30 {
      let begin = frame * 20_000
      let length = frame % 20 == 7 ? 19_900 : 9_000
      events.append(
        #"{"ph":"X","name":"frame","ts":\#(begin),"dur":\#(length),"pid":1,"tid":1}"#)
    }
    return Data("[\(events.joined(separator: ","))]".utf8)
  }

  @Test(arguments: [
    ([], true), (["--without", "hitches"], true), (["--without", "tasks"], false),
    (["--without=both"], false),
  ])
  func whatIsAskedForIsLeftOut(options: [String], hasTasks: Bool) throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appending(path: "in.json")
    try file().write(to: place)
    let result = try Command(
      arguments: ["export", "--as", "trace-event"] + options + [place.path])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains(#""cat":"task""#) == hasTasks)
    let evented = try Command(
      arguments: ["export", "--as", "speedscope"] + options + [place.path])
    #expect(evented.output.contains("tasks, row 1") == hasTasks)
  }

  @Test func anUnknownWordIsRefused() throws {
    let result = try Command("export", "--as", "speedscope", "--without", "task", "a.lark")
    #expect(result.status == 2)
    #expect(result.errors.contains("did you mean tasks?"))
  }
}
