// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults

extension ProgressReader {
    /// Forecasts of the workload. The forecasts for all languages together come first, then those for each language in
    /// byte order. Empty under SM-2, and if FSRS has not scheduled any word.
    /// - Parameters:
    ///   - state: a state whose rules are those in force at the instant.
    ///   - retentions: the desired retentions to simulate, in addition to the desired retention of the rules.
    func workloads(
        _ state: LearnerState,
        _ habits: ReviewHabits,
        retentions: [Double],
        at instant: Timestamp
    ) -> [WorkloadForecast] {
        guard let desired = state.plan.scheduler.desiredRetention else { return [] }
        let groups = state.vocabularies.compactMap { vocabulary -> (language: [UInt8], words: [SimulatedWord])? in
            let tag = vocabulary.language.isEmpty ? nil : String(decoding: vocabulary.language, as: UTF8.self)
            guard let day = localDay(of: instant, state, language: tag) else { return nil }
            let time = ReviewTime(instant.milliseconds, day)
            let words = state.simulatedWords(of: vocabulary, at: time)
            return words.isEmpty ? nil : (vocabulary.language, words)
        }.sorted { $0.language.lexicographicallyPrecedes($1.language) }
        let count = groups.reduce(0) { $0 + $1.words.count }
        guard count > 0 else { return [] }
        let simulation = WorkloadSimulation(grades: habits.recalled, words: count)
        let all = Set(retentions.filter { $0 > 0 && $0 < 1 } + [desired]).sorted()
        func forecast(_ language: String?, _ words: Int, _ years: [WorkloadSimulation.Outcome]) -> WorkloadForecast {
            WorkloadForecast(
                language: language,
                words: words,
                desiredRetention: desired,
                secondsPerReview: habits.milliseconds / 1000,
                outcomes: zip(all, years).map { .init($0, $1, milliseconds: habits.milliseconds) }
            )
        }
        var sums = all.map { _ in WorkloadSimulation.Outcome() }
        var forecasts: [WorkloadForecast] = []
        for (language, words) in groups {
            guard case .fsrs(let fsrs) = state.scheduler(language: language) else { continue }
            let years = all.map { simulation.outcome(of: words, under: fsrs.with(desiredRetention: $0)) }
            for index in sums.indices { sums[index] += years[index] }
            if !language.isEmpty {
                forecasts.append(forecast(String(decoding: language, as: UTF8.self), words.count, years))
            }
        }
        return [forecast(nil, count, sums)] + forecasts
    }
}

extension WorkloadForecast.Outcome {
    fileprivate init(_ retention: Double, _ year: WorkloadSimulation.Outcome, milliseconds: Double) {
        let reviews = year.reviews / Double(WorkloadSimulation.days)
        self.init(
            desiredRetention: retention,
            reviewsPerDay: reviews,
            minutesPerDay: reviews * milliseconds / 60_000,
            wordsRecalled: year.recall
        )
    }
}
