// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The person or program that performs an administrative action.
public struct AuditActor: Codable, Sendable, Hashable {
    /// The actor: `key ID`, `token of key ID`, `user NAME` for a user of the operating system, or another name. It
    /// never contains a learner's id.
    public var name: String
    /// The network address that the request came from; nil for a command.
    public var address: String?

    /// Creates a value; see the properties for the parameters.
    public init(name: String, address: String? = nil) { (self.name, self.address) = (name, address) }
}

/// An entry of a store's audit log.
public struct AuditEntry: Codable, Sendable, Hashable, Identifiable {
    /// The kinds of actions in an audit log.
    public enum Action: String, Codable, Sendable, Hashable, CaseIterable {
        /// A key was made.
        case keyMade = "key.made"
        /// A key was revoked.
        case keyRevoked = "key.revoked"
        /// A new signing key for tokens was made.
        case signingKeyRotated = "signing-key.rotated"
        /// A token for a learner was made on a page. Tokens made by requests are not recorded.
        case tokenMade = "token.made"
        /// Rules were applied.
        case rulesApplied = "rules.applied"
        /// A version of the rules was withdrawn.
        case rulesWithdrawn = "rules.withdrawn"
        /// A learner was erased; the entry does not name the learner.
        case learnerErased = "learner.erased"
        /// A learner was merged into another. The entry's `learner` is the learner that stays, and `target` is the
        /// merged id.
        case learnerMerged = "learner.merged"
        /// Events were exported.
        case eventsExported = "events.exported"
        /// A key sent purchases, events that set numbers directly, or an administrator's retraction.
        case eventsDecreed = "events.decreed"
        /// A note about a learner was written.
        case noteWritten = "note.written"
        /// A note about a learner was removed.
        case noteRemoved = "note.removed"
        /// Lines were removed from quarantine.
        case quarantineDropped = "quarantine.dropped"
        /// A webhook was added.
        case webhookAdded = "webhook.added"
        /// A webhook was removed.
        case webhookRemoved = "webhook.removed"
        /// The store was copied into another.
        case storeCopied = "store.copied"
        /// The store was restored from a backup.
        case storeRestored = "store.restored"
    }

    /// The entry's id. Ids ascend with time, and a page of the log begins before an id.
    public var id: String
    /// The instant of the action.
    public var time: Date
    /// See ``AuditActor/name``.
    public var actor: String
    /// See ``AuditActor/address``.
    public var address: String?
    /// The kind of action: a value of ``Action``, or a value that a later version of Laurel writes.
    public var action: String
    /// The object of the action, such as a key's id or a version of the rules; nil if there is none.
    public var target: String?
    /// The id of the learner concerned; nil if there is none, or if the learner was erased since.
    public var learner: String?
    /// More details of the action by name, such as the scopes of a new key.
    public var details: [String: String]

    /// Creates a value, for previews and tests.
    public init(
        id: String,
        time: Date,
        actor: AuditActor,
        action: String,
        target: String? = nil,
        learner: String? = nil,
        details: [String: String] = [:]
    ) {
        (self.id, self.time, self.action, self.target) = (id, time, action, target)
        (self.actor, address, self.learner, self.details) = (actor.name, actor.address, learner, details)
    }
}
