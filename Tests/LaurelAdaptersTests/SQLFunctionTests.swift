// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelAdapters

/// The functions of mappings.
@Suite struct SQLFunctionTests {
    private func value(_ sql: String) throws -> String? {
        try SourceDatabase(path: nil).value("SELECT \(sql)").bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        arguments: [
            ("coredata_time(0)", "2001-01-01T00:00:00.000Z"),
            ("coredata_time(791629200.0005)", "2026-02-01T09:00:00.001Z"),
            ("coredata_time(NULL)", nil), ("coredata_time('soon')", "soon"), ("coredata_time(-1e12)", "-1000000000000"),
            ("unix_time('1770310800')", "2026-02-05T17:00:00.000Z"), ("unix_time(1e300)", "1e+300"),
            ("unix_time_ms(1770310800123)", "2026-02-05T17:00:00.123Z"),
            ("unix_time_ms(1770310800123, -10800)", "2026-02-05T14:00:00.123-03:00"),
            ("unix_time_ms(1770310800123, NULL)", "2026-02-05T17:00:00.123Z"),
            ("millis('2026-02-05T18:00:00+01:00')", "1770310800000"), ("millis('then')", nil),
            ("local_date('2026-02-05T23:30:00Z', 'Europe/Madrid')", "2026-02-06"),
            ("local_date('2026-02-05T23:30:00Z', NULL)", "2026-02-05"), ("local_date('x', NULL)", nil),
            ("local_noon('2026-07-01', 'Europe/Madrid')", "2026-07-01T10:00:00.000Z"),
            ("local_noon('2026-02-30', NULL)", nil), ("local_noon('2026-02-01', 'No/Where')", nil),
            ("local_time('05.02.2026 18:07', '%d.%m.%Y %H:%M', 'Europe/Madrid')", "2026-02-05T18:07:00.000+01:00"),
            (
                "local_time(' 7/4/26  6:07 pm ', '%m/%d/%y %I:%M %p', 'America/New_York')",
                "2026-07-04T18:07:00.000-04:00"
            ),
            ("local_time('5 February 2026', '%d %b %Y', NULL)", "2026-02-05T12:00:00.000Z"),
            // Madrid's clock goes from 03:00 to 02:00 on 2026-10-25, and from 02:00 to 03:00 on 2026-03-29.
            ("local_time('2026-10-25 02:30', '%Y-%m-%d %H:%M', 'Europe/Madrid')", "2026-10-25T02:30:00.000+02:00"),
            ("local_time('2026-10-25 03:00', '%Y-%m-%d %H:%M', 'Europe/Madrid')", "2026-10-25T03:00:00.000+01:00"),
            ("local_time('2026-10-25 01:59', '%Y-%m-%d %H:%M', 'Europe/Madrid')", "2026-10-25T01:59:00.000+02:00"),
            ("local_time('2026-03-29 02:30', '%Y-%m-%d %H:%M', 'Europe/Madrid')", "2026-03-29T03:30:00.000+02:00"),
            ("local_time('2026-03-29 01:59', '%Y-%m-%d %H:%M', 'Europe/Madrid')", "2026-03-29T01:59:00.000+01:00"),
            ("local_time('30.02.2026', '%d.%m.%Y', NULL)", "30.02.2026"),
            ("local_time('5.2.2026', '%d.%m.%Y', 'No/Where')", "5.2.2026"),
            ("local_time('25:00', '%H:%M', NULL)", "25:00"), ("local_time(NULL, '%Y', NULL)", nil),
            ("local_time('2026-02-05 x', '%Y-%m-%d', NULL)", "2026-02-05 x"),
            ("local_time('2026', '%Q', NULL)", "2026"),
            ("decimal('0,85', ',')", "0.85"), ("decimal('1.234,5', ',')", "1234.5"), ("decimal('1 234', ',')", "1234"),
            ("decimal('-1,234.5')", "-1234.5"), ("decimal(' 85 % ')", "0.85"), ("decimal('12')", "12"),
            ("decimal('1.5', ',')", "1.5"), ("decimal('1,2,3')", "1,2,3"), ("decimal('none')", "none"),
            ("decimal('')", ""), ("decimal(NULL)", nil),
            ("uuid(x'00112233445566778899aabbccddeeff')", "00112233-4455-6677-8899-AABBCCDDEEFF"), ("uuid('a')", "a"),
            ("key('a', 1, NULL, 2.0)", "a-1--2"), ("canonical('{\"b\":1.0,\"a\":[2]}')", #"{"a":[2],"b":1}"#),
            ("digest('a', 'bc') = digest('ab', 'c')", "0"), ("digest(NULL) = digest('')", "0"),
            ("length(key(printf('%.300c', 'x')))", "96"), ("length(digest(1))", "32"),
            ("part('a-b-c', '-', 2)", "b"), ("part('a', '-', 2)", nil), ("part('', '-', 1)", ""),
            ("list(' a  b ', ' ')", #"["a","b"]"#), ("list('', ' ')", nil), ("numbers(3)", "[1,2,3]"),
            ("numbers(0)", "[]"), ("numbers(NULL)", "[]"), ("json_array_length(numbers(1e9))", "36500"),
            (
                #"objects('{"x":[{"a":1,"b":{"a":2}}],"a":3}', 'a')"#,
                #"[{"x":[{"a":1,"b":{"a":2}}],"a":3},{"a":1,"b":{"a":2}},{"a":2}]"#
            ),
            ("objects('nonsense', 'a')", "[]"),
        ] as [(String, String?)]
    )
    func gives(sql: String, expected: String?) throws {
        #expect(try value(sql) == expected)
    }

    @Test func `Core Data's links are found by the numbers of their entities`() throws {
        let database = try SourceDatabase(path: nil)
        func links(_ entity: String, _ relationship: String) throws -> String? {
            let value = try database.value("SELECT coredata_links('\(entity)', '\(relationship)')")
            return value.bytes.map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try links("CardItem", "tags") == "[]")
        try database.execute(
            """
            CREATE TABLE Z_PRIMARYKEY (Z_ENT, Z_NAME);
            INSERT INTO Z_PRIMARYKEY VALUES (12, 'CardItem'), (3, 'Deck'), (7, 'Tag');
            CREATE TABLE Z_3TAGS (Z_3DECKS, Z_7TAGS); INSERT INTO Z_3TAGS VALUES (1, 1);
            CREATE TABLE Z_12TAGS (Z_12CARDS, Z_FOK_12CARDS, Z_7TAGS); INSERT INTO Z_12TAGS VALUES (5, 0, 6), (7, 0, 8);
            """
        )
        #expect(try links("CardItem", "tags") == "[[5,6],[7,8]]")
        #expect(try links("Tag", "cards") == "[[6,5],[8,7]]")
        #expect(try links("Deck", "tags") == "[[1,1]]")
        #expect(try links("Deck", "cards") == "[]" && links("None", "tags") == "[]")
    }

    @Test func `a schema cannot call them, and a query cannot write`() throws {
        let database = try SourceDatabase(path: nil)
        try database.execute("CREATE TABLE t(a); CREATE VIEW v AS SELECT digest(a) FROM t")
        #expect(throws: SQLError.self) { try database.value("SELECT * FROM v") }
        #expect(try !database.prepare("INSERT INTO t VALUES (1)").isQuery)
    }
}
