// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports

/// A group of learners by the time since their latest practice. Each learner belongs to one group.
enum PracticeGroup: String, CaseIterable, Sendable {
    case day, week, month, longer, never

    init(_ member: ClassMember, at date: Date) {
        guard let last = member.lastPracticeAt else {
            self = .never
            return
        }
        self =
            switch date.timeIntervalSince(last) / 86_400 {
            case ..<1: .day
            case ..<7: .week
            case ..<28: .month
            default: .longer
            }
    }

    var title: PageText {
        switch self {
        case .day: "In the last 24 hours"
        case .week: "1 to 6 days ago"
        case .month: "1 to 3 weeks ago"
        case .longer: "4 weeks ago or earlier"
        case .never: "Never"
        }
    }
}
