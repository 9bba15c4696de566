// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LaurelEvents
import LaurelProgress
public import LaurelResults
import LaurelRules
import LaurelWire

/// Weekly leagues. The rules define them under `leagues`.
extension ProgressEngine {
    /// The names of the leagues that the rules define at an instant, in the order of the rules.
    /// - Parameter date: the instant; nil for now.
    public func leagues(at date: Date? = nil) -> [String] {
        plan.version(at: Timestamp(date ?? Date(), in: nil)).rules.leagues.map(\.name)
    }

    /// A week of a league with all its rooms, as the settlement would rank the learners at an instant.
    /// - Parameters:
    ///   - name: the league's name.
    ///   - day: a day of the week; nil for the day of the instant, by the rules' clock.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: nil if the rules of the week's first day lack the league.
    /// - Complexity: O(events), on all cores.
    public func league(_ name: String, day: LocalDay? = nil, at date: Date? = nil) throws(EngineError) -> LeagueTable? {
        try EngineError.translating { try leagueTable(name, day: day, at: Timestamp(date ?? Date(), in: nil)) }
    }

    /// Settles all weeks of the leagues that have ended. The results become `league.finished` events of the learners.
    /// The same week is never settled twice. If late events may improve results, a further call for the latest settled
    /// week stores the better results.
    /// - Parameters:
    ///   - name: the only league; nil for all.
    ///   - isDryRun: true to store nothing. Then only the next settlement is returned.
    ///   - actor: the actor for the audit log; nil for no entry.
    ///   - now: the instant that decides which weeks have ended.
    ///   - observe: called with the number of stored results so far.
    /// - Complexity: O(events) for each week, on all cores.
    @discardableResult
    public func settleLeagues(
        _ name: String? = nil,
        isDryRun: Bool = false,
        actor: AuditActor? = nil,
        now: Date = Date(),
        observe: (Int) -> Void = { _ in }
    ) throws(EngineError) -> [LeagueSettlement] {
        try EngineError.translating {
            try withoutActuallyEscaping(observe) { observe in
                let leagues = plan.leagueNames.filter { name == nil || $0 == name }
                let run = LeagueRun(engine: self, leagues: leagues, now: now, actor: actor, observe: observe)
                return try isDryRun ? run.preview() : run.settle()
            }
        }
    }
}

extension Learner {
    /// The learner's place in the present week of a league, by the learner's own clock.
    /// - Parameters:
    ///   - league: the league's name; nil for the first league of the rules.
    ///   - date: the instant to answer as of; nil for now.
    /// - Returns: nil if the rules have no such league.
    /// - Complexity: O(events) of all learners, on all cores. For the present, if that takes longer than 20
    ///   milliseconds, the ranks may be as old as twenty times that time, but at most ten minutes.
    public func league(_ league: String? = nil, at date: Date? = nil) throws(EngineError) -> LeagueStanding? {
        try EngineError.translating {
            try engine.leagueStanding(of: id, league, at: Timestamp(date ?? Date(), in: nil))
        }
    }
}
