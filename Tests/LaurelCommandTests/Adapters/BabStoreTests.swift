// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Stores of BabLanguageSDK's apps with only the tables that its guides describe.
@Suite struct BabStoreTests {
    /// 2026-02-01T09:00:00Z.
    private static let (unix, reference) = (1_769_936_400, 978_307_200)

    private static let lean = """
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE ZSDUSERPROFILE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZONBOARDINGCOMPLETED INTEGER,
          ZCREATEDAT INTEGER, ZLASTACTIVEAT INTEGER, ZCURRENTTARGETLANGUAGE VARCHAR, ZDISPLAYNAME VARCHAR, ZID VARCHAR,
          ZNATIVELANGUAGE VARCHAR);
        INSERT INTO ZSDUSERPROFILE VALUES (1, 1, 1, 1, TIME, TIME, 'es', 'Ana', 'learner-9', 'en');
        """

    private static let written = """
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE ZCDUSERPROFILE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDAILYGOALMINUTES INTEGER,
          ZONBOARDINGCOMPLETED INTEGER, ZCREATEDAT TIMESTAMP, ZLASTACTIVEAT TIMESTAMP, ZCURRENTTARGETLANGUAGE VARCHAR,
          ZDISPLAYNAME VARCHAR, ZID VARCHAR, ZINTERESTSJSON VARCHAR, ZLEARNINGGOALSJSON VARCHAR, ZNATIVELANGUAGE VARCHAR,
          ZSHOWTRANSLATIONS VARCHAR, ZVOICESPEED VARCHAR);
        CREATE TABLE ZCDVOCABULARYENTRY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCORRECTREVIEWS INTEGER,
          ZINTERVALDAYS INTEGER, ZMASTERYLEVEL INTEGER, ZTOTALREVIEWS INTEGER, ZEASEFACTOR FLOAT, ZFIRSTSEENAT TIMESTAMP,
          ZLASTREVIEWEDAT TIMESTAMP, ZNEXTREVIEWAT TIMESTAMP, ZAUDIOURL VARCHAR, ZEXAMPLESENTENCE VARCHAR,
          ZFIRSTSEENINDIALOGID VARCHAR, ZID VARCHAR, ZLANGUAGE VARCHAR, ZPARTOFSPEECH VARCHAR, ZTRANSLATION VARCHAR,
          ZWORD VARCHAR);
        INSERT INTO ZCDUSERPROFILE VALUES (1, 1, 1, 30, 1, TIME, TIME, 'es', 'Ana', 'learner-9', '[]', '[]', 'en', 'ALWAYS', 'NORMAL');
        INSERT INTO ZCDVOCABULARYENTRY VALUES
          (1, 2, 1, 3, 6, 3, 4, 2.6, TIME, TIME + 3600, TIME + 522000, NULL, NULL, NULL, 'w1', 'es', 'NOUN', 'table', 'mesa'),
          (2, 2, 1, 0, 1, 0, 0, 2.5, TIME, NULL, TIME, NULL, NULL, NULL, 'w2', 'es', NULL, 'chair', 'silla');
        """

    private func laurel(_ sql: String, time: Int) throws -> Laurel {
        let laurel = try Laurel()
        try laurel.write(
            sql.replacing("TIME", with: "\(time)").replacing("\(time)STAMP", with: "TIMESTAMP"),
            to: "a.sql"
        )
        let made = try laurel.shell("sqlite3 a.store < a.sql")
        try #require(made.status == 0, "\(made)")
        return laurel
    }

    /// The guide stores milliseconds, but its example converts seconds. Other apps store dates.
    @Test(arguments: [unix * 1000, unix, unix - reference])
    func `a profile alone comes over, whatever its dates are`(time: Int) throws {
        let laurel = try laurel(Self.lean, time: time)
        let report = try laurel.take("--format swiftdata-bab-language a.store")
        #expect(report.refused == 0 && report.storedByKind == ["profiles": 1])
        let event = try #require(try laurel.events().first)
        #expect(event["time"] as? String == "2026-02-01T09:00:00.000Z" && event["subject"] as? String == "learner-9")
    }

    @Test func `words come over with their schedules`() throws {
        let laurel = try laurel(Self.written, time: Self.unix - Self.reference)
        // The app's own scheduler has the masteries in the schedule.
        let rules = "--rules \(Laurel.fixtures)/../../Rules/bab-language.yaml"
        let report = try laurel.take("\(rules) --format coredata-bab-language a.store")
        #expect(report.refused == 0 && report.storedByKind == ["profiles": 1, "words": 2, "schedules": 2])
        let words = try laurel.shell("laurel words learner-9 --json --at 2026-02-01T12:00:00Z").output
        #expect(words.contains(#""nextReviewAt":"2026-02-07T10:00:00.000Z""#) && words.contains(#""reviews":4"#))
        let progress = try laurel.json("laurel progress learner-9 --language es --json --at 2026-02-01T12:00:00Z")
        #expect(progress["totalWordsKnown"] as? Int == 2 && progress["totalWordsLearned"] as? Int == 1)
        #expect(progress["dailyGoalMinutes"] as? Int == 30)
    }

    @Test(arguments: [("swiftdata", lean), ("coredata", written)])
    func `who forgets the format is told which reads the store`(format: String, sql: String) throws {
        let outcome = try laurel(sql, time: 0).shell("laurel ingest a.store")
        #expect(outcome.status == 2)
        #expect(outcome.messages.last?.hasSuffix("; --format \(format)-bab-language reads it") == true, "\(outcome)")
    }
}
