// SPDX-License-Identifier: Apache-2.0

/// The fields of `session.started` that `session.ended` may leave out.
struct StartedSession: Sendable, Equatable {
    var startedAt: Int64
    var mode: [UInt8]?
    var scenario: [UInt8]?
    var partner: [UInt8]?

    /// The value of a field; nil if the event lacked the field, and for fields for which ``FieldRole/isTakenFromStart``
    /// is false.
    func text(_ role: FieldRole) -> [UInt8]? {
        switch role {
        case .mode: mode
        case .scenario: scenario
        default: partner
        }
    }
}

extension FieldRole {
    /// True for a field that `session.ended` may leave out, because `session.started` gives it.
    var isTakenFromStart: Bool {
        switch self {
        case .mode, .scenario, .partner: true
        default: false
        }
    }
}

/// A running session, and the numbers in its window.
struct SessionWindow: Sendable {
    var id: [UInt8]
    var lastEventAt: Int64
    var started: StartedSession?
    /// The values in the session's window, stored here while another session is the current one; nil if the session has
    /// no values yet.
    var values: Values?

    /// The values in a window. `numbers` and `hasValue` are by slot, `keyed` by the metric's index in
    /// ``VersionPlan/keyedMetrics``.
    struct Values: Sendable {
        var numbers: [Double]
        var hasValue: [Bool]
        var keyed: [DistinctValues]
    }

    func hasID(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        // Ids usually differ in the last byte, so comparing it first is fast.
        self.id.last == id.last && self.id.withUnsafeBufferPointer { $0.hasSameBytes(as: id) }
    }
}

/// The maximum time between two events of a session, in milliseconds. A later event starts a new session.
let sessionGap: Int64 = 86_400_000
