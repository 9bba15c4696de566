// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import Testing

/// The text in the column `games`. Stores compare it byte by byte, so its form must not change.
@Suite struct GamesJSONTests {
    private static let balances =
        #""balances":[{"balance":6,"currency":"gems","hold":null,"refill_anchor_ms":null,"refill_by":null,"#
        + #""refill_every_ms":null},{"balance":4,"currency":"hearts","hold":5,"refill_anchor_ms":1770285600000,"#
        + #""refill_by":1,"refill_every_ms":14400000}]"#

    @Test(
        arguments: [
            ("metrics: {lines: {count: line.spoken}}", nil),
            (
                """
                metrics: {lines: {count: line.spoken}}
                currencies:
                  gems: {awards: [{id: line, on: line.spoken, award: 6}]}
                  hearts: {start: 5, hold: 5, refill: {every: 4h, by: 1}, awards: [{id: slip, on: line.spoken, award: -1}]}
                """, "{\(balances),\"goals\":[]}"
            ),
            (
                """
                metrics: {lines: {count: line.spoken}}
                goals:
                  - {id: a, every: day, value: day.lines / 2, target: 3}
                  - {id: b, every: week, value: week.lines, target: 1}
                """,
                #"{"balances":[],"goals":["#
                    + #"{"completed_ms":null,"every":"day","goal":"a","target":3.0,"times":0,"value":0.5,"window":"2026-02-05"},"#
                    + #"{"completed_ms":1770285600000,"every":"week","goal":"b","target":1.0,"times":1,"value":1.0,"#
                    + #""window":"2026-W06"}]}"#
            ),
        ] as [(rules: String, text: String?)]
    )
    func `the text lists balances and goals`(rules: String, text: String?) throws {
        let plan = try Story(rules, [event("line.spoken", "2026-02-05T10:00:00Z")]).plan()
        let state = try Story(rules, [event("line.spoken", "2026-02-05T10:00:00Z")]).state(plan)
        let projection = ProgressReader(plan: plan).projection(state)
        #expect(projection.tracks[0].numbers.games == text)
    }
}
