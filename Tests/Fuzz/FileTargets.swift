// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents

@testable import LaurelAdapters

/// Files of other apps, and of the system.
enum FileTargets {
    static let all = [csv, tables, documents, html, databases, zones]

    private static let options = AdapterOptions(subject: "ana", language: "es", source: "fuzz")

    /// Reads an input with an adapter. The results are events, or reasons.
    static func read(_ bytes: [UInt8], as kind: AdapterKind) throws {
        var adapter = try kind.adapter(options)
        var reader = InputReader(MemorySource(bytes, name: "fuzz"), shape: kind.shape, chunk: 4096)
        var decoder = EventDecoder()
        var table = EventTable()
        _ = try adapter.read(&reader, path: nil) { record in
            switch record.outcome {
            case .event(let json):
                _ = json.withUnsafeBufferPointer {
                    decoder.decode(line: $0, into: &table, clock: TextTargets.clock)
                }
            case .refused(let refusal): FuzzTarget.expect(!refusal.message.isEmpty, "a refusal without a reason")
            }
        }
    }

    static let csv = FuzzTarget(
        "csv",
        seeds: {
            [
                "card_id,review_time,review_rating,review_duration,x\nc1,2024-03-29T20:32:32.25Z,3,1500,a\nc2,1711744352250,1,,\n"
                    .bytes, "review_rating,card_id,review_time\r\n4,\"c\"\"1\",1000\r\n".bytes,
            ]
        },
        tokens: [",", "\"", "\"\"", "\n", "\r\n", "card_id", "review_time", "review_duration", "99999999999999999999"]
    ) {
        let kind = try Adapters.find("fsrs-csv")
        return { try read($0, as: kind) }
    }

    /// Tables in any encoding, with a mapping.
    static let tables = FuzzTarget(
        "tables",
        seeds: {
            [
                "Word;Note\r\nni\u{F1}o;\"a\"\"b\"\r\n".bytes, "sep=,\nWord,Note\n\"a\nb\",c\n".bytes,
                [0xFF, 0xFE, 0x57, 0, 0x6F, 0, 0x72, 0, 0x64, 0, 0x0A, 0, 0xF1, 0],
                [0x57, 0x6F, 0x72, 0x64, 0x0A, 0xF1],
            ]
        },
        tokens: [",", ";", "\t", "|", "\"", "\n", "\r\n", "sep=;", "Word", "\u{FEFF}", "\0"]
    ) {
        let yaml = """
            version: 1
            name: table
            reads: csv
            csv: {optional: [Word]}
            defaults: {time: "'2026-02-05T18:00:00Z'"}
            events:
              - {what: words, type: word.added, id: 'key($.Word)', data: {word: $.Word}}
            """
        let kind = AdapterKind(mapping: try Mapping(yaml: yaml.bytes, file: "table.yaml"))
        return { try read($0, as: kind) }
    }

    /// The text of a card is one line.
    static let html = FuzzTarget(
        "html",
        seeds: {
            [
                "<div>to <b>speak</b><br>x&nbsp;&hearts;</div>[sound:a.mp3]", "{{c1::word::hint}} a < b &amp; c &#xF1;",
                "<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby><style>b{}</style><!-- x --><ul><li>a<li b='>'>c</ul>",
            ].map(\.bytes)
        },
        tokens: [
            "<", "</", ">", "<!--", "-->", "&", "&#", ";", "<script>", "</script>", "<rt>", "</rt>", "<p>", "<table>",
            "<body>", "<head>", "='", "\"", "{{c1::", "::", "}}", "[sound:", "]", "<![CDATA[", "<?", "\u{A0}", "é",
        ]
    ) {
        { bytes in
            let text = PlainText.of(String(decoding: bytes, as: UTF8.self))
            FuzzTarget.expect(!text.utf8.contains { 0x09...0x0D ~= $0 }, "more than a line")
            FuzzTarget.expect(text.first != " " && text.last != " ", "space around a text")
        }
    }

    /// The first byte selects the app.
    static let documents = FuzzTarget(
        "documents",
        seeds: {
            [
                #"2{"vocabulary":{"u1":{"w1":{"word":"casa","translation":"house","addedAt":1700000000000,"reviews":[1,2]}}}}"#,
                #"0{"users":{"u1":{"progress":{"xp":120,"streak":3,"lastActive":"2026-02-05"},"sessions":{"s":{"start":1}}}}}"#,
                #"1{"type":"line","id":"p1","at":1700000000000,"userId":"u","payload":{"text":"x","accuracy":0.5}}"#,
            ].map(\.bytes)
        },
        tokens: [
            "{", "}", "[", "]", ":", ",", "\"id\":", "\"at\":", "\"xp\":", "\"words\":", "\"sessions\":", "null",
            "true",
        ]
    ) { reader(of: Adapters.all.filter { $0.mapping.map { $0.reads != .sqlite } ?? false }) }

    /// Databases and packages, each written to a file, which is slow. The first byte selects the app.
    static let databases = FuzzTarget(
        "databases",
        seeds: {
            ["new.apkg", "old.apkg", "new.colpkg"].compactMap { name in
                FileManager.default.contents(atPath: Corpus.folder + "/../../Fixtures/anki/\(name)").map {
                    "0".bytes + $0
                }
            }
        }
    ) { reader(of: Adapters.all.filter { $0.mapping?.reads == .sqlite }) }

    /// - Parameter kinds: the kinds from which the first byte selects one.
    private static func reader(of kinds: [AdapterKind]) -> ([UInt8]) throws -> Void {
        { bytes in
            guard let first = bytes.first else { return }
            // The digit 0 selects the first kind.
            try read(Array(bytes.dropFirst()), as: kinds[(Int(first) + kinds.count * 16 - 48) % kinds.count])
        }
    }

    static let zones = FuzzTarget(
        "zones",
        seeds: {
            ["Europe/Berlin", "America/Sao_Paulo", "Asia/Tokyo", "Africa/Casablanca"].compactMap { name in
                FileManager.default.contents(atPath: "/usr/share/zoneinfo/\(name)").map { Array($0) }
            }
        },
        tokens: ["CET-1CEST,M3.5.0,M10.5.0/3", "<-03>3", "J60", "/167", "-167:59:59", "TZif"]
    ) {
        { bytes in
            guard let zone = TimeZone(name: "Fuzz/Zone", file: bytes) else { return }
            for instant in stride(
                from: Timestamp.range.lowerBound,
                to: Timestamp.range.upperBound,
                by: 12_345_678_901_234
            ) {
                _ = zone.offsetSeconds(at: instant)
            }
        }
    }

    private typealias TimeZone = LaurelEvents.TimeZone
}
