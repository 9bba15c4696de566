// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules

/// An experiment of the rules, with the days on which rules can read it.
struct ReportedExperiment: Sendable {
    let experiment: Experiment
    let period: Period

    func contains(_ day: LocalDay) -> Bool { period.place(of: day) == .within }
}

extension FoldPlan {
    /// The experiments of all versions of the rules. Each experiment occurs once, with the definition in the latest
    /// version that has it. If a version adds or removes the experiment, that version's first day limits the
    /// experiment's period.
    var reportedExperiments: [ReportedExperiment] {
        var met: Set<String> = []
        return versions.indices.reversed().flatMap { index in
            versions[index].rules.experiments.filter { met.insert($0.name).inserted }.map { experiment in
                let first = versions.first { $0.rules.experiments.contains { $0.name == experiment.name } }?.from
                let next = index + 1 < versions.count ? versions[index + 1].from : nil
                let last = next.map { LocalDay(number: $0.number - 1) }
                return ReportedExperiment(
                    experiment: experiment,
                    period: Period(
                        from: [experiment.period.from, first].compactMap(\.self).max(),
                        through: [experiment.period.through, last].compactMap(\.self).min()
                    )
                )
            }
        }
    }
}

/// A variant of an experiment.
private struct VariantRow {
    let experiment: ReportedExperiment
    /// The position in the experiment, from 1.
    let position: Int

    var variant: Experiment.Variant { experiment.experiment.variants[position - 1] }
}

/// A learner's days in an experiment, in a track.
private struct ParticipantRow {
    let learner: String
    let track: TrackFacts
    let experiment: ReportedExperiment
    let variant: String
    /// The first active day in the experiment's period.
    let firstDay: LocalDay
    let today: LocalDay

    /// The days in the tables from the first day to the end of the experiment.
    var days: some Sequence<DayProjection> {
        track.projection.days.lazy.filter { $0.day >= firstDay && experiment.contains($0.day) }
    }

    /// True if the learner was active on the day that is `days` days after the first day; nil if that day is not over.
    func cameBack(after days: Int32) -> Bool? {
        let day = LocalDay(number: firstDay.number + days)
        return day < today ? track.activeDays.contains(day) : nil
    }

    static func all(_ facts: LearnerFacts, _ source: TableSource) -> [ParticipantRow] {
        source.experiments.flatMap { experiment in
            guard let variant = experiment.experiment.variant(of: facts.learner) else { return [ParticipantRow]() }
            return facts.tracks.compactMap { track in
                guard let firstDay = track.activeDays.first(where: experiment.contains) else { return nil }
                return ParticipantRow(
                    learner: facts.learner,
                    track: track,
                    experiment: experiment,
                    variant: experiment.experiment.variants[variant].name,
                    firstDay: firstDay,
                    today: facts.today
                )
            }
        }
    }
}

/// The tables about experiments.
extension ReportTable {
    private static let variantsColumns: [ReportColumn<VariantRow>] = [
        ReportColumn("variant", \.variant.name),
        ReportColumn("share", \.variant.weight),
        ReportColumn("from_day", \.experiment.period.from),
        ReportColumn("through_day", \.experiment.period.through),
    ]

    static let variants = ReportTable(
        shared: "variants",
        key: [ReportColumn("experiment", \.experiment.experiment.name), ReportColumn("position", \.position)],
        variantsColumns
    ) { source in
        source.experiments.flatMap { experiment in
            experiment.experiment.variants.indices.map { VariantRow(experiment: experiment, position: $0 + 1) }
        }
    }

    private static let experimentsKey: [ReportColumn<ParticipantRow>] = [
        ReportColumn("learner", \.learner),
        ReportColumn("language") { $0.track.projection.language ?? "*" },
        ReportColumn("experiment", \.experiment.experiment.name),
    ]

    private static let experimentsColumns: [ReportColumn<ParticipantRow>] = [
        ReportColumn("variant", \.variant),
        ReportColumn("first_day", \.firstDay),
        ReportColumn("active_days") { $0.days.count(where: \.isActive) },
        ReportColumn("xp") { $0.days.reduce(0) { $0 + $1.xp } },
        ReportColumn("back_1") { $0.cameBack(after: 1) },
        ReportColumn("back_7") { $0.cameBack(after: 7) },
        ReportColumn("back_28") { $0.cameBack(after: 28) },
    ]

    static let experiments = ReportTable(
        "experiments",
        .activeDays,
        key: experimentsKey,
        experimentsColumns,
        rows: ParticipantRow.all
    )
}
