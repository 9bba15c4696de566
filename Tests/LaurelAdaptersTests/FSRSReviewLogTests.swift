// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelEvents
import Testing

@Suite struct FSRSReviewLogTests {
    /// Converts a log. Each result is `line: event` or `line: ! reason`; events are decoded and encoded again.
    private func convert(_ csv: String, _ options: AdapterOptions = AdapterOptions(subject: "ana")) throws -> [String] {
        let kind = try Adapters.find("fsrs-csv")
        var adapter = try kind.adapter(options)
        var reader = InputReader(MemorySource(Array(csv.utf8), name: "log.csv"), shape: kind.shape, chunk: 7)
        var found: [String] = []
        _ = try adapter.read(&reader, path: nil) { record in
            switch record.outcome {
            case .event(let json):
                let (table, refusal) = decode(json, clock: 4_000_000_000_000)
                found.append("\(record.line): " + (refusal.map { "! \($0.message)" } ?? encoded(table)))
            case .refused(let refusal): found.append("\(record.line): ! \(refusal.message)")
            }
        }
        return found
    }

    @Test func `rows become reviews`() throws {
        let csv = #"""
            review_time,card_id,review_rating,review_duration,review_state
            2024-03-29T20:32:32.250000+00:00,c1,1,25060,0
            1711744352250,"c ""2""",4,,
            """#
        #expect(
            try convert(csv) == [
                #"2: {"specversion":"1.0","id":"c1-1-1711744352250","source":"fsrs-csv","type":"review.graded","#
                    + #""subject":"ana","time":"2024-03-29T20:32:32.250+00:00","#
                    + #""data":{"word":"c1","grade":"again","durationMs":25060,"review_state":"0"}}"#,
                #"3: {"specversion":"1.0","id":"c \"2\"-1-1711744352250","source":"fsrs-csv","type":"review.graded","#
                    + #""subject":"ana","time":"2024-03-29T20:32:32.250Z","data":{"word":"c \"2\"","grade":"easy"}}"#,
            ]
        )
    }

    @Test func `with a time zone, UTC is not the wall clock`() throws {
        let options = AdapterOptions(subject: "ana", language: "es", timezone: "Asia/Seoul", source: "phone")
        let csv = "card_id,review_rating,review_time\nc,3,2024-03-29T20:32:32+00:00\n"
        #expect(
            try convert(csv, options) == [
                #"2: {"specversion":"1.0","id":"c-1-1711744352000","source":"phone","type":"review.graded","#
                    + #""subject":"ana","time":"2024-03-29T20:32:32Z","language":"es","timezone":"Asia/Seoul","#
                    + #""data":{"word":"c","grade":"good"}}"#
            ]
        )
    }

    @Test func `the same card at the same time counts on; appended rows change nothing before them`() throws {
        let csv = "card_id,review_rating,review_time\nc,3,1000\nc,1,1000\nd,3,1000\n"
        let once = try convert(csv)
        #expect(once.count == 3 && Set(once).count == 3)
        #expect(once[1].contains(#""id":"c-2-1000""#))
        #expect(try convert(csv + "c,4,1000\n").starts(with: once))
    }

    @Test(arguments: [
        Row("rating", "c,5,1000,", "review_rating is “5”; it must be 1 (again), 2 (hard), 3 (good) or 4 (easy)"),
        Row("card", ",3,1000,", "card_id is empty"),
        Row("columns", "c,3,1000", "the row has 3 columns; the header has 4"),
        Row("quotes", "\"c\"x,3,1000,", "the row has a quote too few or too many"),
        Row(
            "time",
            "c,3,yesterday,",
            "review_time is “yesterday”: not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00, "
                + "or milliseconds since 1970"
        ),
        Row("duration", "c,3,1000,long", "review_duration is “long”; it must be a number of milliseconds"),
        Row(
            "a rating of twenty digits",
            "c,99999999999999999999,1000,",
            "review_rating is “99999999999999999999”; it must be 1 (again), 2 (hard), 3 (good) or 4 (easy)"
        ),
        Row(
            "the largest number and one more as a rating",
            "c,9223372036854775808,1000,",
            "review_rating is “9223372036854775808”; it must be 1 (again), 2 (hard), 3 (good) or 4 (easy)"
        ),
        Row(
            "a time of twenty digits",
            "c,3,99999999999999999999,",
            "review_time is “99999999999999999999”: not an RFC 3339 time, such as 2026-02-05T18:00:00+01:00, "
                + "or milliseconds since 1970"
        ),
        Row(
            "a time beyond all years",
            "c,3,999999999999999,",
            "review_time is “999999999999999”: beyond the year 9999"
        ),
        Row(
            "a duration of twenty digits",
            "c,3,1000,99999999999999999999",
            "data.durationMs is 99999999999999999999; it must be a whole number, 0 or more, "
                + "up to 9007199254740992"
        ),
        Row("negative duration", "c,3,1000,-1", "data.durationMs is -1; it must be a whole number, 0 or more"),
    ])
    func `refuses a row with its line and the reason`(row: Row) throws {
        let csv = "card_id,review_rating,review_time,review_duration\nok,3,1000,5\n\(row.line)\nok,3,2000,\n"
        let found = try convert(csv)
        #expect(found.count == 3)
        #expect(found[1] == "3: ! " + row.expected)
    }

    @Test func `needs the right header and options`() throws {
        #expect(throws: AdapterError.self) { try convert("") }
        do {
            _ = try convert("card,rating\n1,2\n")
        } catch let error as AdapterError {
            #expect(
                error.message == "the header has no column card_id (it has card, rating); "
                    + "FSRS review logs name card_id, review_time and review_rating"
            )
        }
        do {
            _ = try convert("", AdapterOptions())
        } catch let error as AdapterError {
            #expect(error.message.hasPrefix("format fsrs-csv needs --subject"))
        }
        do throws(AdapterError) {
            _ = try Adapters.find("fsrs")
        } catch {
            #expect(
                error.message
                    == "there is no format fsrs (did you mean fsrs-csv?); formats: cloudevents, "
                    + Adapters.all.map(\.name).joined(separator: ", ")
            )
        }
    }
}
