// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelEvents
import LaurelHTTP

/// The calls of a request, and the rights of the request's sender.
struct AnalyticsCalls {
    private let messages: [AnalyticsMessage]
    private let caller: Caller
    private let service: LaurelService

    init(_ messages: [AnalyticsMessage], _ caller: Caller, _ service: LaurelService) {
        (self.messages, self.caller, self.service) = (messages, caller, service)
    }

    /// True if the key has only the scope `analytics`. Such a key may be public.
    private var isPublic: Bool { !caller.may(.ingest) }

    /// Merges the learners that the calls connect, and converts the calls to events.
    /// - Returns: the events to store, with a refusal for each call that the sender may not make.
    func request() throws -> IngestRequest {
        let named = try isPublic ? service.named.open(among: Set(messages.compactMap(\.user))) : []
        var (refusals, lines): ([Int: Refusal], [UInt8]) = ([:], [])
        for (index, message) in messages.enumerated() {
            refusals[index] = refusal(of: message, named)
            if refusals[index] == nil, let user = message.user, let former = message.former {
                refusals[index] = try merge(former, into: user)
            }
            message.record.write(to: &lines)
            lines.append(UInt8(ascii: "\n"))
        }
        var request = try IngestRequest(
            records: lines,
            of: service.analyticsFormat,
            source: caller.source,
            learners: messages.map(\.learner),
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

    /// Merges a learner who is known by anonymous ids alone into a user.
    /// - Returns: the reason why the learners are not merged; nil if both ids mean the same learner now.
    private func merge(_ former: String, into user: String) throws -> Refusal? {
        let engine = service.engine
        guard former.utf8.count <= 256, user.utf8.count <= 256 else {
            return Self.refusal("a learner's id has at most 256 bytes", user)
        }
        // Most apps identify the user at every start.
        guard try engine.currentID(of: former) != engine.currentID(of: user) else { return nil }
        do {
            let isAnonymous = { (id: String) in id.hasPrefix(AnalyticsMessage.anonymousPrefix) }
            _ = try engine.merge(former, into: user, by: nil, at: Date(), ifAllIDs: isAnonymous)
        } catch {
            switch error.code {
            case .notAnonymous: return Self.refusal(error.message, user)
            case .sameLearner: return nil
            default: throw error
            }
        }
        return nil
    }

    private static func refusal(_ message: String, _ learner: String?) -> Refusal {
        Refusal(code: .forbiddenLearner, message: message, subject: learner)
    }
}
