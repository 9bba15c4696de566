// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Unknown names are stored and reported, or refused by a strict ingest.
@Suite struct UnknownNamesTests {
    private static let events = [
        #"{"id":"1","source":"app","type":"line.spoken","subject":"ana","time":"2026-02-04T18:00:00Z","language":"es","data":{"accuracy":0.9}}"#,
        #"{"id":"2","source":"app","type":"line.spokn","subject":"ana","time":"2026-02-04T18:00:01Z","langauge":"es","data":{"accuracy":0.9}}"#,
        #"{"id":"3","source":"app","type":"line.spoken","subject":"ana","time":"2026-02-04T18:00:02Z","data":{"acuracy":0.9,"microphone":"headset"}}"#,
        #"{"id":"4","source":"app","type":"line.spokn","subject":"ana","time":"2026-02-04T18:00:03Z"}"#,
        #"{"id":"5","source":"app","type":"line.spoken","subject":"ana","time":"2026-02-04T18:00:04Z","datacontenttype":"application/json","dataschema":"urn:x","traceparent":"00-a-b-01","tracestate":"x=1","timezone":null,"data":{"microphone":null}}"#,
        "",
    ].joined(separator: "\n")

    private func json(_ outcome: Laurel.Outcome) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test func `are listed with counts, the first line and what was meant`() throws {
        let laurel = try Laurel()
        try laurel.write(Self.events, to: "e.ndjson")
        let outcome = try laurel.run("ingest", "--now", "2026-03-01T00:00:00Z", "e.ndjson")
        #expect(outcome.status == 0)
        #expect(
            outcome.errors == """
                laurel: stored, but neither the catalogue nor the rules know these names:
                  type line.spokn: 2 events, the first at e.ndjson:2; did you mean line.spoken?
                  attribute langauge: 1 event, the first at e.ndjson:2; did you mean language?
                  field acuracy of line.spoken: 1 event, the first at e.ndjson:3; did you mean accuracy?
                  field microphone of line.spoken: 2 events, the first at e.ndjson:3

                """
        )
    }

    @Test func `an unknown achievement that is granted is told, and changes no status`() throws {
        let laurel = try Laurel()
        try laurel.write(
            "version: 1\nachievements: [{id: first-line, value: level, at_least: 99}]",
            to: "rules.yaml"
        )
        let lines = ["first-lien", "first-line", "first-lien"].enumerated().map { place, id in
            #"{"id":"\#(place)","source":"app","type":"achievement.granted","subject":"ana","#
                + #""time":"2026-02-04T18:00:00Z","data":{"achievement":"\#(id)"}}"#
        }
        try laurel.write(lines.joined(separator: "\n"), to: "e.ndjson")
        let words = ["ingest", "--rules", "rules.yaml", "--now", "2026-03-01T00:00:00Z", "e.ndjson"]
        let outcome = try laurel.run(words)
        #expect(outcome.status == 0)
        #expect(
            outcome.errors == """
                laurel: stored, but neither the catalogue nor the rules know these names:
                  achievement first-lien: 2 events, the first at e.ndjson:1; did you mean first-line?

                """
        )
        let strict = try laurel.run(words + ["--strict"])
        #expect(strict.status == 0 && strict.errors.contains("achievement first-lien"), "nothing of it is refused")
    }

    @Test func `and in JSON`() throws {
        let laurel = try Laurel()
        try laurel.write(Self.events, to: "e.ndjson")
        let outcome = try laurel.run("ingest", "--json", "--now", "2026-03-01T00:00:00Z", "e.ndjson")
        #expect(
            outcome.output.hasPrefix(
                #"{"read":5,"stored":5,"duplicates":0,"conflicts":0,"refused":0,"unknown":["#
                    + #"{"kind":"type","name":"line.spokn","type":null,"count":2,"file":"e.ndjson","line":2,"nearest":"line.spoken"},"#
                    + #"{"kind":"attribute","name":"langauge","type":null,"count":1,"file":"e.ndjson","line":2,"nearest":"language"},"#
                    + #"{"kind":"field","name":"acuracy","type":"line.spoken","count":1,"file":"e.ndjson","line":3,"nearest":"accuracy"},"#
            ),
            "\(outcome)"
        )
    }

    @Test func `a strict ingest refuses each line that has one, with the reason`() throws {
        let laurel = try Laurel()
        try laurel.write(Self.events, to: "e.ndjson")
        let outcome = try laurel.run("ingest", "--strict", "--now", "2026-03-01T00:00:00Z", "e.ndjson")
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == """
                e.ndjson:2: type is “line.spokn”, which neither the catalogue nor the rules know (did you mean line.spoken?)
                e.ndjson:3: data has a field “acuracy”, which line.spoken does not have (did you mean accuracy?)
                e.ndjson:4: type is “line.spokn”, which neither the catalogue nor the rules know (did you mean line.spoken?)
                e.ndjson:5: data has a field “microphone”, which line.spoken does not have
                laurel: 4 lines in quarantine: see `laurel quarantine list`

                """
        )
        let quarantined = try laurel.run("quarantine", "export").output
        #expect(quarantined == Self.events.split(separator: "\n").dropFirst().map { $0 + "\n" }.joined())
        #expect(try laurel.shell("laurel quarantine --json | jq -r '.[0].reason'").output == "unknown-name\n")
    }

    @Test func `what any version of the rules declares is known`() throws {
        let rules = { (fields: String) in
            "version: 1\nevents: {quest.finished: {\(fields)}}\nmetrics: {q: {count: quest.finished}}\n"
        }
        let laurel = try Laurel(rules: rules("difficulty: number"))
        try laurel.write(rules("kind: text"), to: "newer.yaml")
        let event = { (id: Int, data: String) in
            #"{"id":"\#(id)","source":"app","type":"quest.finished","subject":"ana","time":"2026-02-04T18:00:00Z","data":{\#(data)}}"#
        }
        let now = "2026-03-01T00:00:00Z"
        let first = try laurel.run("ingest", "--rules", "rules.yaml", "--now", now, input: event(1, #""difficulty":3"#))
        #expect(first.status == 0 && first.errors == "")
        #expect(try laurel.run("rules", "apply", "newer.yaml", "--yes").status == 0)
        let known = try laurel.run("ingest", "--now", now, input: event(2, #""difficulty":3,"kind":"a""#))
        #expect(known.errors == "" && known.status == 0)
        let strict = try laurel.run("ingest", "--strict", "--now", now, input: event(3, #""difficulty":3,"kind":"a""#))
        #expect(strict.errors == "" && strict.status == 0)
        let wrong = try laurel.run("ingest", "--strict", "--now", now, input: event(4, #""knid":"a""#))
        #expect(wrong.status == 1 && wrong.errors.contains("(did you mean kind?)"))
    }

    @Test func `what formats that are built in call things is meant`() throws {
        let laurel = try Laurel()
        let outcome = try laurel.run("ingest", "--strict", "--format", "firebase", input: "{}")
        #expect(outcome.status == 2 && outcome.errors.contains("--strict is for CloudEvents"))
    }

    @Test func `however many names there are, no more than a thousand are told apart`() throws {
        let laurel = try Laurel()
        let lines = (0..<1000).map { number in
            let fields = (0..<10).map { #""f\#(number)x\#($0)":1"# }.joined(separator: ",")
            return
                #"{"id":"\#(number)","source":"app","type":"line.spoken","subject":"ana","time":"2026-02-04T18:00:00Z","data":{\#(fields)}}"#
        }
        try laurel.write(lines.joined(separator: "\n"), to: "e.ndjson")
        let outcome = try laurel.run("ingest", "--json", "--now", "2026-03-01T00:00:00Z", "e.ndjson")
        let report = try json(outcome)
        #expect((report["unknown"] as? [Any])?.count == 1000)
        #expect(report["unknownNotListed"] as? Int == 9000)
    }
}
