// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports

/// The calls of a store's operator.
extension School {
    private static let doubled = """
        version: 1
        name: doubled
        xp: [{id: lines, on: line.spoken, award: "20"}]
        tests: [{name: a line, events: [{type: line.spoken, time: "2026-02-05T10:00:00Z"}], expect: {totalXP: 20}}]
        """

    private static let mapping = """
        version: 1
        name: notes
        summary: Words that were noted.
        reads: json-records
        needs: [subject, language]
        recognise: [kind, at]
        kind: $.kind
        events:
          - what: notes
            type: word.added
            of: note
            id: $.id
            time: $.at
            data:
              word: $.word
        """

    func changeRules() throws {
        let file = folder.appending(path: "rules.yaml")
        try Data(Self.doubled.utf8).write(to: file)
        let rules = try Rules(yaml: Self.doubled)
        tell("rules", "\(rules.name), \(try Rules(path: file.path).hash == (try Rules(contentsOf: file)).hash)")
        tell("tests", rules.runTests().map(\.passed))
        let check = rules.check(inForceFrom: LocalDay(year: 2026, month: 3, day: 1))
        var sum = RulesCheck()
        sum += check
        use(
            (
                sum, rules.check(), rules.uncoveredParts(), rules.warnings, rules.source, rules.learnedMastery,
                rules.scheduler
            )
        )
        use((rules.warnings(inForceFrom: LocalDay(year: 2026, month: 3, day: 1)), rules.hasStreak, rules.firstWeekday))
        let starter = engine.latestRules
        tell("second level", starter.xp(atStartOfLevel: 2) ?? 0)
        if let first = starter.achievements.first, let same = starter.achievement(first.id) {
            use((same.id, same.name, same.description, same.category, same.isHidden, same.isPerLanguage, same.tiers))
        }
        let diff = try engine.diff(rules, options: DiffOptions(at: Self.now, timeZone: .gmt))
        tell("would lose", diff.summary.lose)
        use(diff.summary.estimate(1))
        tell("applied", try engine.apply(rules, options: ApplyOptions(appliedAt: Self.now)).version)
        tell("history", try engine.rulesHistory().map(\.name))
        let later = LocalDay(year: 2099, month: 1, day: 1)
        tell("from then on", try engine.apply(starter, from: later, options: ApplyOptions(appliedAt: Self.now)).version)
        tell("in force", try engine.rulesInForce().count)
        tell("withdrawn", try engine.withdraw(from: later, options: ApplyOptions(appliedAt: Self.now)).withdrawn)
        if let version = try engine.appliedRules(version: 1) { tell("the first", try Rules(version).name) }
        tell("now", engine.rules(at: Self.now).name)
    }

    func applyInTask() async throws {
        let starter = try await ProgressEngine.open(path: folder.appending(path: "empty.db").path).latestRules
        let later = LocalDay(year: 2098, month: 1, day: 1)
        let (version, withdrawn) = try await engine.write { engine in
            let version = try engine.apply(starter).version
            use(try engine.apply(try Rules(yaml: Self.doubled), from: later))
            return (version, try engine.withdraw(from: later).withdrawn)
        }
        tell("applied again", version)
        tell("withdrawn again", withdrawn)
    }

    func report() throws {
        let library = try ReportLibrary()
        tell("reports", try library.all().map(\.name))
        let definition = try library.report("weekly-xp")
        use((definition.title, definition.description, definition.parameters, definition.warnings))
        let listing = definition.listing
        tell("listed", "\(listing.name), \(listing.about), \(listing.parameters)")
        use((listing.title, listing.description))
        use((definition.isAboutLearners, definition.isAboutCohorts, definition.name))
        let week = try engine.week(named: "this", at: Self.now, timeZone: .gmt)
        let request = ReportRequest(week: week, at: Timestamp(Self.now), locale: ReportLocale.known("de_DE") ?? "en_GB")
        use((ReportLocale.nearest(to: "de_DD"), ReportLocale.usual))
        let maker = ReportMaker(definition, engine, request)
        let document = try maker.document()
        tell("pages", document.files(.csv).count > 3 && document.text(.markdown)?.isEmpty == false)
        let page = try maker.document(ofLearner: "ana").files(.html)
        tell("about ana", page.map { "\($0.name), \($0.content.isEmpty)" })
        tell("each", try maker.each(.json) { file, content in use((file, content)) })
        do {
            use(try maker.document(ofLearner: "nobody"))
        } catch ReportProblem.unknownLearner(let learner) {
            tell("unknown", learner)
        }
        let file = folder.appending(path: "broken.yaml")
        try Data("version: 1\ntitle: T\n".utf8).write(to: file)
        do throws(EngineError) {
            use(try ReportLibrary.load(file: file.path))
        } catch {
            tell("broken", "\(error.code == .invalidReport), \(error.diagnostics.count)")
        }
        try reportBadly(request)
    }

