// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelProgress
import LaurelRules
import LaurelStore

@testable import LaurelEvents
@testable import LaurelReports
@testable import LaurelYAML

/// Texts that people and programs write: events, rules, mappings, reports.
enum TextTargets {
    static let all = [events, ordinary, splitting, yaml, rules, mappings, reports]

    /// 2026-02-05T18:00:00Z
    static let clock: Int64 = 1_770_314_400_000

    static let lines = [
        #"{"id":"e-1","source":"app","type":"line.spoken","subject":"ana","time":"2026-02-05T18:00:00Z"}"#,
        #"{"specversion":"1.0","id":"17","source":"app","type":"review.graded","subject":"bo","time":"2026-02-05T17:59:59.123+01:00","language":"es-MX","session":"s1","timezone":"Europe/Berlin","data":{"word":"casa","grade":"good","durationMs":1500}}"#,
        #"{"id":"0017","source":"a/b","type":"word.imported","subject":"ñ","time":"1970-01-01T00:00:00z","language":"de","data":{"word":"w","masteryLevel":3,"easeFactor":2.5,"intervalDays":36500,"stability":1e300,"nextReviewAt":"2026-03-01T00:00:00Z","totalReviews":9007199254740992}}"#,
        #"{"id":"x","source":"app","type":"xp.adjusted","subject":"ana","time":"2026-02-05T18:00:00.5-00:00","data":{"amount":-5,"reason":"\u00e9\ud83d\ude00"},"traceparent":"00-1"}"#,
        #"{"id":"r","source":"app","type":"event.retracted","subject":"ana","time":"2026-02-05T18:00:01Z","data":{"source":"app","id":"e-1"}}"#,
        #"{"id":"f","source":"app","type":"streak.repaired","subject":"ana","time":"2026-02-05T18:00:01Z","data":{"date":"2026-02-03"}}"#,
        #"{"id":"q","source":"app","type":"quest.finished","subject":"ana","time":"2026-02-05T18:00:02Z","data":{"a":[1,{"b":null}],"n":123456789012345678901234567890,"t":true}}"#,
    ]

    private static let json = [
        "{", "}", "[", "]", ",", ":", "\"", "\\u0000", "\\ud83d", "\\", "true", "null", "\"data\":", "\"time\":",
        "\"id\":",
        "\n", "\r\n", "\u{FEFF}", "+14:00", "2026-02-29T24:60:60.9999Z", "é", "e\u{301}",
    ]

    /// Accepted events are exported in a form that is accepted again.
    static let events = FuzzTarget("events", seeds: { lines.map(\.bytes) }, tokens: json) {
        var decoder = EventDecoder()
        var table = EventTable()
        return { bytes in
            if table.count > 1000 { table = EventTable() }
            let before = table.count
            let result = bytes.withUnsafeBufferPointer { decoder.decode(line: $0, into: &table, clock: clock) }
            guard case .ok = result else {
                return FuzzTarget.expect(table.count == before, "a refused event is in the table")
            }
            var output: [UInt8] = []
            table.encode(before, into: &output)
            let again = output.withUnsafeBufferPointer { decoder.decode(line: $0, into: &table, clock: clock) }
            if case .refused(let refusal) = again { fatalError("taken, and then refused: \(refusal.message)") }
            FuzzTarget.expect(table.hasSameContent(before, table, before + 1), "another event came back")
            _ = table.event(at: before)
        }
    }

