// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelEvents
import LaurelRules
import LaurelStore
import LaurelWire

/// The purpose for which a store is opened.
public enum StoreUse: Sendable, Hashable {
    /// Queries. Another process may write meanwhile.
    case reading
    /// Reading and writing; a missing file is created. In a database, only
    /// ``StoreManagement/create(_:partitions:isDistributed:fileMode:)`` creates a store.
    case writing
    /// Reading and writing an existing store.
    case rewriting
    /// Verifying, and exporting events and refused lines. The store's rules may be unreadable. Do not query progress.
    case inspection
    /// Erasing learners, and dropping refused lines, in an existing store. Do not query progress.
    case removal
}

/// Settings for opening a store.
public struct StoreSettings: Sendable, Hashable {
    /// The permissions of a new store.
    public var fileMode: UInt32 = 0o600
    /// The maximum number of bytes of refused lines in quarantine. nil means 1 GiB, or a tenth of the free disk space
    /// if that is less.
    public var quarantineLimit: Int64?
    /// The maximum time to wait for another writer, in this process or another.
    public var patience: Duration = .seconds(10)
    /// The approximate number of bytes for cached states of recently folded learners. While a learner's state is
    /// cached, storing the next event of the learner takes some microseconds, and so does a query.
    public var learnerMemory = 32 << 20
    /// The time recorded for rules that are applied when the store is opened; nil for now.
    public var rulesAppliedAt: Date?

    /// True if the caller merges blocks from time to time, so that writes need not merge them.
    package var mergesLater = false

    /// Creates the default settings.
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

/// Opens stores.
///
/// The methods of an engine and of a ``Learner`` read files and compute. They block the calling thread for
/// milliseconds, or for seconds in a large import. In tasks, call them within `read(_:)` and `write(_:)`, which do
/// not block the threads that tasks share. Many threads may use one engine.
extension ProgressEngine {
    /// Opens a store.
    /// - Parameters:
    ///   - path: the store's file; or the address of a database, `postgresql://user@host/database?schema=laurel`.
    ///   - use: the purpose for which it is opened.
    ///   - rules: the rules of a new store, or the rules for ``StoreUse/reading``. nil for the store's own rules; a new
    ///     store gets `Rules/starter.yaml`.
    ///   - settings: the settings for opening it.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/otherRules`` if a store opened for writing has other
    ///   rules.
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
            // Opening for reading first leaves a file that is not a store unchanged, and creates no lock file for it.
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

    /// Deletes a store in a file if this process created it and nothing is stored in it.
    package func removeStoreIfUnused() throws(EngineError) {
        try EngineError.translating { try (store as? SQLiteStore)?.removeIfUnused() }
    }

    /// Creates an engine with a store in memory, for previews and tests. The store is deleted with the engine.
    public static func inMemory(rules: Rules? = nil) throws(EngineError) -> ProgressEngine {
        try EngineError.translating {
            try ProgressEngine(store: MemoryStore(), rules: rules?.ruleSet, clock: Date().milliseconds)
        }
    }

    /// Turns off SQLite's memory statistics, which makes allocations faster. Call it once, before the first store is
    /// opened.
    public static func configureProcess() { SQLiteStore.configureProcess() }
}