    /// A query that fails only when it is run.
    private func reportBadly(_ request: ReportRequest) throws {
        let file = folder.appending(path: "endless.yaml")
        let query = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT i FROM n"
        let text = "version: 1\ntitle: T\ncohort: {sections: [{exhibits: [{show: table, query: \"\(query)\"}]}]}\n"
        try Data(text.utf8).write(to: file)
        do {
            use(try ReportMaker(ReportLibrary.load(file: file.path), engine, request).document())
        } catch let error as ReportError {
            tell("too much", !error.description.isEmpty)
        }
    }

    func administer() throws {
        tell("size", try engine.size().events)
        let replayed = try engine.replay { use(($0.learnersDone, $0.learnersTotal, $0.events)) }
        tell(
            "replayed",
            "\(replayed.events), \(try engine.check().differences), \(try engine.fingerprint() == replayed.fingerprint)"
        )
        tell("verified", try engine.verify().problems)
        var bytes = 0
        tell("exported", try engine.export(learner: "ana") { bytes += $0.count } ?? 0)
        let tables = folder.appending(path: "tables").path
        let secret = [UInt8](repeating: 7, count: Pseudonyms.fewestBytes)
        let names = try Pseudonyms(secret: secret, keeping: ["line.spoken"])
        tell("tables", try engine.exportTables(.csv, into: tables, learner: "ana", pseudonyms: names) ?? 0)
        use(try engine.exportTables(.parquet, into: tables))
        use(try engine.exportReviewLog(learner: "ana") { bytes += $0.count })
        tell("salvaged", try engine.salvage { bytes += $0.count }.events)
        tell("refused", try engine.quarantineCounts().map(\.lines))
        for line in try engine.quarantinedLines() { try engine.quarantinedLine(line.id) { bytes += $0.count } }
        tell("unreadable", try engine.unreadableQuarantinedLines())
        tell("dropped", try engine.dropQuarantined(nil))
        tell("time zones", try engine.timeZoneRemark() ?? "as they were")
        let merged = try engine.merge("ben-phone", into: "ben", by: nil, at: Self.now)
        use((merged.learner, merged.merged, merged.duplicates, merged.conflicts))
        tell("merged", "\(merged.events), \(merged.isRepeated), \(try engine.currentID(of: "ben-phone"))")
        tell("merges", try engine.merges().map { "\($0.merged) into \($0.into), \($0.at == Self.now)" })
        use((MergeOutcome(learner: "", merged: ""), LearnerMerge(merged: "", into: "", at: Self.now)))
        use((EngineError.Code.sameLearner, EngineError.Code.notAnonymous, AuditEntry.Action.learnerMerged))
        tell("erased", "\(try engine.erase(learner: "ben")), \(try engine.erase(learner: "nobody"))")
        let same = try ProgressEngine.open(folder.appending(path: "school.db"), for: .reading)
        tell("read by another", try same.size().learners)
        do throws(EngineError) {
            use(try same.erase(learner: "ana"))
        } catch {
            let same = EngineError(error.code, error.message, diagnostics: error.diagnostics)
            tell(
                "only read",
                "\(same == error), \(error.code.rawValue), \(error.message.isEmpty), \(error.description.isEmpty)"
            )
        }
        same.close()
        let trial = try ProgressEngine.inMemory(rules: engine.latestRules)
        tell("in memory", try trial.learnerIDs())
        try readFiles(trial)
        try administerAnother()
    }

    private static let actor = AuditActor(name: "user outside", address: nil)

    private func administerAnother() throws {
        let store = StoreManagement(StoreLocation(folder.appending(path: "another.db").path))
        tell("made", try store.create(partitions: nil, isDistributed: false, fileMode: 0o600))
        do throws(EngineError) {
            tell("made twice", try store.create(StoreManagement.Roles()))
        } catch {
            tell("made once", error.code == .alreadyExists)
        }
        tell("newest format", try store.migrate() == store.status().newestFormat)
        tell("in a database", "\(store.location.isDatabase), \(store.location.description == store.location.text)")
        var roles = StoreManagement.Roles(writer: "serve", reader: nil)
        roles.reader = "analyst"
        use((roles.writer, roles.reader, StoreManagement.possiblePartitions))
        let copy = try ProgressEngine.open(path: store.location.text)
        let report = try engine.copy(into: copy, erasing: true, withKeys: true, by: Self.actor) {
            use(($0.phase, $0.events, $0.eventsTotal))
        }
        use((report.erasedLearners, report.droppedLines, report.secretsLeft))
        let entries = try copy.auditLog(limit: 10)
        tell("audited", entries.map { "\($0.action), \($0.actor)" })
        for entry in entries {
            use((entry.id, entry.time, entry.address, entry.target, entry.learner, entry.details))
            use(AuditEntry.Action(rawValue: entry.action) == .storeCopied)
        }
        tell("copied", "\(report.events), \(try copy.fingerprint() == engine.fingerprint())")
        copy.close()
        try backUpAndRestore()
    }

