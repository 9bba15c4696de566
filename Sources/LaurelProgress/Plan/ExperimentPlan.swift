// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// An experiment that expressions read.
struct ExperimentPlan {
    let experiment: Experiment
    /// The slot among the event's texts.
    let slot: Int
    let period: PeriodPlan
    private let variants: TextConstants

    init(_ experiment: Experiment, slot: Int) {
        (self.experiment, self.slot) = (experiment, slot)
        period = PeriodPlan(experiment.period)
        variants = TextConstants(experiment.variants.map(\.name))
    }

    /// The experiments that the rules' expressions read.
    static func read(by rules: RuleSet) -> [ExperimentPlan] {
        rules.layout.experiments.compactMap { slot in
            rules.experiments.first { $0.name == slot.name }.map { ExperimentPlan($0, slot: slot.slot) }
        }
    }

    /// The name of a learner's variant; null if the learner has no variant in the experiment.
    func variant(of learner: String) -> TextSlice {
        experiment.variant(of: learner).map { variants.slices[$0] } ?? TextSlice()
    }
}

extension FoldCore {
    /// Assigns a learner to the variants of the experiments.
    mutating func assignVariants(of learner: ArraySlice<UInt8>) {
        let id = String(decoding: learner, as: UTF8.self)
        variants = plan.experiments.map { $0.variant(of: id) }
    }

    /// Makes the learner's variants readable by expressions. Outside an experiment's period they are null.
    mutating func publishVariants() {
        for (experiment, variant) in zip(plan.experiments, variants) {
            scratch.texts[experiment.slot] = experiment.period.contains(event.day) ? variant : TextSlice()
        }
    }
}
