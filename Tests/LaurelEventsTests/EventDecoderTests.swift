import LaurelEvents
import Testing

/// 2026-02-05T18:00:00Z
let testClock: Int64 = 1_770_314_400_000

func decode(_ line: String, clock: Int64 = testClock) -> (table: EventTable, refusal: Refusal?) {
    decode(Array(line.utf8), clock: clock)
}

func decode(_ line: [UInt8], clock: Int64 = testClock) -> (table: EventTable, refusal: Refusal?) {
    var decoder = EventDecoder()
    var table = EventTable()
    // An exact allocation, so that reading beyond the end would be noticed.
    let result = line.withUnsafeBufferPointer { decoder.decode(line: $0, into: &table, clock: clock) }
    if case .refused(let refusal) = result { return (table, refusal) }
    return (table, nil)
}

func encoded(_ table: EventTable, _ row: Int = 0) -> String {
    var output: [UInt8] = []
    table.encode(row, into: &output)
    return String(decoding: output, as: UTF8.self)
}

@Suite struct EventDecoderTests {
    @Test func smoke() {
        let line =
            #"{"id":"e-1","source":"app","type":"line.spoken","subject":"ana","time":"2026-02-05T18:00:00.5+01:00","specversion":"1.0","language":"es","session":"s1","timezone":"Europe/Madrid","data":{"line":"l1","accuracy":0.92,"errors":1.0,"x":[1, {"a" : "b\u00e9"}],"n":null,"big":123456789012345678901234567890},"foo":null,"bar":{"k":[1 ,2]}}"#
        let (table, refusal) = decode(line)
        #expect(refusal == nil)
        print(encoded(table))
        for bad in [
            "", "{", #"{"a":1,"a":2}"#, "[1]", #"{"id":"a","source":"s","subject":"l","type":"review.graded","time":"2026-02-05T18:00:00Z","data":{"grade":"gud","word":"x"}}"#,
            #"{"id":"a","source":"s","subject":"l","type":"review.graded","time":"2026-02-05T18:00:00Z","timezone":"Europe/Berln"}"#,
            #"{"id":"a","source":"s","x":"\ud800"}"#, #"{"id":"a","source":"s","x":"abc"#, String(repeating: "[", count: 100_000),
            #"{"a":"# + String(repeating: "[", count: 100_000), "{\"a\":\"b\u{1}\"}", #"{"a":01}"#, #"{"a":tru}"#, #"{"a":1 2}"#, #"{"a":1}x"#,
        ] {
            print(decode(bad).refusal?.message ?? "OK?!")
        }
        #expect(TimeZoneDatabase.shared.zone(named: "Africa/Cairo")!.offsetSeconds(at: 1_700_000_000_000) == 7200)
        #expect(TimeZoneDatabase.shared.zone(named: "Europe/Dublin")!.offsetSeconds(at: 16_725_225_600_000 + 180 * 86_400_000) == 3600)
    }
}
