// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelProgress
public import LaurelResults
import LaurelWire

extension Learner {
    /// The reviews of the next year under other desired retentions, by a simulation of the learner's words. The same
    /// events always give the same forecast. `docs/numbers.md` defines the simulation.
    /// - Parameters:
    ///   - language: the language of the words; nil for all languages.
    ///   - desiredRetentions: the retentions to simulate. Numbers that are not between 0 and 1 are ignored. The
    ///     retention of the rules is always simulated.
    ///   - date: the instant of the forecast; now if nil.
    /// - Returns: nil under SM-2, and if FSRS has not scheduled any word.
    /// - Complexity: O(events of the learner), and about a microsecond for each simulated review.
    public func workload(
        language: String? = nil,
        desiredRetentions: [Double] = WorkloadForecast.usualRetentions,
        at date: Date? = nil
    ) throws(EngineError) -> WorkloadForecast? {
        try EngineError.translating {
            let instant = instant(date)
            let folded = try engine.fold(id, until: instant) { _ in ReviewCollector(days: nil) }
            guard let (collector, state, plan) = folded else { return nil }
            let forecasts = ProgressReader(plan: plan).workloads(
                state,
                collector.habits,
                retentions: desiredRetentions,
                at: instant
            )
            return forecasts.first { $0.language == language?.canonicalLanguageTag }
        }
    }
}
