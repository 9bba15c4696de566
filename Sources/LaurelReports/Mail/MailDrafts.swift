// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelWire
import Synchronization

/// Messages as drafts, which a person opens with a mail program, completes and sends.
extension ReportMaker {
    /// The maximum number of drafts in an archive, because all of them are in memory.
    private static let mostDrafts = 10_000

    /// The draft of a learner's message.
    /// - Throws: ``ReportProblem``, ``ReportError`` if a query fails, and `EngineError`.
    package func draft(ofLearner id: String, _ mail: MailSettings) throws -> ReportFile {
        try EngineError.passing {
            let view = try messageView()
            guard let facts = try engine.facts(of: id, period(view), wants: selection(view)) else {
                throw ReportProblem.unknownLearner(id)
            }
            guard let file = try mailFile(facts, view, mail) else {
                let known = facts.tracks.compactMap(\.projection.language)
                throw ReportProblem.unknownLanguage(request.language ?? "", known: known)
            }
            return file
        }
    }

    /// A zip file with the draft of each learner's message. Its member `learners.csv` lists each learner with the
    /// address and the file. A learner with an address but without a report has no file in this list.
    /// - Returns: the name and the bytes of the file.
    /// - Throws: ``ReportProblem``, ``ReportError`` if a query fails, and `EngineError`.
    package func drafts(_ mail: MailSettings) throws -> (name: String, bytes: [UInt8]) {
        let files = Mutex<[String: String]>([:])
        var learners: Set<String> = []
        return try EngineError.passing {
            try writeMails(mail, nil) { file in
                try files.withLock { files in
                    files[file.name] = file.content
                    guard files.count > Self.mostDrafts else { return }
                    throw EngineError(
                        .invalidRequest,
                        "there are more than 10,000 learners: name a cohort, or use `laurel report --mail`"
                    )
                }
            } receive: { found, _, _ in
                for learner in found where learner.isWritten { learners.insert(learner.id) }
            }
            if let cohort = request.cohort, learners.isEmpty { throw ReportProblem.unknownCohort(cohort, known: []) }
            let archive = try ZipWriter(time: Int(request.at.milliseconds / 1000))
            for (name, content) in files.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
                try archive.add(name, content)
            }
            try archive.add("learners.csv", Self.list(learners, mail.addresses))
            let week = request.week.weekName(firstWeekday: engine.rules.calendar.weekStartsOn)
            return ("\(FileName.of(definition.name))-\(week).zip", try archive.finish())
        }
    }

    /// The learners with their addresses and files, as CSV.
    private static func list(_ learners: Set<String>, _ addresses: MailAddresses?) -> String {
        let known = addresses?.recipients ?? [:]
        let all = learners.union(known.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let rows = all.map { learner in
            let file = learners.contains(learner) ? FileName.of(learner) + ".eml" : ""
            return CSVRecord(texts: [learner, known[learner]?.address ?? "", file])
        }
        return ([CSVRecord(texts: ["learner", "address", "file"])] + rows).map { "\($0)\r\n" }.joined()
    }
}
