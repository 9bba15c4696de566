/// The parts of `session.started` that `session.ended` falls back on.
struct StartedSession: Sendable, Equatable {
    var startedAt: Int64
    var mode: [UInt8]?
    var scenario: [UInt8]?
    var partner: [UInt8]?
}

/// A running session's own window.
struct SessionWindow: Sendable {
    var id: [UInt8]
    var lastEventAt: Int64
    var started: StartedSession?
    /// While the session is the track's current one, its numbers stand in the track's array instead.
    var numbers: [Double]
    var hasValue: [Bool]
    /// By the keyed metric's place in ``FoldPlan/keyedMetrics``.
    var keyed: [KeyedValues]

    init(id: [UInt8], lastEventAt: Int64, stride: Int, keyedCount: Int) {
        self.id = id
        self.lastEventAt = lastEventAt
        numbers = Array(repeating: 0, count: stride)
        hasValue = Array(repeating: false, count: stride)
        keyed = Array(repeating: KeyedValues(), count: keyedCount)
    }

    func hasID(_ id: UnsafeBufferPointer<UInt8>) -> Bool {
        self.id.withUnsafeBufferPointer { $0.hasSameBytes(as: id) }
    }
}

/// A session is over when its next event comes later than this after its last, in milliseconds.
let sessionGap: Int64 = 86_400_000
