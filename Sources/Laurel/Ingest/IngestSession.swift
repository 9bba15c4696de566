// SPDX-License-Identifier: Apache-2.0

import LaurelAdapters
import LaurelProgress
import LaurelResults
import LaurelStore

/// The settings, the tools and the report of an ingest. Use it from one thread at a time.
final class IngestSession {
    let store: any EventStore
    let options: IngestOptions
    private(set) var tools: IngestTools
    /// The counts so far, including uncommitted events.
    var report = IngestReport()

    /// The maximum number of events of an ingest whose tools a later small ingest reuses.
    private static let smallEvents = 4096

    /// The format, if the inputs are not CloudEvents.
    var format: AdapterKind? { options.format?.kind }

    /// - Parameter tools: the tools to use. They may be set to any plan.
    init(_ store: any EventStore, _ options: IngestOptions, tools: IngestTools) throws {
        (self.store, self.options, self.tools) = (store, options, tools)
        // Missing options must be reported before an event is written.
        report.kinds = try format?.adapter(options.attributes.options).kinds.map { IngestReport.Kind(what: $0) } ?? []
    }

    /// Creates a session that stores shares staged by another session. It may run on any thread.
    init(storingFor other: IngestSession) {
        (store, options) = (other.store, other.options)
        tools = IngestTools(updater: other.tools.updater.following(other.tools.updater.plan))
    }

    /// True if several threads may store the staged shares. In adapted formats, one event may supersede another, so
    /// their order matters.
    var sharesMayMix: Bool { format == nil }

    /// Adds the report of another session that has stored shares.
    func take(_ other: IngestReport) {
        report.stored += other.stored
        report.duplicates += other.duplicates
        report.conflicts += other.conflicts
        report.notKept += other.notKept
        for problem in other.problems { report.note(problem) }
    }

    /// Returns the report, and starts a new one.
    func takeReport() -> IngestReport {
        defer { report = IngestReport() }
        return report
    }

    /// - Parameter id: the line's id in quarantine; nil if the line was not kept.
    func noteKept(_ id: Int64?) {
        if id == nil { report.notKept += 1 }
    }

    /// The updater for the next transaction.
    func updater(of plan: FoldPlan) -> LearnerUpdater { tools.updater(of: plan) }

    /// Marks the filled transaction as durable.
    func commit() { tools.updater.commit() }

    /// Tools that a later small ingest can reuse; nil if this ingest is large. Read the property at the end.
    var spareTools: IngestTools? { report.read <= IngestSession.smallEvents ? tools : nil }
}
