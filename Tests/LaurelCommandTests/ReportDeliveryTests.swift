// SPDX-License-Identifier: Apache-2.0

import Testing

/// Reports as messages for a mailer.
@Suite struct ReportDeliveryTests {
    private let laurel: Laurel

    init() throws {
        let names = [
            "ana": "Añá “Q” Süß", "ben": "Ben, Jr.", "eve": "Eve",
        ]
        let profiles = names.sorted { $0.key < $1.key }.map { id, name in
            """
            {"id":"p-\(id)","source":"app","subject":"\(id)","type":"learner.updated","time":"2026-02-02T09:00:00Z","data":{"displayName":"\(name)"}}
            """
        }
        let lines = names.keys.sorted().map { id in
            """
            {"id":"l-\(id)","source":"app","subject":"\(id)","type":"line.spoken","time":"2026-02-03T10:00:00Z","language":"es"}
            """
        }
        laurel = try Laurel(events: (profiles + lines).joined(separator: "\n"))
        try laurel.write(
            "learner,address,locale\nana,ana@our.example,de_DE\nben,ben+school@our.example,\nzoe,zoe@our.example,\n",
            to: "to.csv"
        )
        // The message as a mail program reads it: Python's reader at its strictest.
        try laurel.write(
            """
            import email, email.policy, sys
            data = open(sys.argv[1], "rb").read()
            assert all(len(line) <= 76 for line in data.split(b"\\r\\n") if not line.lower().startswith(b"list-unsub")), "long line"
            assert b"\\n" not in data.replace(b"\\r\\n", b"") and all(byte < 128 for byte in data)
            message = email.message_from_bytes(data, policy=email.policy.strict)
            assert not message.defects and message.get_content_type() == "multipart/alternative"
            plain, page = message.iter_parts()
            assert (plain.get_content_type(), page.get_content_type()) == ("text/plain", "text/html")
            assert not any(part in page.get_content() for part in ("<svg", "<script", "<style", "class="))
            for name in sys.argv[2:]:
                print(name + ": " + str(message[name]))
            to = message["To"].addresses[0]
            print(to.display_name + " / " + to.addr_spec, message["Date"].datetime.isoformat())
            print(plain.get_content().split("\\r\\n" if "\\r\\n" in plain.get_content() else "\\n")[0])
            """,
            to: "read.py"
        )
    }

    private static let usual =
        "laurel report weekly-xp --week 2026-W06 --at 2026-02-09T10:00:00+01:00 --each --mail out --addresses to.csv"
        + " --from 'Die Schule für Übung <school@our.example>'"