    /// Lines at the end of readable memory: a line break and the promised slack follow each. Each line is
    /// decoded or refused as it is alone, also if it comes again.
    static let ordinary = FuzzTarget("ordinary", seeds: { lines.map(\.bytes) }, tokens: json) {
        var (decoder, other) = (EventDecoder(), EventDecoder())
        let memory = MemoryToItsEnd()
        return { bytes in
            let line = bytes.filter { $0 != 10 }
            guard !line.isEmpty else { return }
            var input = line
            input.append(10)
            input += input
            let behind: [UInt8] = [0x22, 0x61, 0x30, 0x7D]
            input += repeatElement(behind[line.count % 4], count: OrdinaryEvent.slack - 1)
            var (table, alone) = (EventTable(), EventTable())
            var taken = 0
            memory.withCopy(of: input) { copy in
                let records = [0, line.count + 1].map {
                    InputRecord(line: 1, range: $0..<$0 + line.count, part: .whole)
                }
                decoder.decode(records, of: copy, into: &table, clock: clock) { _ in
                    taken += 1
                } refused: { _, _ in
                }
            }
            let result = line.withUnsafeBufferPointer { other.decode(line: $0, into: &alone, clock: clock) }
            guard case .ok = result else { return FuzzTarget.expect(taken == 0, "what is refused alone was taken") }
            FuzzTarget.expect(taken == 2, "what is taken alone was refused")
            for row in 0..<2 {
                FuzzTarget.expect(table.hasSameContent(row, alone, 0), "another event than alone")
            }
        }
    }

    /// The records of an input are the same, whatever the sizes of the pieces in which it is read.
    static let splitting = FuzzTarget(
        "splitting",
        seeds: {
            [
                lines.joined(separator: "\n").bytes, "[\(lines.joined(separator: ",\n"))]".bytes,
                "a,\"b\n\"\"c\",d\r\n1,2,3\n".bytes, "\u{FEFF}\n\n{}\n[]".bytes, [0x1F, 0x8B, 8, 0],
                [0x28, 0xB5, 0x2F, 0xFD],
            ]
        },
        tokens: json
    ) {
        { bytes in
            for shape in [InputShape.events, .csv] {
                let whole = records(bytes, shape, chunk: 1 << 16)
                let chunk = 1 + Int(bytes.first ?? 0) % 16
                FuzzTarget.expect(records(bytes, shape, chunk: chunk) == whole, "other records in pieces of \(chunk)")
            }
        }
    }

    private static func records(_ bytes: [UInt8], _ shape: InputShape, chunk: Int) -> [String] {
        var reader = InputReader(MemorySource(bytes, name: "fuzz"), shape: shape, chunk: chunk)
        var batch = InputBatch()
        var found: [String] = []
        do throws(InputError) {
            while try reader.next(&batch) {
                for record in batch.records {
                    found.append("\(record.line) \(record.part) \(Array(batch.bytes(of: record)))")
                }
            }
        } catch {
            found.append("\(error.code)")
        }
        return found
    }

    private static let yamlTokens =
        json + [
            "\n  ", ": ", "- ", "&n ", "*n", "|\n", ">-\n", "#", "\t", "---\n", "'", "? ", "<<", "!!str", "min(",
            "default(",
            "in ", "&&", "1e308", "%", "session.", "day.", "event.", "award", "$.a[0]", "SELECT ", "values: ",
        ]

    static let yaml = FuzzTarget("yaml", seeds: { [rulesText.bytes, reportText.bytes] }, tokens: yamlTokens) {
        { bytes in
            guard let document = try? YAMLReader.read(bytes) else { return }
            look(at: document.root, bytes)
        }
    }

    private static func look(at node: YAMLNode, _ bytes: [UInt8]) {
        switch node.content {
        case .scalar(let scalar):
            let position = ScalarPosition(scalar, in: bytes)
            let range = position.source(of: 0..<scalar.text.utf8.count)
            FuzzTarget.expect(range.upperBound <= bytes.count, "a place behind the file")
        case .sequence(let items): for item in items { look(at: item, bytes) }
        case .mapping(let entries): for entry in entries { look(at: entry.value, bytes) }
        }
    }

