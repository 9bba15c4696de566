// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelResults

/// A simulated year in a track.
private struct WorkloadRow {
    let learner: String
    let forecast: WorkloadForecast
    let outcome: WorkloadForecast.Outcome
}

extension ReportTable {
    private static let workloadKey: [ReportColumn<WorkloadRow>] = [
        ReportColumn("learner", \.learner),
        ReportColumn("language") { $0.forecast.language ?? "*" },
        ReportColumn("retention", \.outcome.desiredRetention),
    ]

    private static let workloadColumns: [ReportColumn<WorkloadRow>] = [
        ReportColumn("desired") { $0.outcome.desiredRetention == $0.forecast.desiredRetention },
        ReportColumn("words", \.forecast.words),
        ReportColumn("reviews_per_day", \.outcome.reviewsPerDay),
        ReportColumn("ms_per_day") { $0.outcome.minutesPerDay * 60_000 },
        ReportColumn("words_recalled", \.outcome.wordsRecalled),
    ]

    /// The next year under other desired retentions. Under SM-2, the table is empty.
    static let workload = ReportTable(
        "workload",
        .workload,
        isForOneLearner: true,
        key: workloadKey,
        workloadColumns
    ) { facts, _ in
        facts.workloads.flatMap { forecast in
            forecast.outcomes.map { WorkloadRow(learner: facts.learner, forecast: forecast, outcome: $0) }
        }
    }
}
