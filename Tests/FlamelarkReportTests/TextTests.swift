import Testing

@testable import FlamelarkReport

@Suite struct TextTests {
  @Test func namesCannotCommandATerminal() {
    #expect(PrintableText("draw").text == "draw")
    #expect(
      PrintableText("\u{1B}[31mred\u{7}\n\t\u{9B}").text == #"\u{1b}[31mred\u{7}\u{a}\u{9}\u{9b}"#)
    #expect(PrintableText("a\u{202E}b\u{2028}\u{FEFF}").text == #"a\u{202e}b\u{2028}\u{feff}"#)
    #expect(PrintableText("größe 描画 👩‍💻").text == "größe 描画 👩‍💻")
  }

  @Test func columnsAreCountedAsATerminalDoes() {
    #expect(columns(of: "draw") == 4)
    #expect(columns(of: "größe") == 5)
    #expect(columns(of: "gro\u{308}ße") == 5)
    #expect(columns(of: "描画") == 4)
    #expect(columns(of: "👩‍💻") == 2)
    #expect(columns(of: "→ ·") == 3)
  }

  @Test func aTextLosesItsMiddle() {
    #expect(shortened("draw", to: 4) == "draw")
    #expect(shortened("abcdefghi", to: 5) == "ab…hi")
    #expect(shortened("描画描画", to: 5) == "描…画")
    #expect(shortened("draw", to: 1) == "…")
    #expect(shortened("draw", to: 0) == "")
  }

  @Test func aPathLosesItsBeginning() {
    let path = SpanPath(["frame", "layout", "measure"])
    #expect(path.text(columns: 40) == "frame > layout > measure")
    #expect(path.text(columns: 23) == "… > layout > measure")
    #expect(path.text(columns: 12) == "… > measure")
    #expect(path.text(columns: 6) == "mea…re")
    #expect(SpanPath([""]).text == "(unnamed)")
    let function = "void __cdecl Game::Scene<class A,int>::Draw(class Pass &,int)"
    #expect(
      SpanPath(["loop", function]).text(columns: 40) == "loop > Game::Scene<class A,int>::Draw")
    #expect(SpanPath(["loop", function]).leaf(columns: 31) == "Game::Scene<class A,int>::Draw")
    #expect(SpanPath(["loop", function]).text(columns: 26) == "…Scene<class A,int>::Draw")
    #expect(SpanPath(["loop", function]).text(columns: 10) == "…Draw")
    #expect(SpanPath(["draw all(of:in:)"]).text(columns: 12) == "draw all")
    #expect(SpanPath(["load (slow) file"]).text(columns: 12) == "load (… file")
  }

  @Test(arguments: [16, 20, 32])
  func pathsThatLookTheSameAreToldApart(_ limit: Int) {
    let paths = [
      SpanPath(["loop", "load", "decode", "parse"]), SpanPath(["loop", "save", "decode", "parse"]),
      SpanPath(["decode", "parse"]), SpanPath(["loop", "Engine::Scene::MainWindow::update"]),
      SpanPath(["loop", "Engine::Scene::MainLayers::update"]),
      SpanPath(["loop", "void Engine::draw(int)"]), SpanPath(["loop", "void Engine::draw(char)"]),
      SpanPath(["a long name of a root", "end"], lead: "worker of the first sort: "),
      SpanPath(["a long name of a root", "end"], lead: "worker of another sort: "),
    ]
    let texts = SpanPath.apart(paths, columns: limit)
    #expect(Set(texts).count == paths.count, "\(texts)")
    #expect(texts.allSatisfy { columns(of: $0) <= limit }, "\(texts)")
    if limit == 20 {
      #expect(texts.prefix(2) == ["… > load > … > parse", "… > save > … > parse"])
    }
    if limit == 16 { #expect(texts[3...4] == ["…nWindow::update", "…nLayers::update"]) }
    // What differs in nothing that is shown has a number.
    let same = [SpanPath(["loop", "draw"]), SpanPath(["loop", "draw"]), SpanPath(["loop"])]
    #expect(SpanPath.apart(same, columns: 9) == ["… >…aw #1", "… >…aw #2", "loop"])
  }

  @Test func aTableIsRuledAndGivesWayInItsLastColumn() {
    var table = Table([.number("ms"), .words("cause")])
    table.append([.text("1.5"), .path(SpanPath(["a long root", "child"]))])
    table.append([.text("12.5"), .text("x")])
    table.appendRule(columns: 1)
    table.append([.text("14.0")])
    #expect(
      table.lines(width: 100) == [
        "   ms  cause",
        " ----  -------------------",
        "  1.5  a long root > child",
        " 12.5  x",
        " ----",
        " 14.0",
      ])
    #expect(table.lines(width: 20)[2] == "  1.5  … > child")
  }

  @Test func phrasesAreBrokenBetweenEachOther() {
    #expect(lines(of: ["aa", "bb", "cc"], width: 9, first: "> ") == ["> aa · bb", "  cc"])
    #expect(lines(of: [], width: 9) == [])
    #expect(
      wrapped("aa bb ccccccccc", width: 8, first: "- ", next: "  ") == ["- aa bb", "  ccc…cc"])
  }
}
