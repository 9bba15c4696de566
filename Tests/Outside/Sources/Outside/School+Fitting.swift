// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension School {
    private static let cards = """
        version: 1
        name: cards
        mastery: {scheduler: fsrs}
        """

    /// The calls that fit FSRS's parameters, and read groups and leagues, in a store of its own.
    func fit() throws {
        let cards = try ProgressEngine.inMemory(rules: Rules(yaml: Self.cards))
        try cards.ingest([
            Event(
                id: "1",
                source: "app",
                type: "review.graded",
                subject: "ana",
                time: Timestamp(Date()),
                data: ["word": "sol", "grade": "good"]
            )
        ])
        var options = FitOptions()
        (options.language, options.isDryRun, options.date, options.actor) = (nil, true, nil, nil)
        let fit = try cards.fit("ana", options: options)
        tell("fit", "\(fit?.outcome == .tooFewReviews), \(fit?.reviews ?? 0), \(SchedulerFit.source)")
        use((fit?.learner, fit?.language, fit?.checkedReviews, fit?.logLossBefore, fit?.logLoss))
        use((fit?.fitted, fit?.parameters))
        use(SchedulerFit(learner: "ana", outcome: .stored))
        use(SchedulerFit.Outcome.allCases)
        let report = try cards.fitAll()
        tell("fits", "\(report.learners), \(report.fitted), \(report.fits.count)")
        use(SchedulerFitReport())
        let forecast = try cards.learner("ana").workload(desiredRetentions: [0.85])
        tell("forecast", "\(forecast?.words ?? 0), \(forecast?.outcomes.count ?? 0)")
        let blue = try cards.group("blue")
        use((blue?.visible { _ in true }, try cards.learner("ana").groups()))
        tell("groups", try cards.groups().count)
        let standing = try cards.learner("ana").league()
        use((try cards.league("weekly"), cards.leagues(), standing?.visible { _ in true }))
        tell("leagues", try cards.settleLeagues(isDryRun: true).count)
    }
}
