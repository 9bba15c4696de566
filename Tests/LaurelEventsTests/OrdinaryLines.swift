// SPDX-License-Identifier: Apache-2.0

extension SeededGenerator {
    /// An event as an app with few learners sends it. Sometimes a part is unusual.
    mutating func ordinaryLine(separators: [String], colons: [String]) -> String {
        let learner = Int.random(in: 1...6, using: &self)
        var members = [
            ("specversion", rarely(#""1""#, else: #""1.0""#)), ("id", "\"\(id())\""),
            ("source", pick([#""app/learner-\#(learner)/phone""#, #""tablet é\#(learner)""#, #""s\#(learner % 2)""#])),
            ("subject", #""learner-\#(learner)""#), ("time", rarely("7", else: "\"\(timestamp())\"")),
        ]
        let timezone = learner < 3 ? "Europe/Madrid" : "Asia/Kathmandu"
        if learner != 4 { members.append(("timezone", rarely(#""learner-1""#, else: "\"\(timezone)\""))) }
        let (type, data) = ordinaryData(separators: separators, colons: colons)
        members.insert(("type", type), at: pick([2, 2, 3]))
        members.append(("language", rarely(#""app/learner-1/phone""#, else: learner < 5 ? #""es""# : #""pt-BR""#)))
        members.append(("session", rarely("null", else: #""s-\#(learner)-\#(next() % 16 / 15)""#)))
        if oneIn(9) { members.append((pick(["tag", "id", "größe"]), ordinaryValue())) }
        members.append(("data", data))
        if oneIn(9) { members.shuffle(using: &self) }
        if oneIn(9) { members.removeLast() }
        return object(members, separators, colons)
    }

    /// Numbers of few and many digits, padded ones, numbers after a non-ASCII byte, and no number.
    private mutating func id() -> String {
        let number = String(next() >> UInt64.random(in: 1...63, using: &self))
        return pick(["e\(number)", "e\(number)", number, "é\(number)", "e0\(number)", "0", "\(number)e"])
    }

    private mutating func ordinaryData(separators: [String], colons: [String]) -> (type: String, data: String) {
        var fields: [(String, String)]
        let type: String
        switch Int.random(in: 0..<4, using: &self) {
        case 0:
            type = "line.spoken"
            fields = [
                ("line", #""hotel-\#(next() % 9)""#),
                ("accuracy", pick(["0.79", "1", "0", "0.5", "1.0", "5e-1", "2"])),
                ("errors", pick(["0", "3", "-1", "12345678901234567"])), ("durationMs", "\(next() % 9000)"),
            ]
        case 1:
            type = "review.graded"
            fields = [
                ("word", pick([#""it-map""#, #""Füße""#])), ("grade", pick([#""good""#, #""easy""#, #""fine""#])),
            ]
        case 2:
            type = "a.b"
            fields = [("errors", ordinaryValue()), ("aLongerNameThanMost", ordinaryValue()), ("é", ordinaryValue())]
        default:
            type = "session.ended"
            fields = [("durationMs", "\(next() % 90_000)")]
        }
        let others = ["note", "line", "x", "aNameOfFieldsThatIsLongerThanAnyOther"]
        if oneIn(6) { fields.append((pick(others), ordinaryValue())) }
        if oneIn(12) { fields = [] }
        return ("\"\(type)\"", object(fields, separators, colons))
    }

    private mutating func ordinaryValue() -> String {
        if oneIn(3) {
            return pick(["00", "1.", "1e400", "tru", "nullx", "[1,2]", #"{"a":1}"#, #""a\"b""#, "\"\u{1}\""])
        }
        return pick([
            "true", "false", "null", "\"\"", #""short""#, #""exactly 16 bytes""#, #""日本語のテキスト""#, "-7", "0.1250",
            #""longer than sixteen bytes, and than thirty-two""#, "98765432109876543210",
        ])
    }

    private mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

    private mutating func rarely(_ one: String, else other: String) -> String { oneIn(40) ? one : other }

    private mutating func object(_ members: [(String, String)], _ separators: [String], _ colons: [String]) -> String {
        var text = "{"
        for (index, member) in members.enumerated() {
            if index > 0 { text += pick(separators) }
            text += "\"\(member.0)\"\(pick(colons))\(member.1)"
        }
        return text + "}"
    }
}
