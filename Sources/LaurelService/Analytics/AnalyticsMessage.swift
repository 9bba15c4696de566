// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A call of an analytics SDK, such as `track` or `identify`, with the ids that it names.
struct AnalyticsMessage {
    /// The prefix of the ids of learners who are known by an anonymous id alone. Without the prefix, a sender could
    /// send a user's id as an anonymous id, and so merge that user into another user.
    static let anonymousPrefix = "anonymous:"

    private let call: JSONTree
    /// The id that the app has given the user; nil if the call names none.
    let user: String?
    /// The learner with the anonymous id that the user had before signing in; nil if the call does not connect two ids.
    let former: String?
    /// The learner of the call's events; nil if the call names no id.
    let learner: String?
    /// The time of the call, after a correction of the device's clock; nil if the call's time is not readable.
    let time: Timestamp?

    /// The protocol of a call. Each protocol has its own names for the members.
    enum Dialect: Sendable, Hashable {
        /// The protocol of Segment and RudderStack. The value is the kind of the call; nil if the call itself contains
        /// its kind.
        case segment(String?)
        case postHog
    }

    /// - Parameters:
    ///   - call: the call as the SDK sent it.
    ///   - clock: the clock of the device that sent the call.
    init(_ call: JSONTree, _ dialect: Dialect, _ clock: DeviceClock) {
        var call = call
        let ids: (user: String?, anonymous: String?, former: String?)
        switch dialect {
        case .segment(let kind):
            if let kind, call["type"] == nil { call["type"] = .string(Array(kind.utf8)) }
            ids = Self.segmentIDs(call)
        case .postHog: ids = Self.postHogIDs(call)
        }
        user = ids.user
        former = ids.user == nil ? nil : ids.former.map { Self.anonymousPrefix + $0 }
        learner = ids.user ?? ids.anonymous.map { Self.anonymousPrefix + $0 }
        time = clock.time(of: call)
        self.call = call
    }

    /// The record for the mapping: the call, and a member `laurel` with the learner and the corrected time.
    var record: JSONTree {
        var (record, added) = (call, JSONTree.object([]))
        if let learner { added["learner"] = .string(Array(learner.utf8)) }
        if let time { added["time"] = .string(Array(time.description.utf8)) }
        record["laurel"] = added
        return record
    }

    private static func segmentIDs(_ call: JSONTree) -> (user: String?, anonymous: String?, former: String?) {
        let (user, anonymous) = (call["userId"]?.id, call["anonymousId"]?.id)
        switch call["type"]?.id {
        case "identify": return (user, anonymous, anonymous)
        case "alias": return (user, nil, call["previousId"]?.id ?? anonymous)
        default: return (user, anonymous, nil)
        }
    }

    /// The ids in a call of PostHog. PostHog sends the user's id and the anonymous id in the same member. The id is
    /// anonymous if it is the device's id, or if the SDK says that it makes no profile of a person.
    private static func postHogIDs(_ call: JSONTree) -> (user: String?, anonymous: String?, former: String?) {
        let properties = call["properties"] ?? .object([])
        guard let id = call["distinct_id"]?.id ?? properties["distinct_id"]?.id ?? properties["$distinct_id"]?.id else {
            return (nil, properties["$device_id"]?.id, nil)
        }
        switch call["event"]?.id {
        case "$identify": return (id, nil, properties["$anon_distinct_id"]?.id)
        // The Python SDK sends the former id as the distinct id, and the present id as its alias.
        case "$create_alias": return (properties["alias"]?.id, nil, id)
        default: break
        }
        let isAnonymous =
            properties["$device_id"]?.id == id || properties["$is_identified"]?.isFalse == true
            || properties["$process_person_profile"]?.isFalse == true
        return isAnonymous ? (nil, id, nil) : (id, nil, nil)
    }
}

/// The clock of a device, compared with the service's clock.
struct DeviceClock {
    /// The smallest difference between the clocks that counts as an error of the device's clock, in milliseconds. A
    /// smaller difference may be the duration of the request. It is not corrected, so that a repeated call has the same
    /// time.
    static let least: Int64 = 5 * 60_000

    private let received: Int64
    /// The milliseconds by which the device's clock is behind the service's clock.
    private let delay: Int64

    /// - Parameters:
    ///   - received: the time of the request by the service's clock, in milliseconds since 1970.
    ///   - sent: the time of the request by the device's clock; nil if the request does not contain it.
    init(received: Int64, sent: Timestamp?) {
        self.received = received
        let difference = sent.map { received - $0.milliseconds } ?? 0
        delay = abs(difference) < Self.least ? 0 : difference
    }

    /// The time of a call by the service's clock: `originalTimestamp + (receivedAt − sentAt)`. A call without a time
    /// gets the time at which it was received.
    /// - Returns: nil if the call has a time that is not readable.
    func time(of call: JSONTree) -> Timestamp? {
        if let milliseconds = call["offset"]?.number {
            return Self.timestamp(received - Int64(clamping: milliseconds))
        }
        guard let written = [call["originalTimestamp"], call["timestamp"]].compactMap({ $0?.id }).first else {
            return Self.timestamp(received)
        }
        guard var time = try? Timestamp(written) else { return nil }
        // The SDKs write every time in UTC. So the offset `+00:00` does not show the learner's local time.
        if case .minutes(0) = time.offset { time.offset = .zulu }
        guard delay != 0 else { return time }
        let (corrected, isOverflow) = time.milliseconds.addingReportingOverflow(delay)
        guard !isOverflow, Timestamp.range.contains(corrected) else { return nil }
        time.milliseconds = corrected
        return time
    }

    private static func timestamp(_ milliseconds: Int64) -> Timestamp? {
        Timestamp.range.contains(milliseconds) ? Timestamp(milliseconds: milliseconds) : nil
    }
}

extension JSONTree {
    /// The value as an id: a text, or a whole number; nil for other values and for an empty text.
    var id: String? {
        switch self {
        case .string(let text): text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
        case .integer(let number): "\(number)"
        default: nil
        }
    }

    fileprivate var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    fileprivate var isFalse: Bool { if case .no = self { true } else { false } }
}

extension Int64 {
    /// The nearest whole number. A number outside the range of `Int64` becomes a quarter of the nearest limit.
    fileprivate init(clamping number: Double) {
        self = Int64(exactly: number.rounded()) ?? (number < 0 ? .min / 4 : .max / 4)
    }
}
