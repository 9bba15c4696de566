// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// Stories of ``VersionTests`` about limits of what a person can do.
extension VersionTests {
    private static func limited(_ atMost: Int) -> String {
        "\(ten)\nplausible: {line.spoken: {at_most: \(atMost), per: minute}}"
    }

    static let plausible = [
        row(
            "the limit of the version of each event",
            limited(1),
            ("2026-02-10", limited(2)),
            events: [line("09T10:00:00Z"), line("09T10:00:10Z"), line("10T10:00:00Z"), line("10T10:00:10Z")],
            ["flaggedEvents": 1, "flaggedXP": 10]
        ),
        row(
            "events before the version are in its spans, also those of types that only it knows",
            "name: first",
            ("2026-02-10", "events: {quest.done: {}}\nplausible: {quest.done: {at_most: 1, per: minute}}"),
            events: [event("quest.done", "2026-02-09T23:59:30Z"), event("quest.done", "2026-02-10T00:00:10Z")],
            ["flaggedEvents": 1]
        ),
        row(
            "a version without limits flags nothing, and keeps earlier flags",
            limited(0),
            ("2026-02-10", ten),
            events: [line("09T10:00:00Z"), line("10T10:00:00Z")],
            ["flaggedEvents": 1, "flaggedXP": 10, "totalXP": 20]
        ),
    ]
}