    /// Accepted rules are also used for a fold.
    static let rules = FuzzTarget("rules", seeds: { [rulesText.bytes] }, tokens: yamlTokens) {
        var table = EventTable()
        var decoder = EventDecoder()
        for line in lines {
            _ = line.bytes.withUnsafeBufferPointer { decoder.decode(line: $0, into: &table, clock: clock) }
        }
        let rows = Array(0..<table.count).sorted { table.isBefore($0, table, $1) }
        let events = EventTable(gathering: rows, of: table)
        return { bytes in
            let rules = try RuleSet(yaml: bytes, file: "fuzz.yaml") { $0 == "UTC" }
            _ = rules.warnings
            Folding.fold(events, FoldPlan(rules: rules))
        }
    }

    static let mappings = FuzzTarget(
        "mappings",
        seeds: { Adapters.all.compactMap { $0.mapping?.text } + [mappingText.bytes] },
        tokens: yamlTokens
    ) {
        let document = #"""
            {"kind":"answer","id":"a1","at":"2026-02-05T18:00:00Z","card":7,"right":true}
            {"kind":"list","id":2,"at":"2026-02-05T18:00:00Z","words":[{"id":1,"text":"casa"},{"id":[],"text":{}}]}
            """#.bytes
        return { bytes in
            let kind = AdapterKind(mapping: try Mapping(yaml: bytes, file: "fuzz.yaml"))
            guard kind.mapping?.reads != .sqlite else { return }
            try FileTargets.read(document, as: kind)
        }
    }

    static let reports = FuzzTarget(
        "reports",
        seeds: { [reportText.bytes] },
        tokens: yamlTokens + [":language", "show: "]
    ) {
        { bytes in _ = try ReportLoader.load(bytes, file: "fuzz.yaml") }
    }

    static let rulesText = """
        version: 1
        name: &n fuzz
        calendar: {default_timezone: UTC, day_starts_at: "04:00", week_starts_on: monday}
        events: {quest.finished: {difficulty: number, kind: text}}
        metrics:
          lines: {count: line.spoken, where: "event.accuracy > 0.5", by: event.role}
          run: {run: [line.spoken], while: 'event.accuracy >= 0.9'}
          seconds: {sum: event.durationMs / 1000, on: review.graded}
          words: {distinct: event.word, on: review.graded}
        streak: {when: day.lines >= 1, freezes: {earn_every: 7, hold: 2}, rest_days: [sunday]}
        xp:
          - {id: a, on: line.spoken, award: "earned * min(streak.current, 5) + 1", daily_cap: 10}
          - {id: r, on: review.graded, award: "word.is_new ? 5 : default(event.durationMs, 0) % 7"}
        levels: {xp_for: "n < 20 ? 50 * n * (n - 1) : null"}
        mastery: {scheduler: fsrs, learned_at: 3}
        cefr: {score: words.learned, bands: {A1: 0, A2: 1, B1: 2, B2: 3, C1: 4, C2: 5}}
        achievements: [{id: b, value: session.lines, at_least: [1, 2], requires: [], xp: 5}]
        tests: [{name: *n, events: [{type: line.spoken, time: 2026-01-01T00:00:00Z, data: {accuracy: 1}}], expect: {total.lines: 1}}]
        """

    private static let mappingText = """
        version: 1
        name: fuzz
        summary: Answers and words.
        reads: json-records
        recognise: [kind]
        kind: $.kind
        defaults: {time: $.at, subject: "'ana'"}
        events:
          - {what: answers, type: review.graded, of: answer, id: $.id, data: {word: CAST($.card AS TEXT), grade: "iif($.right, 'good', 'again')"}}
          - {what: words, type: word.added, of: list, each: {word: $.words}, id: "key($.id, $word.id)", data: {word: $word.text}}
        """

    private static let reportText = """
        version: 1
        name: fuzz
        title: A report
        parameters: [language]
        learner:
          weeks: 4
          sections:
            - title: XP
              exhibits:
                - {show: table, query: "SELECT day, xp FROM daily WHERE language = :language"}
                - {show: bar, query: "SELECT day, sum(xp) AS xp FROM daily GROUP BY day"}
                - {show: headline, query: "SELECT xp, level FROM progress"}
        """
}
