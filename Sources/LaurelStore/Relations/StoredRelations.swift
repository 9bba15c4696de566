// SPDX-License-Identifier: Apache-2.0

/// The tables of events and other stored data, and of the states of the fold.
extension Relation {
    // MARK: Tables of a partition

    static let learners = Relation(
        "learners",
        key: [learner],
        [
            .text("subject"), .number("events", isNarrow: false), .number("changed", isNarrow: false),
            .text("display_name", isOptional: true), .text("cohort", isOptional: true),
            .text("native_language", isOptional: true), .optionalNumber("daily_goal_minutes"),
            .optionalNumber("leaderboard"),
        ]
    )
    static let copies = Relation("copies", key: [learner, .text("name")], [.bytes("data")])
    static let notes = Relation(
        "notes",
        key: [learner, .text("id")],
        [.number("ms", isNarrow: false), .text("author"), .text("text")]
    )
    /// The learners who ever joined a group. Some have left it, or their joining was retracted: see
    /// ``LearnerCondition/mayBeIn(group:)``.
    static let groupLearners = Relation("group_learners", key: [learner, .text("name")], [])
    /// The merges of learners, each in the partition of the merged id: see ``MergeRecord``.
    static let merges = Relation(
        "merges",
        key: [.text("subject")],
        [.text("target"), .text("named_subject"), .text("named_target"), .number("ms", isNarrow: false)]
    )
    static let blocks = Relation(
        "blocks",
        key: [.number("block", isNarrow: false)],
        [.number("generation", isNarrow: false), .number("events"), .bytes("data")]
    )
    static let generations = Relation(
        "generations",
        key: [.number("generation", isNarrow: false)],
        [.number("events", isNarrow: false), .number("runs", isNarrow: false)]
    )
    static let runs = Relation(
        "runs",
        key: [learner, .number("first_ms", isNarrow: false), .number("block", isNarrow: false)],
        [.number("first_row"), .number("rows"), .number("last_ms", isNarrow: false)]
    )
    static let tail = Relation(
        "tail",
        key: [learner, .number("ms", isNarrow: false), .number("sequence", isNarrow: false)],
        [.bytes("data")]
    )
    static let identities = Relation(
        "identities",
        key: [learner, .number("family", isNarrow: false), .number("low", isNarrow: false)],
        [.number("more", isNarrow: false)]
    )
    static let identityLeaves = Relation(
        "identity_leaves",
        key: [learner, .number("low", isNarrow: false)],
        [.bytes("data")]
    )
    static let quarantine = Relation(
        "quarantine",
        key: [.number("id", isNarrow: false)],
        [
            .text("reason"), .text("message"), .text("file", isOptional: true), .optionalNumber("line"),
            .number("received_ms", isNarrow: false), .text("event_id", isOptional: true),
            .text("source", isOptional: true), .text("subject", isOptional: true), .number("bytes", isNarrow: false),
            .number("stored", isNarrow: false),
        ]
    )
    static let quarantinePieces = Relation(
        "quarantine_pieces",
        key: [.number("quarantine", isNarrow: false), .number("piece")],
        [.bytes("data"), .optionalNumber("unpacked")]
    )
    static let shadowChanged = Relation("shadow_changed", key: [learner], [])

    // MARK: Tables of an edition

    static let snapshots = Relation("snapshots", scope: .edition, key: [learner], [.bytes("data")])
    static let checkpoints = Relation(
        "checkpoints",
        scope: .edition,
        key: [learner, .number("ms", isNarrow: false)],
        [.number("events", isNarrow: false), .bytes("data")]
    )
}
