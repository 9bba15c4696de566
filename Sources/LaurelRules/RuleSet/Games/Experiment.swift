// SPDX-License-Identifier: Apache-2.0

/// An experiment. A hash of the learner's id decides the variant.
///
/// The hash is GrowthBook's, version 2. So an app that uses GrowthBook's SDK assigns the same variants.
package struct Experiment: Sendable {
    package struct Variant: Sendable {
        package let name: String
        /// The share of learners in percent, above 0.
        package let weight: Double
    }

    package let name: String
    /// The variants, in the order of the file. Their weights add up to at most 100.
    package internal(set) var variants: [Variant]
    package let seed: String
    /// The days on which `experiment.NAME` is not null.
    package internal(set) var period = Period.always

    /// The index of a learner's variant; nil if the learner is in no variant.
    package func variant(of learner: String) -> Int? {
        let share = Experiment.share(of: learner, seed: seed)
        var start = 0.0
        for (index, variant) in variants.enumerated() {
            let end = start + variant.weight / 100
            if share >= start, share < end { return index }
            start = end
        }
        return nil
    }

    /// The hash of a learner's id and a seed, as a number from 0 to 0.9999.
    static func share(of learner: String, seed: String) -> Double {
        Double(FNV1a.hash("\(FNV1a.hash(seed + learner))") % 10_000) / 10_000
    }

    /// An id that begins with `learner` and is assigned to a variant; nil if none of the first 100,000 such ids is.
    func learner(in variant: Int) -> String? {
        let ids = (0..<100_000).lazy.map { $0 == 0 ? RuleTest.learner : "\(RuleTest.learner)-\($0)" }
        return ids.first { self.variant(of: $0) == variant }
    }
}

extension RuleSet {
    /// The rules that assign every learner to one variant of an experiment. If the rules do not have this variant, they
    /// stay the same.
    package func assigningEveryone(to variant: String, of experiment: String) -> RuleSet {
        guard let index = experiments.firstIndex(where: { $0.name == experiment }),
            experiments[index].variants.contains(where: { $0.name == variant })
        else { return self }
        var parts = self
        parts.experiments[index].variants = [Experiment.Variant(name: variant, weight: 100)]
        return parts
    }
}

/// FNV-1a with 32 bits over UTF-16 code units.
package enum FNV1a {
    package static func hash(_ text: String) -> UInt32 {
        text.utf16.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
