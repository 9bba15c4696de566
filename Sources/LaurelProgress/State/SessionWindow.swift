// SPDX-License-Identifier: Apache-2.0

/// The parts of `session.started` that `session.ended` falls back on.
struct StartedSession: Sendable, Equatable {
    var startedAt: Int64
    var mode: [UInt8]?
    var scenario: [UInt8]?
    var partner: [UInt8]?

    /// What it told in a field, where that ``FieldRole/isToldAtStart``.
    func text(_ role: FieldRole) -> [UInt8]? {
        switch role {
        case .mode: mode
        case .scenario: scenario
        default: partner
        }
    }
}

extension FieldRole {
    /// True if it is a text that a session's end takes from its start.
    var isToldAtStart: Bool {
        switch self {
        case .mode, .scenario, .partner: true
        default: false
        }
    }
}

/// A running session's own window.
struct SessionWindow: Sendable {
    var id: [UInt8]
    var lastEventAt: Int64
    var started: StartedSession?
    /// What stands in the session's slots, put aside while another session runs.
    var values: Values?

    /// The numbers and flags of a window, and its keys by the keyed metric's place in ``VersionPlan/keyedMetrics``.
    struct Values: Sendable {
        var numbers: [Double]
        var hasValue: [Bool]
        var keyed: [DistinctValues]
    }

    func hasID(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        // Ids mostly differ at their end.
        self.id.last == id.last && self.id.withUnsafeBufferPointer { $0.hasSameBytes(as: id) }
    }
}

/// A session is over when its next event comes later than this after its last, in milliseconds.
let sessionGap: Int64 = 86_400_000
