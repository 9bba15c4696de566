// SPDX-License-Identifier: Apache-2.0

/// The fields of `session.started` that `session.ended` may leave out.
struct StartedSession: Sendable, Equatable {
    var startedAt: Int64
    var mode: [UInt8]?
    var scenario: [UInt8]?
    var partner: [UInt8]?

    /// The value of a field for which ``FieldRole/isToldAtStart`` is true.
    func text(_ role: FieldRole) -> [UInt8]? {
        switch role {
        case .mode: mode
        case .scenario: scenario
        default: partner
        }
    }
}

extension FieldRole {
    /// True if `session.ended` takes the text from its `session.started`.
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
    /// The values of the session's slots, kept while another session is current.
    var values: Values?

    /// The numbers and flags of a window, and its keys by the metric's index in ``VersionPlan/keyedMetrics``.
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

/// The longest silence within a session, in milliseconds. A later event starts a new session.
let sessionGap: Int64 = 86_400_000
