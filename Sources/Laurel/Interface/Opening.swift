// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelEvents
import LaurelRules
import LaurelStore
import LaurelWire

/// What a store is opened for.
public enum StoreUse: Sendable, Hashable {
    /// Questions. Another process may write meanwhile.
    case reading
    /// Anything; a file is made if there is none. In a database a store is made by
    /// ``StoreManagement/create(_:buckets:isDistributed:fileMode:)`` alone.
    case writing
    /// Anything, with a store that must be there.
    case rewriting
    /// Checks, and giving back what is stored: events, refused lines. For that its rules need not be known here, nor even be
    /// readable; numbers are not to be asked for.
    case inspection
    /// Erasing, and dropping refused lines, of a store that must be there; numbers are not to be asked for.
    case removal
}

/// What is other than usual when a store is opened.
public struct StoreSettings: Sendable, Hashable {
    /// The permissions of a new store.
    public var fileMode: UInt32 = 0o600
    /// How many bytes refused lines may take in quarantine; nil: the smaller of 1 GiB and a tenth of the free disk.
    public var quarantineLimit: Int64?
    /// How long to wait for another writer, of this process or another.
    public var patience: Duration = .seconds(10)
    /// How many bytes the states of learners who were folded lately may take, about: while one's is kept, their next event and a
    /// question about them take some microseconds.
    public var learnerMemory = 32 << 20
    /// When rules that are new to the store are applied; nil: now.
    public var rulesAppliedAt: Date?

    /// Whether the caller merges blocks now and then, so that no write has to.
    package var mergesLater = false

    /// The usual settings.
    public init() {}

    fileprivate var options: StoreOptions {
        var options = StoreOptions()
        options.newFileMode = fileMode
        options.quarantineLimit = quarantineLimit
        // PostgreSQL counts milliseconds in 32 bits.
        let longest = Duration.milliseconds(Int32.max)
        options.lockTimeout = Double(max(.zero, min(patience, longest)).milliseconds) / 1000
        return mergesLater ? options.mergingLater : options
    }
}

/// Opening a store.
///
/// The methods of an engine, and those of a ``Learner``, read files and compute: they keep the calling thread for milliseconds,
/// for a large import for seconds. Tasks call them in `read(_:)` and `write(_:)`, which keep none of the threads that tasks share.
/// The engine may be used from many threads.
extension ProgressEngine {
    /// Opens a store.
    /// - Parameters:
    ///   - path: the store's file; or the address of a database, `postgresql://user@host/database?schema=laurel`.
    ///   - use: what it is opened for.
    ///   - rules: those of a new store; for ``StoreUse/reading``, those to read progress under. nil: the store's own, or those of
    ///     `Rules/starter.yaml` in a new one.
    ///   - settings: how it is opened.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/otherRules`` where the store to be written has others.
    public static func open(
        path: String,
        for use: StoreUse = .writing,
        rules: Rules? = nil,
        settings: StoreSettings = StoreSettings()
    ) throws(EngineError) -> ProgressEngine {
        try EngineError.translating {
            let options = settings.options
            func write() throws -> ProgressEngine {
                let clock = (settings.rulesAppliedAt ?? Date()).milliseconds
                return try openForWriting(
                    path,
                    rules: rules?.ruleSet,
                    clock: clock,
                    options: options,
                    learnerMemory: settings.learnerMemory
                )
            }
            // What is none is left as it is, and without a lock beside it.
            func mustExist() throws {
                if case .file = StoreBackend(path) { _ = try StoreBackend(path).open(mode: .readOnly) }
            }
            switch use {
            case .reading:
                return try openForReading(path, rules: rules?.ruleSet, learnerMemory: settings.learnerMemory)
            case .writing: return try write()
            case .rewriting:
                try mustExist()
                return try write()
            case .inspection: return try openForMaintenance(path, mode: .readOnly)
            case .removal:
                try mustExist()
                return try openForMaintenance(path, mode: .readWrite)
            }
        }
    }

    /// Opens a store in a file, as `open(path:for:rules:settings:)` does.
    public static func open(
        _ file: URL,
        for use: StoreUse = .writing,
        rules: Rules? = nil,
        settings: StoreSettings = StoreSettings()
    ) throws(EngineError) -> ProgressEngine {
        try open(path: file.path, for: use, rules: rules, settings: settings)
    }

    /// Deletes a store in a file, if this process has made it and nothing is stored in it.
    package func removeStoreIfUnused() throws(EngineError) {
        try EngineError.translating { try (store as? SQLiteStore)?.removeIfUnused() }
    }

    /// An engine whose store is in memory, and goes with it: for previews and tests.
    public static func inMemory(rules: Rules? = nil) throws(EngineError) -> ProgressEngine {
        try EngineError.translating {
            try ProgressEngine(store: MemoryStore(), rules: rules?.ruleSet, clock: Date().milliseconds)
        }
    }

    /// To be called once, before the first store is opened, by a process that asks SQLite for no statistics of memory: each
    /// allocation takes less then, as its counters are not kept.
    public static func configureProcess() { SQLiteStore.configureProcess() }
}