    private func backUpAndRestore() throws {
        let file = folder.appending(path: "backup.db").path
        let backup = try engine.backUp(to: file) { use($0.phase) }
        use((backup.takenAt, backup.bytes, backup.content.learners, backup.content.rules, backup.content.refusedLines))
        let restored = StoreManagement(StoreLocation(folder.appending(path: "restored.db").path))
        var settings = StoreManagement.RestoreSettings()
        settings.erasuresFrom = StoreLocation(folder.appending(path: "another.db").path)
        (settings.turnsWebhooksOff, settings.fileMode) = (true, 0o640)
        let report = try restored.restore(from: file, settings: settings, by: Self.actor) { use($0.events) }
        use((report.takenAt, report.erasedAgain, report.unknownErasures, report.isRecomputed))
        use((report.content.keys, report.content.webhooks))
        tell("restored", "\(report.content.events), \(report.fingerprint == backup.fingerprint)")
        try writeTables()
    }

    private func writeTables() throws {
        let file = TableFile(folder.appending(path: "tables.db").path, permissions: 0o640)
        let store = StoreLocation(folder.appending(path: "laurel.db").path)
        let report = try file.update(
            from: engine,
            of: store,
            tables: TableFile.tableNames,
            at: Timestamp("2026-06-01T00:00:00Z")
        ) { use(($0, $1)) }
        use((report.asOf, report.commit, report.isNew, report.learners))
        tell("tables", report.tables.map { "\($0.name) \($0.rows)" })
    }

    private func readFiles(_ engine: ProgressEngine) throws {
        tell("formats", InputFormat.all.contains { $0.name == "anki" })
        let format = try InputFormat.named("fsrs-csv")
        var attributes = FormatAttributes(learner: "ana", language: "es", timeZone: "Europe/Madrid")
        attributes.fileSeconds = 60
        try format.check(attributes)
        use(
            (
                format.summary, format.example, format.needs, format.takes, format.listing, format.warnings,
                format.mapping
            )
        )
        let file = folder.appending(path: "revlog.csv")
        let row = "card_id,review_time,review_rating,review_state\n1,1770300000000,3,1\n"
        try Data(row.utf8).write(to: file)
        var options = IngestOptions(now: Self.now)
        (options.format, options.attributes, options.isStrict) = (format, attributes, false)
        let handle = try FileHandle(forReadingFrom: file)
        let source = IngestSource(
            name: "revlog.csv",
            descriptor: handle.fileDescriptor,
            size: Int64(row.utf8.count),
            path: file.path
        )
        let report = try engine.ingest([source], options: options) { use(($0.events, $0.bytesDone, $0.bytesTotal)) }
        tell("reviews", report.stored)
        let mapping = folder.appending(path: "notes.yaml")
        try Data(Self.mapping.utf8).write(to: mapping)
        let own = try InputFormat(mappingAt: mapping.path)
        let notes = folder.appending(path: "notes.json")
        try Data(#"[{"kind": "note", "id": "n1", "at": "2026-02-05T10:00:00Z", "word": "sol"}]"#.utf8).write(to: notes)
        tell(
            "a mapping",
            try own.trial(on: notes.path, attributes: FormatAttributes(learner: "ana", language: "es")).events
        )
        tell("a draft", try InputFormat.draft(forFileAt: file.path).contains("type: review.graded"))
    }

    func administerInTask() async throws {
        let event = Self.event("l9", "cy", "line.spoken", [:])
        tell("stored again", try await engine.write { try $0.ingest([event], now: Self.now).stored })
        var request = IngestRequest(.lines, [])
        (request.rights, request.actor) = (.limited(types: ["level.declared"]), Self.actor)
        use(try engine.ingest(together: [request, IngestRequest(.eventOrList, [])], now: Self.now).count)
        use(request.rights == SenderRights.administrator)
        var report = RequestReport()
        report.add(RequestReport())
        use((report, report.problemsOmitted))
        tell("erased again", try await engine.write { try $0.erase(learner: "cy") })
        engine.close()
    }
}
