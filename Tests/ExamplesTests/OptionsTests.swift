import Testing

@testable import Feed

@Suite struct OptionsTests {
  @Test func allMistakesAreInUnlessMended() throws {
    #expect(
      try Options(parsing: []).slow
        == [.text, .constraints, .images, .transparency, .header, .tags])
    #expect(
      try Options(parsing: ["--fix", "text,images,tags"]).slow
        == [.constraints, .transparency, .header])
    #expect(try Options(parsing: ["--fix", "all"]).slow == [])
    #expect(try Options(parsing: ["--only", "images"]).slow == [.images])
    #expect(try Options(parsing: ["--only", "header,tags"]).slow == [.header, .tags])
    #expect(try Options(parsing: ["--only", "text", "--fix", "text"]).slow == [])
  }

  @Test func theRestIsTaken() throws {
    let options = try Options(parsing: ["--seed", "9", "--seconds", "2.5", "-o", "x.lark"])
    #expect(options.seed == 9)
    #expect(options.seconds == 2.5)
    #expect(options.output == "x.lark")
  }

  @Test func sizesThatWereMeasuredAreTakenAgain() throws {
    var work = Workload()
    work.longWords = 77
    work.tagSamples = 5
    #expect(try Options(parsing: ["--sizes", work.sizes]).work == work)
    #expect(try Options(parsing: ["--measure"]).measures)
    #expect(try Options(parsing: []).work == nil)
  }

  @Test(arguments: [
    (["--sizes", "1,2"], "--sizes takes what --measure prints, not '1,2'"),
    (["--sizes", "9,9,9,9,9,9,0"], "--sizes takes what --measure prints, not '9,9,9,9,9,9,0'"),
    (["--fast"], "there is no option '--fast'"),
    (["--fix"], "--fix needs a value"),
    (
      ["--fix", "fonts"],
      "there is no slowness 'fonts'; there are text, constraints, images, transparency, header, tags"
    ),
    (
      ["--only", "text,all"],
      "there is no slowness 'all'; there are text, constraints, images, transparency, header, tags"
    ),
    (["--seed", "-1"], "--seed takes a whole number, not '-1'"),
    (["--seconds", "0"], "--seconds takes a number from 0 to 3600, not '0'"),
    (["--seconds", "nan"], "--seconds takes a number from 0 to 3600, not 'nan'"),
  ])
  func aMistakeIsSaidInOneSentence(arguments: [String], sentence: String) {
    let error = #expect(throws: Options.UsageError.self) { try Options(parsing: arguments) }
    #expect(error?.message == sentence)
  }
}
