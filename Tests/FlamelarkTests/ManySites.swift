import Flamelark

/// Spans at 200 call sites: more than there are sums.
func callManySites() {
  withSpan("site 0") {}; withSpan("site 1") {}; withSpan("site 2") {}; withSpan("site 3") {}
  withSpan("site 4") {}; withSpan("site 5") {}; withSpan("site 6") {}; withSpan("site 7") {}
  withSpan("site 8") {}; withSpan("site 9") {}; withSpan("site 10") {}; withSpan("site 11") {}
  withSpan("site 12") {}; withSpan("site 13") {}; withSpan("site 14") {}; withSpan("site 15") {}
  withSpan("site 16") {}; withSpan("site 17") {}; withSpan("site 18") {}; withSpan("site 19") {}
  withSpan("site 20") {}; withSpan("site 21") {}; withSpan("site 22") {}; withSpan("site 23") {}
  withSpan("site 24") {}; withSpan("site 25") {}; withSpan("site 26") {}; withSpan("site 27") {}
  withSpan("site 28") {}; withSpan("site 29") {}; withSpan("site 30") {}; withSpan("site 31") {}
  withSpan("site 32") {}; withSpan("site 33") {}; withSpan("site 34") {}; withSpan("site 35") {}
  withSpan("site 36") {}; withSpan("site 37") {}; withSpan("site 38") {}; withSpan("site 39") {}
  withSpan("site 40") {}; withSpan("site 41") {}; withSpan("site 42") {}; withSpan("site 43") {}
  withSpan("site 44") {}; withSpan("site 45") {}; withSpan("site 46") {}; withSpan("site 47") {}
  withSpan("site 48") {}; withSpan("site 49") {}; withSpan("site 50") {}; withSpan("site 51") {}
  withSpan("site 52") {}; withSpan("site 53") {}; withSpan("site 54") {}; withSpan("site 55") {}
  withSpan("site 56") {}; withSpan("site 57") {}; withSpan("site 58") {}; withSpan("site 59") {}
  withSpan("site 60") {}; withSpan("site 61") {}; withSpan("site 62") {}; withSpan("site 63") {}
  withSpan("site 64") {}; withSpan("site 65") {}; withSpan("site 66") {}; withSpan("site 67") {}
  withSpan("site 68") {}; withSpan("site 69") {}; withSpan("site 70") {}; withSpan("site 71") {}
  withSpan("site 72") {}; withSpan("site 73") {}; withSpan("site 74") {}; withSpan("site 75") {}
  withSpan("site 76") {}; withSpan("site 77") {}; withSpan("site 78") {}; withSpan("site 79") {}
  withSpan("site 80") {}; withSpan("site 81") {}; withSpan("site 82") {}; withSpan("site 83") {}
  withSpan("site 84") {}; withSpan("site 85") {}; withSpan("site 86") {}; withSpan("site 87") {}
  withSpan("site 88") {}; withSpan("site 89") {}; withSpan("site 90") {}; withSpan("site 91") {}
  withSpan("site 92") {}; withSpan("site 93") {}; withSpan("site 94") {}; withSpan("site 95") {}
  withSpan("site 96") {}; withSpan("site 97") {}; withSpan("site 98") {}; withSpan("site 99") {}
  withSpan("site 100") {}; withSpan("site 101") {}; withSpan("site 102") {}; withSpan("site 103") {}
  withSpan("site 104") {}; withSpan("site 105") {}; withSpan("site 106") {}; withSpan("site 107") {}
  withSpan("site 108") {}; withSpan("site 109") {}; withSpan("site 110") {}; withSpan("site 111") {}
  withSpan("site 112") {}; withSpan("site 113") {}; withSpan("site 114") {}; withSpan("site 115") {}
  withSpan("site 116") {}; withSpan("site 117") {}; withSpan("site 118") {}; withSpan("site 119") {}
  withSpan("site 120") {}; withSpan("site 121") {}; withSpan("site 122") {}; withSpan("site 123") {}
  withSpan("site 124") {}; withSpan("site 125") {}; withSpan("site 126") {}; withSpan("site 127") {}
  withSpan("site 128") {}; withSpan("site 129") {}; withSpan("site 130") {}; withSpan("site 131") {}
  withSpan("site 132") {}; withSpan("site 133") {}; withSpan("site 134") {}; withSpan("site 135") {}
  withSpan("site 136") {}; withSpan("site 137") {}; withSpan("site 138") {}; withSpan("site 139") {}
  withSpan("site 140") {}; withSpan("site 141") {}; withSpan("site 142") {}; withSpan("site 143") {}
  withSpan("site 144") {}; withSpan("site 145") {}; withSpan("site 146") {}; withSpan("site 147") {}
  withSpan("site 148") {}; withSpan("site 149") {}; withSpan("site 150") {}; withSpan("site 151") {}
  withSpan("site 152") {}; withSpan("site 153") {}; withSpan("site 154") {}; withSpan("site 155") {}
  withSpan("site 156") {}; withSpan("site 157") {}; withSpan("site 158") {}; withSpan("site 159") {}
  withSpan("site 160") {}; withSpan("site 161") {}; withSpan("site 162") {}; withSpan("site 163") {}
  withSpan("site 164") {}; withSpan("site 165") {}; withSpan("site 166") {}; withSpan("site 167") {}
  withSpan("site 168") {}; withSpan("site 169") {}; withSpan("site 170") {}; withSpan("site 171") {}
  withSpan("site 172") {}; withSpan("site 173") {}; withSpan("site 174") {}; withSpan("site 175") {}
  withSpan("site 176") {}; withSpan("site 177") {}; withSpan("site 178") {}; withSpan("site 179") {}
  withSpan("site 180") {}; withSpan("site 181") {}; withSpan("site 182") {}; withSpan("site 183") {}
  withSpan("site 184") {}; withSpan("site 185") {}; withSpan("site 186") {}; withSpan("site 187") {}
  withSpan("site 188") {}; withSpan("site 189") {}; withSpan("site 190") {}; withSpan("site 191") {}
  withSpan("site 192") {}; withSpan("site 193") {}; withSpan("site 194") {}; withSpan("site 195") {}
  withSpan("site 196") {}; withSpan("site 197") {}; withSpan("site 198") {}; withSpan("site 199") {}
}
