package import LaurelEvents
import LaurelProgress
package import LaurelRules

/// An achievement as its rule describes it, with how far the learner is.
package struct AchievementRecord: Sendable, Equatable {
    package var id: String
    package var name: String
    package var description: String
    package var category: String?
    /// nil for one of the overall track.
    package var language: String?
    /// Tiers unlocked so far, and how many there are.
    package var tier: Int
    package var tiers: Int
    /// Milliseconds since 1970, of the latest tier unlocked.
    package var unlockedAt: Int64?
    /// 0 … 1, towards the next locked tier.
    package var progress: Double
    /// The local days on which it can be unlocked, and where among them the instant's lies.
    package var period = Period.always
    package var periodPlace = Period.Place.within

    /// Whether at least its first tier is.
    package var isUnlocked: Bool { tier > 0 }
}

extension ProgressEngine {
    /// The achievements of every track, the overall one first, each in the order of the rules; hidden ones from when they are
    /// unlocked. nil for an unknown learner.
    /// - Parameter language: the tracks' language; nil for all of them, and the overall track.
    package func achievements(
        of subject: String,
        language: String?,
        at instant: Timestamp
    ) throws -> [AchievementRecord]? {
        guard let (state, plan) = try state(of: subject, at: instant) else { return nil }
        let reader = ProgressReader(plan: plan)
        // Those that only the version in force at the instant has are listed, too.
        let known = state.plan.rules.achievements + plan.version(at: instant).rules.achievements
        let rules = Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
        let tracks = language.map { [$0] } ?? [nil] + reader.languages(state)
        return tracks.flatMap { language in
            let progress = reader.progress(state, subject: subject, language: language, at: instant)
            let today = reader.localDay(of: instant, state, language: language)
            return (progress?.achievements ?? []).map { achievement in
                let rule = rules[achievement.id]
                return AchievementRecord(
                    id: achievement.id,
                    name: rule?.name ?? achievement.id,
                    description: rule?.description ?? "",
                    category: rule?.category,
                    language: language,
                    tier: achievement.tier,
                    tiers: achievement.tiers,
                    unlockedAt: achievement.unlockedAt,
                    progress: achievement.progress,
                    period: rule?.period ?? .always,
                    periodPlace: today.flatMap { rule?.period.place(of: $0) } ?? .within
                )
            }
        }
    }
}
