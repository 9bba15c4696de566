// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

extension StateWriter {
    mutating func write(_ goal: GoalState) {
        write(goal.times)
        // A fingerprint contains the completions that can be shown under the same rules.
        write(list: purpose == .snapshot ? goal.completions[...] : goal.latest) {
            $0.write(Int($1.window.first))
            $0.write(optional: $1.window.season) { $0.write($1) }
            $0.write($1.at)
        }
    }
}

extension StateReader {
    mutating func goal() throws(Malformed) -> GoalState {
        let times = try int()
        let state = GoalState(
            try list { reader throws(Malformed) in
                let first = try reader.civilDay().number
                let season = try reader.optional { reader throws(Malformed) in try reader.string() }
                return GoalState.Completion(window: GoalWindow(first: first, season: season), at: try reader.int64())
            }
        )
        guard state.times == times else { throw Malformed() }
        return state
    }
}
