// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension Command {
    static let fit = Command(
        "fit",
        "Fits FSRS's parameters to a learner's reviews",
        details: """
            Without LEARNER, the command fits parameters to the reviews of each learner. Parameters
            that predict later reviews better than those in force are stored as an event
            `scheduler.fitted`. To undo a fit, retract the event.
            """,
        operand: Operand("LEARNER", .atMostOne, "the learner's id (default: all learners)"),
        options: [.store, FitCommand.language, FitCommand.dryRun, .at, .json],
        example: "laurel fit anna"
    ) { try FitCommand(arguments: $0, console: $1).run() }
}

private struct FitCommand {
    static let language = CommandOption(
        "language",
        "L",
        "parameters for this language's words only (default: one fit for all languages)",
        completes: .languages
    )
    static let dryRun = CommandOption("dry-run", nil, "show the result without storing it")

    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        var options = FitOptions()
        options.language = arguments.text(Self.language)
        options.isDryRun = arguments.has(Self.dryRun)
        options.date = try arguments.instant(.at)?.date
        options.actor = System.actor
        let engine = try options.isDryRun ? arguments.openForReading() : arguments.openForWriting(clock: Date())
        if let learner = arguments.operands.first {
            guard let fit = try engine.fit(learner, options: options) else { throw try engine.unknownLearner(learner) }
            return try write(fit)
        }
        let report = try console.withProgress("learners") { line in
            try engine.fitAll(options: options) { done, all in line.show(done, share: Double(done) / Double(all)) }
        }
        return try write(report)
    }

    private func write(_ fit: SchedulerFit) throws -> ExitStatus {
        guard !arguments.has(.json) else {
            try console.output.writeJSON(fit)
            return .done
        }
        try console.output.writeLine(fit.sentence)
        return .done
    }

    private func write(_ report: SchedulerFitReport) throws -> ExitStatus {
        guard !arguments.has(.json) else {
            try console.output.writeJSON(report)
            return .done
        }
        for fit in report.fits { try console.output.writeLine(fit.sentence) }
        try console.output.writeLine(
            "\(Numbers.count(report.fitted, "learner")) of \(report.learners) "
                + (arguments.has(Self.dryRun) ? "would get new parameters" : "got new parameters")
        )
        return .done
    }
}

extension SchedulerFit {
    /// The result as a sentence.
    fileprivate var sentence: String { "“\(Visible.text(learner))”: \(reason)" }

    private var reason: String {
        let fitted = "fitted from \(Numbers.count(reviews, "review"))"
        return switch outcome {
        case .stored: "\(fitted) and stored; \(losses)"
        case .checked: "\(fitted), but not stored; \(losses)"
        case .duplicate: "this fit was stored before; if it was retracted, it stays without effect; \(losses)"
        case .notBetter: "no fit, because the fitted parameters are not clearly better; \(losses)"
        case .tooFewReviews:
            "no fit, because there are too few reviews, or too few since the last fit;"
                + " \(Numbers.count(reviews, "review")) came at least a day after the word's previous review"
        case .notFSRS: "no fit, because the rules do not use FSRS; set `mastery: {scheduler: fsrs}`"
        }
    }

    private var losses: String {
        func text(_ loss: Double?) -> String { Numbers.grouped(loss ?? 0, decimals: 4) }
        return "the log loss of \(Numbers.count(checkedReviews ?? 0, "later review"))"
            + " is \(text(logLoss)), and \(text(logLossBefore)) with the parameters in force"
    }
}
