// SPDX-License-Identifier: Apache-2.0

/// Rows that the writer knows from its own transactions before, so that a small append need not read them.
///
/// They hold as long as nobody else writes: they are forgotten when a transaction fails, and when one finds that another
/// process has written since the last.
struct WriterCache {
    /// How many events the tail has, and the number of the last that was put there.
    struct Tail {
        var events: Int64
        var sequence: Int64
    }

    var tail: Tail?
    var changes: ChangeLog?
    /// nil where it is not known; a store may have no rules.
    var rulesKey: String??
    var foldVersion: UInt64?
}

extension StoreSession {
    /// To be called where rows may have changed without the session.
    /// - Parameter learners: those whose may have; nil where that is not known.
    func forgetRows(ofOnly learners: Set<Int64>? = nil) {
        known = WriterCache()
        if let learners { openLearners.forget(learners) } else { openLearners = LearnerCountCache() }
        names.removeAll()
        for writer in projectionWriters.values { writer.forgetRows() }
    }

    /// To be called in every transaction of a backend that reads these with what it reads anyway: nobody need ask for them.
    /// - Parameter firstCommit: below it no commit is numbered any more.
    func learn(rulesKey: String?, foldVersion: Int64, firstCommit: Int64) {
        self.firstCommit = firstCommit
        known.rulesKey = .some(rulesKey)
        known.foldVersion = UInt64(clamping: foldVersion)
    }

    /// Runs `read` where the writer does not know what it would find. A reader knows nothing: each time it sees another state.
    func remembered<T>(_ place: WritableKeyPath<WriterCache, T?>, _ read: () throws -> T) rethrows -> T {
        if let value = known[keyPath: place] { return value }
        let value = try read()
        if isWriter { known[keyPath: place] = value }
        return value
    }
}