    @Test func aMessageIsWhatMailProgramsRead() throws {
        let outcome = try laurel.shell(Self.usual + " --unsubscribe 'https://our.example/stop?who={learner}'")
        #expect(outcome.status == 0)
        #expect(
            outcome.messages == [
                "wrote 2 messages to out", "1 learner without an address: eve",
                "1 learner in the file of addresses, and without a report: zoe",
            ]
        )
        let ana = try laurel.shell(
            "python3 read.py out/ana.eml From Subject List-Unsubscribe List-Unsubscribe-Post Content-Language MIME-Version"
        )
        #expect(ana.messages == [])
        #expect(
            ana.output == """
                From: Die Schule für Übung <school@our.example>
                Subject: Die Woche in XP: bis Sonntag, 8. Februar
                List-Unsubscribe: <https://our.example/stop?who=ana>
                List-Unsubscribe-Post: List-Unsubscribe=One-Click
                Content-Language: de
                MIME-Version: 1.0
                Añá “Q” Süß / ana@our.example 2026-02-09T10:00:00+01:00
                Hallo Añá “Q” Süß,

                """
        )
        let ben = try laurel.shell("python3 read.py out/ben.eml Content-Language")
        #expect(ben.output.contains("Content-Language: en\nBen, Jr. / ben+school@our.example 2026-02-09"))
        // The message is the same if made again, so that mailers do not send it twice.
        let first = try laurel.read("out/ana.eml")
        _ = try laurel.shell(Self.usual + " --unsubscribe 'https://our.example/stop?who={learner}'")
        #expect(try laurel.read("out/ana.eml") == first)
    }

    /// The message read by the part of Python's reader that follows RFC 2047. The other part shows a space between two
    /// words of a name (https://github.com/python/cpython/issues/128110), so a name is one word if there is room.
    @Test(
        "Names of any letters",
        arguments: [
            ("山田太郎と花子さんの妹", 1), ("=?utf-8?Q?x?=", 1), (String(repeating: "Ωμέγα ", count: 12), 4),
            (String(repeating: "👩‍👩‍👧‍👦", count: 5), 3),
        ]
    )
    func namesOfAnyLetters(name: String, words: Int) throws {
        try laurel.write(
            #"{"id":"n","source":"app","subject":"ben","type":"learner.updated","time":"2026-02-04T10:00:00Z","data":{"displayName":"\#(name)"}}"#,
            to: "name.ndjson"
        )
        try laurel.write(
            """
            import email, email.header, sys
            message = email.message_from_bytes(open("out/ben.eml", "rb").read())
            raw = message["To"].rsplit("<", 1)[0].rstrip()
            print(raw.count("=?utf-8?"))
            print(email.header.make_header(email.header.decode_header(raw)))
            """,
            to: "name.py"
        )
        let read = try laurel.shell(
            "laurel ingest name.ndjson > /dev/null; \(Self.usual) 2> /dev/null; python3 name.py"
        )
        let wanted = name.last == " " ? String(name.dropLast()) : name
        #expect(read.output == "\(words)\n\(wanted)\n")
    }

    @Test(
        "What is wrong with addresses",
        arguments: [
            (
                "id,address\nana,a@b.c\n",
                "to.csv:1:1: error: there is no column `learner`; the first line names the columns"
            ),
            (
                "learner,address\n\"a,b\",a b@c.d\n",
                "to.csv:2:7: error: the address `a b@c.d` has letters other than ASCII's, or a space; write the domain in its xn-- form"
            ),
            ("learner,address\nana,a@b.c\nana,a@b.c\n", "to.csv:3:1: error: `ana` is on line 2 already"),
            (
                "learner,address\nana,our.example\n",
                "to.csv:2:5: error: the address `our.example` needs one @, with a name before and a domain after it"
            ),
            (
                "learner,address\nana,a..b@c.d\n",
                "to.csv:2:5: error: the address `a..b@c.d` has a name that is not made of letters, digits and signs with single points between them"
            ),
            ("learner,address\nana\n", "to.csv:2:1: error: the line has 1 fields, fewer than the first one names"),
            ("learner,address\n\"ana,a@b.c\n", "to.csv:2:1: error: the end of a quoted field is wrong or missing"),
            ("learner,address,locale\nana,a@b.c,xx_QQ\n", "to.csv:2:11: error: `xx_QQ` is no locale, such as de_DE"),
        ]
    )
    func wrongAddresses(file: String, expected: String) throws {
        try laurel.write(file, to: "to.csv")
        let outcome = try laurel.shell(Self.usual)
        #expect(outcome.status == 2)
        #expect(outcome.messages.first?.hasPrefix(expected) == true, "\(outcome.messages)")
        #expect(!laurel.exists("out/ana.eml"))
    }

    @Test(
        "Wrong requests",
        arguments: [
            ("--learner ana --mail out", "--mail is for one report per learner; add --each"),
            ("--each --mail out --addresses to.csv", "--mail needs --from too"),
            (
                "--each --mail out --addresses to.csv --from nobody",
                "--from: “nobody” is not an address, such as School <school@school.example>"
            ),
            (
                "--each --mail out --addresses to.csv --from a@b.c --app http://x.y",
                "--app: “http://x.y” is not an address that begins with https:"
            ),
            ("--each --out a --mail b --addresses to.csv --from a@b.c", "--mail and --out exclude each other"),
            ("--each --out a --from a@b.c", "--from says how messages are written; name a folder for them with --mail"),
            ("--pdf", "--pdf writes files; name a folder for them with --out"),
        ]
    )
    func wrongRequests(arguments: String, expected: String) throws {
        let outcome = try laurel.shell("laurel report weekly-xp --at 2026-02-09T10:00:00Z \(arguments)")
        #expect(outcome.status == 2)
        #expect(outcome.messages.first == expected)
    }

    @Test func onlyThoseWithSomethingNewAreWrittenTo() throws {
        let command = Self.usual + " --changed-since sent"
        let first = try laurel.shell(command)
        #expect(first.messages.first == "wrote 2 messages to out")
        let second = try laurel.shell("rm -r out; \(command)")
        #expect(second.messages.first == "wrote 0 messages to out")
        try laurel.write(
            #"{"id":"n","source":"app","subject":"ben","type":"line.spoken","time":"2026-02-04T10:00:00Z","language":"es"}"#,
            to: "new.ndjson"
        )
        let third = try laurel.shell("laurel ingest new.ndjson >/dev/null; \(command)")
        #expect(third.messages.contains("wrote 1 message to out"))
        #expect(laurel.exists("out/ben.eml") && !laurel.exists("out/ana.eml"))
    }

    @Test func paperIsDrawnWhereChromiumIs() throws {
        let report = "laurel report weekly-xp --learner ana --week 2026-W06 --at 2026-02-09T10:00:00Z --out paper --pdf"
        let outcome = try laurel.shell(report)
        #expect(outcome.messages == ["wrote paper/weekly-xp-2026-W06-ana.pdf"])
        #expect(try laurel.shell("head -c 5 paper/*.pdf").output == "%PDF-")
        let without = try laurel.shell(
            "mkdir alone && ln -s $(command -v laurel) alone/laurel; PATH=$PWD/alone \(report)"
        )
        #expect(without.status == 2)
        #expect(without.messages.first == "--pdf needs Chromium, which is not installed")
    }
}
