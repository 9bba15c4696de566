// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelHTTP

/// The calls of a request, and what their sender may do with them.
struct AnalyticsCalls {
    private let messages: [AnalyticsMessage]
    private let caller: Caller
    private let service: LaurelService

    init(_ messages: [AnalyticsMessage], _ caller: Caller, _ service: LaurelService) {
        (self.messages, self.caller, self.service) = (messages, caller, service)
    }

    /// True if the key may be public: it has no right but this one.
    private var isPublic: Bool { !caller.may(.ingest) }

    /// Converts the calls to events.
    /// - Returns: the events to store, with a refusal for each call that the sender may not make.
    func request() throws -> IngestRequest {
        let named = try isPublic ? service.named.open(among: Set(messages.compactMap(\.user))) : []
        var (refusals, lines): ([Int: Refusal], [UInt8]) = ([:], [])
        for (index, message) in messages.enumerated() {
            refusals[index] = refusal(of: message, named)
            message.record.write(to: &lines)
            lines.append(UInt8(ascii: "\n"))
        }
        var request = try IngestRequest(
            records: lines,
            of: service.analyticsFormat,
            source: caller.source,
            refusing: refusals
        ) { index, learner in
            let isOwn = caller.learner == nil && !isPublic || learner == messages[index].learner
            return isOwn
                ? nil : Self.refusal("the mapping gives this call another learner than the call names", learner)
        }
        request.name = AnalyticsCall.inputName
        request.limit(to: caller)
        request.learner = nil
        request.mayQuarantine = service.limits.quarantine(of: caller)
        return request
    }

    private func refusal(of message: AnalyticsMessage, _ named: Set<String>) -> Refusal? {
        if let own = caller.learner {
            let isOwn = message.learner?.utf8.elementsEqual(own.utf8) ?? false
            return isOwn ? nil : Self.refusal("the token is for another learner", message.learner)
        }
        guard isPublic, let user = message.user, !named.contains(user) else { return nil }
        return Self.refusal(
            "a key with the scope \(Scope.analytics) alone sends for users whose ids first came with such a key;"
                + " use a key of a server, or a token of this learner",
            user
        )
    }

    private static func refusal(_ message: String, _ learner: String?) -> Refusal {
        Refusal(code: .forbiddenLearner, message: message, subject: learner)
    }
}
