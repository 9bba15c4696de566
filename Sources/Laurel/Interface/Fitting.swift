// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelEvents
import LaurelProgress
public import LaurelResults
import LaurelStore
import LaurelWire

/// Settings of a fit of FSRS's parameters.
public struct FitOptions: Sendable {
    /// The language whose words the parameters are for; nil, the default, for the words of all languages. With nil, all
    /// reviews count. The parameters describe the learner's memory more than a language.
    public var language: String?
    /// True for a dry run, which stores nothing.
    public var isDryRun = false
    /// The instant to read as of; nil for now.
    public var date: Date?
    /// The actor for the audit log; nil for no entry.
    public var actor: AuditActor?

    /// Creates the default settings.
    public init() {}
}

extension ProgressEngine {
    /// Fits the 21 parameters of FSRS-6 to a learner's reviews. As a test, parameters are fitted to earlier reviews
    /// only. If they predict the later reviews better than the parameters in force, the method stores an event
    /// `scheduler.fitted`. The event's parameters are a step from those in force towards the fitted ones. More evidence
    /// gives a longer step. The event comes right after the last review, so it changes no earlier schedule. To undo the
    /// fit, retract the event.
    ///
    /// With few reviews, only the four initial stabilities are fitted. The same reviews always give the same event.
    /// - Returns: the result; nil for an unknown learner.
    /// - Complexity: O(reviews of the learner), about half a second for 10,000 reviews.
    @discardableResult
    public func fit(
        _ learner: String,
        options: FitOptions = FitOptions(),
        now: Date = Date()
    ) throws(EngineError) -> SchedulerFit? {
        try EngineError.translating {
            let language = options.language?.canonicalLanguageTag
            let instant = Timestamp(options.date ?? now, in: nil)
            let folded = try fold(learner, until: instant) { ReviewSequenceCollector(plan: $0, language: language) }
            guard let folded else { return nil }
            var fit = SchedulerFit(learner: learner, language: language, outcome: .notFSRS)
            let event = fitted(&fit, folded.observer, folded.state)
            guard let event, !options.isDryRun else { return fit }
            var request = IngestRequest(.event, event.encoded)
            (request.name, request.isAtomic, request.actor) = ("fit", true, options.actor)
            fit.outcome = try store(request, now: now).duplicates > 0 ? .duplicate : .stored
            return fit
        }
    }

    /// Fits parameters to the reviews of each learner; see ``fit(_:options:now:)``. Each learner has a separate commit.
    /// - Parameters:
    ///   - options: the settings of the fit.
    ///   - now: the present time, for the ingest clock.
    ///   - observe: called after each learner with the numbers of finished learners and of all learners.
    /// - Complexity: O(events), on one core.
    public func fitAll(
        options: FitOptions = FitOptions(),
        now: Date = Date(),
        observe: (Int, Int) -> Void = { _, _ in }
    ) throws(EngineError) -> SchedulerFitReport {
        var learners: [String] = []
        var report = SchedulerFitReport()
        try EngineError.translating {
            try forEachOverview { overview in
                report.learners += 1
                // Learners with too few events for a fit are not read.
                guard overview.learner.eventCount >= 2 * LearnerReviews.fewestChecked else { return }
                learners.append(String(decoding: overview.learner.subject, as: UTF8.self))
            }
        }
        for (index, learner) in learners.enumerated() {
            try EngineError.translating { try Cancellation.check() }
            if let fit = try fit(learner, options: options, now: now), fit.checkedReviews != nil {
                report.fits.append(fit)
                if [.stored, .checked].contains(fit.outcome) { report.fitted += 1 }
            }
            observe(index + 1, learners.count)
        }
        return report
    }

    /// Computes a fit.
    /// - Returns: the event to store; nil if the fit is refused.
    private func fitted(
        _ fit: inout SchedulerFit,
        _ collector: ReviewSequenceCollector,
        _ state: LearnerState
    ) -> Event? {
        guard case .fsrs(let usual) = state.plan.scheduler else { return nil }
        let language = Array((fit.language ?? "").utf8)
        let reviews = LearnerReviews(collector.sequences, language: language, usual: usual) { language in
            if case .fsrs(let fsrs) = state.scheduler(language: language) { fsrs } else { usual }
        }
        fit.reviews = reviews.count
        guard let found = reviews.fit(since: collector.lastFit), let last = collector.last else {
            fit.outcome = .tooFewReviews
            return nil
        }
        fit.checkedReviews = found.reviews
        (fit.logLossBefore, fit.logLoss) = (rounded(found.lossInForce), rounded(found.loss))
        (fit.fitted, fit.parameters) = (found.fitted, found.parameters)
        fit.outcome = found.parameters == nil ? .notBetter : .checked
        guard found.parameters != nil else { return nil }
        let time = min(last.time.milliseconds + 1, Timestamp.range.upperBound)
        return fit.event(at: Timestamp(milliseconds: time, offset: last.time.offset), timezone: last.timezone)
    }
}

/// Rounds a log loss to six decimals, because the last digits differ between machines.
private func rounded(_ loss: Double) -> Double { (loss * 1_000_000).rounded() / 1_000_000 }

extension SchedulerFit {
    /// The `source` of the events that store fits.
    public static let source = "laurel/fit"

    /// The event that stores the parameters. Its id is a hash of its content, so a repeated fit is a duplicate.
    fileprivate func event(at time: Timestamp, timezone: String?) -> Event {
        var event = Event(
            id: "",
            source: SchedulerFit.source,
            type: EventKind.schedulerFitted.rawValue,
            subject: learner,
            time: time,
            language: language,
            timezone: timezone,
            data: [
                "parameters": .array((parameters ?? []).map(JSONValue.double)),
                "reviews": .integer(Int64(reviews)),
                "logLoss": .double(logLoss ?? 0),
            ]
        )
        event.id = "fit:" + SHA256.hash(event.encoded).hexadecimal.prefix(32)
        return event
    }
}
