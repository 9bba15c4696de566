import LaurelProgress

extension JSONText {
    /// The fields of one track, in the order in which they are documented.
    mutating func members(of progress: Progress) {
        member("userId", progress.userId)
        member("language", progress.language)
        member("displayName", progress.displayName)
        member("currentStreak", progress.currentStreak)
        member("longestStreak", progress.longestStreak)
        member("streakFreezes", progress.streakFreezes)
        member("lastActivityDate", progress.lastActivityDate)
        member("todayMinutes", progress.todayMinutes)
        member("dailyGoalMinutes", progress.dailyGoalMinutes)
        member("totalXP", progress.totalXP)
        member("weeklyXP", progress.weeklyXP)
        object("xpBreakdown") { $0.members(progress.xpBreakdown) }
        member("currentLevel", progress.currentLevel)
        member("levelProgressPercent", progress.levelProgressPercent)
        vocabularyMembers(of: progress)
        member("totalSessions", progress.totalSessions)
        member("totalMinutesPlayed", progress.totalMinutesPlayed)
        member("soloSessions", progress.soloSessions)
        member("multiplayerSessions", progress.multiplayerSessions)
        member("successfulRepairs", progress.successfulRepairs)
        member("helpGiven", progress.helpGiven)
        member("teamWins", progress.teamWins)
        member("estimatedCEFR", progress.estimatedCEFR)
        member("cefrProgressPercent", progress.cefrProgressPercent)
        object("metrics") { $0.members(progress.metrics) }
        list("achievements", progress.achievements) { json, achievement in
            json.member("id", achievement.id)
            json.member("tier", achievement.tier)
            json.member("tiers", achievement.tiers)
            json.member("unlockedAt", instant: achievement.unlockedAt)
            json.member("progress", achievement.progress)
        }
        member("events", progress.events)
        guard let rules = progress.rules else { return }
        object("rules") { json in
            json.member("name", rules.name)
            json.member("from", rules.from)
        }
    }

    private mutating func vocabularyMembers(of progress: Progress) {
        member("totalWordsKnown", progress.totalWordsKnown)
        member("totalWordsLearned", progress.totalWordsLearned)
        member("wordsDueForReview", progress.wordsDueForReview)
        object("vocabulary") { json in
            json.member("new", progress.vocabulary.new)
            json.member("learning", progress.vocabulary.learning)
            json.member("reviewing", progress.vocabulary.reviewing)
            json.member("mastered", progress.vocabulary.mastered)
        }
        member("vocabularyMasteryPercent", progress.vocabularyMasteryPercent)
    }

    mutating func members(_ numbers: [NamedNumber]) {
        for number in numbers { member(number.name, number.value) }
    }
}
