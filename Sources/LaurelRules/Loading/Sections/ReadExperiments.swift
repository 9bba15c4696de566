// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelYAML

extension RulesLoader {
    mutating func readExperiments(_ node: YAMLNode?) -> [Experiment] {
        var experiments: [Experiment] = []
        for entry in mapping(node, "`experiments`") ?? [] {
            if !isFieldName(entry.key) {
                report(entry.keyOffset, "`\(entry.key)` cannot be an experiment's name: \(Self.nameForm)")
            }
            guard !entry.value.isNull, let section = section(entry.value, .experiment) else {
                if entry.value.isNull { report(entry.keyOffset, "the experiment `\(entry.key)` needs `variants`") }
                continue
            }
            let index = experiments.count
            note(.experiment(index), "the experiment `\(entry.key)`", entry.keyOffset)
            for (key, part) in [("from", RulePart.Kind.experimentFrom(index)), ("through", .experimentThrough(index))]
            where section.has(key) {
                note(part, "`\(key)` of the experiment `\(entry.key)`", section.keyOffset(key))
            }
            let seed = section["seed"].flatMap { text($0, "`seed`") } ?? entry.key
            var experiment = Experiment(name: entry.key, variants: readVariants(section), seed: seed)
            experiment.period = readPeriod(section)
            experiments.append(experiment)
        }
        return experiments
    }

    static let nameForm = "use letters, digits and _, no digit first"

    private mutating func readVariants(_ section: Section) -> [Experiment.Variant] {
        guard let node = required(section, "variants"), let entries = mapping(node, "`variants`") else { return [] }
        if entries.isEmpty { report(node.offset, "`variants` must not be empty: {control: 50, bonus: 50}") }
        var variants: [Experiment.Variant] = []
        for entry in entries {
            guard let weight = number(entry.value, "`\(entry.key)`") else { continue }
            if weight <= 0 {
                report(entry.value.offset, "the share of `\(entry.key)` must be above 0 percent, not \(weight.brief)")
            }
            variants.append(Experiment.Variant(name: entry.key, weight: weight))
        }
        let sum = variants.reduce(0) { $0 + $1.weight }
        // The sum of shares such as 33.3 may be slightly above 100 in doubles.
        if sum > 100 + 1e-9 { report(node.offset, "the variants add up to \(sum.brief) percent, more than 100") }
        return variants
    }

    /// The learner of a test that has `variant`. Other tests have the default learner.
    mutating func readTestLearner(_ section: Section) -> String {
        guard let node = section["variant"], let wanted = nonEmptyText(node, "`variant`") else {
            return RuleTest.learner
        }
        var found: [(experiment: Experiment, variant: Int)] = []
        for experiment in experiments {
            for (index, variant) in experiment.variants.enumerated()
            where wanted == variant.name || wanted == "\(experiment.name).\(variant.name)" {
                found.append((experiment, index))
            }
        }
        guard let first = found.first else {
            let known = experiments.flatMap(\.variants).map(\.name)
            let nearest = isFull ? nil : nearestName(to: wanted, among: known)
            report(
                node.offset,
                "no experiment has a variant `\(wanted)`\(didYouMean(code: nearest))",
                suggestion: nearest
            )
            return RuleTest.learner
        }
        if found.count > 1 {
            let name = first.experiment.name
            let message = "several experiments have a variant `\(wanted)`: write `\(name).\(wanted)`"
            report(node.offset, message, suggestion: "\(name).\(wanted)")
        }
        guard let learner = first.experiment.learner(in: first.variant) else {
            report(node.offset, "no learner was found in `\(wanted)`: its share is too small for a test")
            return RuleTest.learner
        }
        return learner
    }

    /// Warns about experiments that no rule reads.
    mutating func warnAboutExperiments(_ parts: RuleSet) {
        let read = parts.layout.experiments.map(\.name)
        for (index, experiment) in parts.experiments.enumerated() where !read.contains(experiment.name) {
            guard let part = parts.parts.first(where: { $0.kind == .experiment(index) }) else { continue }
            report(part.range, "no rule reads `experiment.\(experiment.name)`: the variants do not differ", .warning)
        }
    }
}
