// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Copies of Flippin's store at several times.
@Suite struct CardCopyTests {
    private static let rules = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Rules/flippin.yaml").standardizedFileURL.path

    /// A store whose model has more entities than the document describes, with the numbers that its compiler would
    /// assign.
    private func flippin(_ laurel: Laurel, _ script: String) throws {
        let start = """
            import shutil, sys
            sys.path.insert(0, '\(Laurel.fixtures)')
            from make_coredata import create, insert, at
            text = 'VARCHAR'
            db = create('phone.sqlite', {
                'Achievement': {'name': text}, 'CardItem': {'timestamp': 'TIMESTAMP', 'frontText': text, 'backText': text,
                    'frontLanguageRaw': text, 'backLanguageRaw': text, 'notes': text, 'id': text, 'isFavorite': 'INTEGER'},
                'Deck': {'name': text}, 'StudySession': {'seconds': 'INTEGER'}, 'Tag': {'id': text, 'name': text}})
            def card(front, favorite=0):
                return insert(db, 'CardItem', timestamp=at(1), frontText=front, backText=f'what {front} means',
                    frontLanguageRaw='es', backLanguageRaw='en', notes=None, id=f'{front}-id', isFavorite=favorite)
            def tag(name): return insert(db, 'Tag', id=name, name=name)
            def copy(name):
                db.commit()
                shutil.copy('phone.sqlite', name)

            """
        try laurel.write(start + script, to: "app.py")
        let outcome = try laurel.shell("python3 app.py")
        try #require(outcome.status == 0, "\(outcome)")
    }

    @Test func `no card is known any more when Flippin's copy is empty`() throws {
        let laurel = try Laurel()
        try flippin(
            laurel,
            """
            db.execute('CREATE TABLE Z_2TAGS (Z_2CARDS INTEGER, Z_5TAGS INTEGER)')
            for name in ['sol', 'comer']: card(name)
            copy('1.sqlite')
            db.execute('DELETE FROM ZCARDITEM'); copy('2.sqlite')
            """
        )
        for order in [["1", "2"], ["1", "2", "1"]] {
            let progress = try progress(laurel, ofCards: order)
            #expect(progress["totalWordsKnown"] as? Int == 0, "\(order)")
        }
        let first = try progress(laurel, ofCards: ["1"])
        #expect(first["totalWordsKnown"] as? Int == 2)
    }

    /// Reads Flippin's copies one after another, into a store named after them.
    private func progress(_ laurel: Laurel, ofCards copies: [String]) throws -> [String: Any] {
        let store = "\(copies.joined()).db"
        let options = "--rules \(Self.rules) --format coredata-flippin --subject ana"
        for file in copies { _ = try laurel.take("\(options) \(file).sqlite", store: store) }
        return try laurel.json("laurel progress ana --store \(store) --at 2026-03-01T00:00:00Z --json")
    }

    @Test(arguments: ["Z_2TAGS", "Z_5CARDS"]) func `tags come over whatever number their entity has`(table: String)
        throws
    {
        let laurel = try Laurel()
        try flippin(
            laurel,
            """
            # Another relationship, which is not that of cards to tags.
            db.execute('CREATE TABLE Z_3CARDS (Z_2CARDS INTEGER, Z_3DECKS INTEGER)')
            db.execute('CREATE TABLE \(table) (Z_2CARDS INTEGER, Z_5TAGS INTEGER, Z_FOK_5TAGS INTEGER)')
            food, verbs = tag('food'), tag('verbs')
            for _ in range(3): tag('unused')
            sol, comer, ir = card('sol'), card('comer', 1), card('ir')
            db.executemany('INSERT INTO \(table) VALUES (?, ?, 0)', [(comer, verbs), (comer, food), (sol, food)])
            db.execute('INSERT INTO Z_3CARDS VALUES (?, 1)', (ir,))
            copy('1.sqlite')
            """
        )
        let report = try laurel.take("--format coredata-flippin --subject ana 1.sqlite")
        #expect(report.leftOutByKind == ["tags that no card has": 3])
        func words(_ options: String) throws -> [String] {
            let listed = try laurel.shell("laurel words ana --at 2026-03-01T00:00:00Z --json \(options)").output
            return listed.matches(of: /"text":"(.*?)"/).map { String($0.1) }.sorted()
        }
        #expect(try words("") == ["comer", "ir", "sol"])
        #expect(try words("--tag food") == ["comer", "sol"])
        #expect(try words("--tag verbs") == ["comer"])
        #expect(try words("--favourite") == ["comer"])
        #expect(try words("--tag unused").isEmpty)
    }

    @Test func `cards are counted, not their versions, and a deleted card is gone`() throws {
        let laurel = try Laurel()
        try flippin(
            laurel,
            """
            db.execute('CREATE TABLE Z_2TAGS (Z_2CARDS INTEGER, Z_5TAGS INTEGER)')
            for name in ['sol', 'comer', 'ir']: card(name)
            copy('1.sqlite')
            db.execute("UPDATE ZCARDITEM SET ZBACKTEXT = 'to go', ZISFAVORITE = 1, Z_OPT = 2 WHERE ZFRONTTEXT = 'ir'")
            copy('2.sqlite')
            db.execute("UPDATE ZCARDITEM SET ZFRONTLANGUAGERAW = 'pt', ZISFAVORITE = 0, Z_OPT = 3 WHERE ZFRONTTEXT = 'ir'")
            db.execute("DELETE FROM ZCARDITEM WHERE ZFRONTTEXT = 'sol'")
            copy('3.sqlite')
            """
        )
        var fingerprints: Set<String> = []
        for order in [["1", "2", "3"], ["3", "1", "2"], ["2", "3", "1"]] {
            let store = "\(order.joined()).db"
            let progress = try progress(laurel, ofCards: order)
            #expect((progress["metrics"] as? [String: Double])?["cards"] == 2)
            #expect(progress["totalWordsKnown"] as? Int == 2)
            let words = try laurel.shell("laurel words ana --store \(store) --at 2026-03-01T00:00:00Z --json").output
            let found = words.matches(of: /"language":"(\w+)","word":"(\w+)-id".*?"translation":"(.*?)"/)
            #expect(found.map { "\($0.1) \($0.2) \($0.3)" }.sorted() == ["es comer what comer means", "pt ir to go"])
            fingerprints.insert(try laurel.fingerprint(store))
        }
        #expect(fingerprints.count == 1)
    }
}
