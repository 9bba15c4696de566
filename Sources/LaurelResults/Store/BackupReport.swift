// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The content of a backup.
public struct BackupContent: Codable, Sendable, Hashable {
    /// The number of learners.
    public var learners: Int
    /// The number of events, including void events.
    public var events: Int
    /// The number of versions of the rules, including withdrawn and replaced ones.
    public var rules: Int
    /// The number of refused lines in quarantine.
    public var refusedLines: Int
    /// The number of keys for the service.
    public var keys: Int
    /// The number of webhooks.
    public var webhooks: Int

    /// Creates a value, for previews and tests.
    public init(
        learners: Int = 0,
        events: Int = 0,
        rules: Int = 0,
        refusedLines: Int = 0,
        keys: Int = 0,
        webhooks: Int = 0
    ) {
        (self.learners, self.events, self.rules) = (learners, events, rules)
        (self.refusedLines, self.keys, self.webhooks) = (refusedLines, keys, webhooks)
    }
}

/// The result of backing up a store.
public struct BackupReport: Codable, Sendable, Hashable {
    /// The instant of the store's state in the backup.
    public var takenAt: Date
    /// The content of the backup.
    public var content: BackupContent
    /// The size of the file in bytes.
    public var bytes: Int
    /// The fingerprint of all progress, the same in the store and in the backup.
    public var fingerprint: String

    /// Creates a value, for previews and tests.
    public init(takenAt: Date, content: BackupContent, bytes: Int, fingerprint: String) {
        (self.takenAt, self.content, self.bytes, self.fingerprint) = (takenAt, content, bytes, fingerprint)
    }
}

/// The result of restoring a backup.
public struct RestoreReport: Codable, Sendable, Hashable {
    /// The instant of the store's state in the backup.
    public var takenAt: Date
    /// The content of the restored store.
    public var content: BackupContent
    /// The ids of learners that were erased after the backup was made. The restore erased them again. Ascending.
    public var erasedAgain: [String]
    /// The instants of erasures after the backup whose learner is not recorded. The restored store may contain those
    /// learners.
    public var unknownErasures: [Date]
    /// True if the progress was recomputed, because another version of Laurel or of the time zone data made the
    /// backup. The fingerprint may then differ from the backup's fingerprint.
    public var isRecomputed: Bool
    /// The fingerprint of all progress in the restored store.
    public var fingerprint: String

    /// Creates a value, for previews and tests.
    public init(
        takenAt: Date,
        content: BackupContent = BackupContent(),
        erasedAgain: [String] = [],
        unknownErasures: [Date] = [],
        isRecomputed: Bool = false,
        fingerprint: String = ""
    ) {
        (self.takenAt, self.content) = (takenAt, content)
        (self.erasedAgain, self.unknownErasures) = (erasedAgain, unknownErasures)
        (self.isRecomputed, self.fingerprint) = (isRecomputed, fingerprint)
    }
}
