// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules

/// Several observers of one fold.
final class ObserverGroup: FoldObserver {
    private let members: [any FoldObserver]

    init(_ members: [any FoldObserver]) { self.members = members }

    func didSwitchVersion(to plan: VersionPlan) {
        for member in members { member.didSwitchVersion(to: plan) }
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        for member in members { member.willFold(table, row, event) }
    }

    func didChangeWord(_ word: WordOutcome) {
        for member in members { member.didChangeWord(word) }
    }

    func didAward(rule: Int, computed: Double, amount: Double, _ frame: Frame) {
        for member in members { member.didAward(rule: rule, computed: computed, amount: amount, frame) }
    }

    func didWithhold(rule: Int, _ frame: Frame) {
        for member in members { member.didWithhold(rule: rule, frame) }
    }

    func didSkipRule(rule: Int, _ frame: Frame) {
        for member in members { member.didSkipRule(rule: rule, frame) }
    }

    func didDeclare(total: Double, lacking: Double) {
        for member in members { member.didDeclare(total: total, lacking: lacking) }
    }

    func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double) {
        for member in members { member.didCredit(language, bucket: bucket, amount: amount) }
    }

    func didUnlock(achievement: Int, tiers: ClosedRange<Int>, _ language: [UInt8]?) {
        for member in members { member.didUnlock(achievement: achievement, tiers: tiers, language) }
    }

    func didRevoke(achievement: Int, given: Double, _ language: [UInt8]?) {
        for member in members { member.didRevoke(achievement: achievement, given: given, language) }
    }

    func didComplete(goal: Int) {
        for member in members { member.didComplete(goal: goal) }
    }
}
