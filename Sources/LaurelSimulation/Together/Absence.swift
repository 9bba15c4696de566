// SPDX-License-Identifier: Apache-2.0

/// The absence of a learner who stops for 2 to 8 months and then comes back.
struct Absence {
    /// The last day of practice before the absence.
    private let last: Int
    /// The first day of practice after the absence.
    private let back: Int

    /// The absences by the learners' indexes: one learner in 33, but at least one. Most of them are keen, so that the
    /// gap is a long one for them.
    static func absences(among learners: ContiguousArray<Learner>, seed: UInt64) -> [Int: Absence] {
        var random = Random(seed: seed, for: .absences)
        var absences: [Int: Absence] = [:]
        for part in learners.indices.parts(ofAtLeast: 33) {
            var keenest = part.lowerBound + random.below(part.count)
            for _ in 1..<5 {
                let other = part.lowerBound + random.below(part.count)
                if learners[other].motivation > learners[keenest].motivation { keenest = other }
            }
            let last = random.between(20, 140)
            absences[keenest] = Absence(last: last, back: last + random.between(61, 243))
        }
        return absences
    }

    /// True if the learner practises on that day, false if not; nil if the learner's habits decide.
    func attendance(on day: Int) -> Bool? {
        if day == last || day == back { return true }
        return (last...back).contains(day) ? false : nil
    }
}
