// SPDX-License-Identifier: Apache-2.0

import LaurelRules

/// The fold's own steps for some kinds of events. They run between the steps of the rules.
enum BuiltInStep: Int {
    case applyProfile, borrow, countPerTrack, applyStreakCorrection, publishStreak, adjust, applyManualAchievement,
        closeSession, refill, settleBalances, keepFit, changeMembership, finishLeague

    /// The position of a step relative to the steps of the rules.
    enum Position {
        case first, beforeDay, afterDay, afterAwards, beforeAchievements, last
    }

    var position: Position {
        switch self {
        case .applyProfile, .borrow, .countPerTrack, .refill, .keepFit, .changeMembership, .finishLeague:
            .first
        case .applyStreakCorrection: .beforeDay
        case .publishStreak: .afterDay
        case .adjust, .settleBalances: .afterAwards
        case .applyManualAchievement: .beforeAchievements
        case .closeSession: .last
        }
    }

    /// True if the step runs only in the overall track, not in each track.
    var isOverall: Bool {
        switch self {
        case .applyProfile, .adjust, .refill, .settleBalances, .keepFit, .changeMembership,
            .finishLeague:
            true
        default: false
        }
    }
}

/// The operations that steps call, except those for metrics, days, XP and achievements.
extension FoldCore: StepHost {
    @inline(never)
    mutating func perform(_ builtIn: Int) {
        let track = track
        switch BuiltInStep(rawValue: builtIn) {
        case .applyProfile: applyProfile()
        case .borrow: borrowFromStart(&track.pointee)
        case .countPerTrack: countPerTrack(&track.pointee)
        case .applyStreakCorrection: applyStreakCorrection(&track.pointee)
        case .publishStreak: publishStreak(&track.pointee)
        case .adjust: adjust()
        case .applyManualAchievement: applyManualAchievement(&track.pointee)
        case .closeSession: closeSession(&track.pointee)
        case .refill: refillBalances()
        case .settleBalances: settleBalances()
        case .keepFit: keepFit(languageTrack)
        case .changeMembership: changeMembership()
        case .finishLeague: finishLeague()
        case nil: break
        }
    }

    private mutating func applyProfile() {
        if let name = scratch.string(.displayName, columns) { learner.profile.displayName = name }
        if let language = scratch.string(.nativeLanguage, columns) { learner.profile.nativeLanguage = language }
        if let isOn = scratch.flag(.leaderboard) { learner.profile.isOnLeaderboards = isOn }
        if let minutes = scratch.integer(.dailyGoalMinutes, columns) { learner.profile.dailyGoalMinutes = Int(minutes) }
        if let cohort = scratch.string(.cohort, columns) { learner.profile.cohort = cohort }
        if let competes = scratch.flag(.leagues) { learner.leagues.isOut = !competes }
        if !plan.learnerFields.isEmpty { storeLearnerFields() }
    }
}
