import FlamelarkTrace
import Testing

@Suite struct NameTableTests {
  @Test func aTextHasOneName() {
    var names = NameTable()
    let first = names.intern("update")
    #expect(names.intern("draw") != first)
    #expect(names.intern("update") == first)
    #expect(names[first] == "update")
    #expect(names.find("sleep") == nil)
    #expect(names.count == 2)
  }
}
