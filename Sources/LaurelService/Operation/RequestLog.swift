// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelSystem
import LaurelWire
import Synchronization

/// The log, with one line per request and further messages for operators. The log never contains headers, queries or
/// bodies, because these contain secrets. A learner's id is replaced by a hash.
public final class RequestLog: Sendable {
    public enum Format: String, Sendable, CaseIterable {
        case none, text, json
    }

    private let format: Format
    /// The file descriptor, locked while a line is written.
    private let descriptor: Mutex<Int32>
    private let learners: LearnerHash

    public convenience init(_ format: Format, descriptor: Int32) {
        self.init(format, descriptor: descriptor, now: { Date() })
    }

    /// - Parameter now: the clock that decides when the hashes of learners change.
    init(_ format: Format, descriptor: Int32, now: @escaping @Sendable () -> Date) {
        self.format = format
        learners = LearnerHash(now: now)
        self.descriptor = Mutex(descriptor)
    }

    func note(_ head: HTTPRequestHead, route: String, status: Int, seconds: Double, caller: String?) {
        guard format != .none else { return }
        let milliseconds = (seconds * 1_000_000).rounded() / 1000
        line(
            "request",
            [
                ("method", .string(head.method)), ("path", .string(learners.path(head.path))),
                ("route", .string(route)), ("status", .integer(Int64(status))), ("ms", .double(milliseconds)),
                ("caller", caller.map { .string(learners.caller($0)) } ?? .null),
            ]
        )
    }

    func event(_ name: String, _ fields: [(String, JSONValue)] = []) {
        if format != .none { line(name, fields) }
    }

    private func line(_ event: String, _ fields: [(String, JSONValue)]) {
        let time = Timestamp.utc(Date().milliseconds)
        var text: String
        if format == .json {
            let members = [("time", JSONValue.string(time)), ("event", .string(event))] + fields
            text = "{" + members.map { "\(JSONValue.string($0).json):\($1.json)" }.joined(separator: ",") + "}\n"
        } else {
            // The values are encoded, so that an entry stays on one line, even if a path contains line breaks.
            text = "\(time) \(event) " + fields.map { "\($0)=\($1.json)" }.joined(separator: " ") + "\n"
        }
        descriptor.withLock { descriptor in
            text.withUTF8 { bytes in _ = write(descriptor, bytes.baseAddress, bytes.count) }
        }
    }
}
