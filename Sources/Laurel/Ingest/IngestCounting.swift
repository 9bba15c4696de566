// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelAdapters
import LaurelEvents
import LaurelResults

extension IngestOptions {
    /// The time in milliseconds since 1970.
    var clock: Int64 { now.milliseconds }
}

extension IngestReport {
    enum Count {
        case read, stored, duplicates, conflicts, refused
    }

    /// Adds 1 to a count of a kind, if the report has kinds.
    mutating func count(_ number: Count, of kind: Int) {
        guard kinds.indices.contains(kind) else { return }
        switch number {
        case .read: kinds[kind].read += 1
        case .stored: kinds[kind].stored += 1
        case .duplicates: kinds[kind].duplicates += 1
        case .conflicts: kinds[kind].conflicts += 1
        case .refused: kinds[kind].refused += 1
        }
    }

    mutating func noteLeftOut(_ more: [LaurelAdapters.LeftOut]) {
        for item in more {
            if let index = leftOut.firstIndex(where: { $0.what == item.what }) {
                leftOut[index].count += item.count
            } else {
                leftOut.append(LeftOut(item))
            }
        }
    }

    mutating func note(_ problem: Problem) {
        if problems.count < IngestReport.mostProblems { problems.append(problem) }
    }
}

extension IngestReport.UnreadableInput {
    init(_ error: InputError) {
        let reason: Reason =
            switch error.code {
            case .cannotRead: .cannotRead
            case .otherFormat: .otherFormat
            default: .damaged
            }
        self.init(reason, file: error.file, message: error.message)
    }
}
