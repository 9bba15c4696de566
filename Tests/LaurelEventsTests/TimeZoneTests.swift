// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import Testing

@Suite struct TimeZoneTests {
    private static func offset(_ zone: String, _ time: String) throws -> Int32 {
        let zone = try #require(TimeZoneDatabase.shared.zone(named: zone))
        return zone.offsetSeconds(at: try Timestamp(time).milliseconds)
    }

    @Test(arguments: [
        ("Africa/Cairo", "2023-04-27T21:59:59.999Z", 7200),  // saving starts at midnight
        ("Africa/Cairo", "2023-04-27T22:00:00Z", 10800),
        ("Africa/Cairo", "2024-10-31T20:59:59Z", 10800), ("Africa/Cairo", "2024-10-31T21:00:00Z", 7200),
        ("America/Santiago", "2024-04-07T02:59:59Z", -10800), ("America/Santiago", "2024-04-07T03:00:00Z", -14400),
        ("Pacific/Apia", "2011-12-30T09:59:59Z", -36000),  // 30 December 2011 was skipped
        ("Pacific/Apia", "2011-12-30T10:00:00Z", 50400),
        ("Asia/Kathmandu", "2026-01-01T00:00:00Z", 20700), ("Asia/Kathmandu", "1985-01-01T00:00:00Z", 19800),
        ("Australia/Lord_Howe", "2026-01-01T00:00:00Z", 39600),  // saving is half an hour
        ("Australia/Lord_Howe", "2026-07-01T00:00:00Z", 37800),
        ("Europe/Dublin", "2026-01-01T00:00:00Z", 0),  // winter is what is "saved"
        ("Europe/Dublin", "2026-07-01T00:00:00Z", 3600), ("Europe/Berlin", "2500-07-01T00:00:00Z", 7200),
        ("Europe/Berlin", "2500-01-01T00:00:00Z", 3600), ("Australia/Lord_Howe", "2500-07-01T00:00:00Z", 37800),
        ("America/New_York", "9999-12-31T23:59:59Z", -18000), ("Africa/Monrovia", "1971-06-01T00:00:00Z", -2670),
        ("UTC", "2026-01-01T00:00:00Z", 0), ("Etc/GMT+5", "2026-01-01T00:00:00Z", -18000),
    ])
    func `offsets`(zone: String, time: String, expected: Int32) throws {
        #expect(try TimeZoneTests.offset(zone, time) == expected)
    }

    @Test func `before the first transition holds the first type`() throws {
        let zone = try #require(TimeZoneDatabase.shared.zone(named: "Europe/Berlin"))
        #expect(zone.offsetSeconds(at: -10_000_000_000_000) == 3208)
    }

    @Test(arguments: [
        "", "/etc/passwd", "../zoneinfo/UTC", "Europe/../UTC", "posix/UTC", "right/UTC", "posixrules", "localtime",
        "Europe", "zone.tab", "europe/berlin", "Europe/Berlin ", "Europe//Berlin", "UTC\0",
    ])
    func `is no zone`(name: String) {
        #expect(TimeZoneDatabase.shared.zone(named: name) == nil)
    }

    @Test func `finds the nearest name`() {
        #expect(TimeZoneDatabase.shared.nearestName(to: "Europe/Madird") == "Europe/Madrid")
    }

    @Test(
        arguments: [
            ("CET-1CEST,M3.5.0,M10.5.0/3", 1_774_746_000, 7200), ("CET-1CEST,M3.5.0,M10.5.0/3", 1_774_745_999, 3600),
            ("XXX3EDT4,0/0,J365/23", 1_774_746_000, -14400),  // saving that never ends
            ("<-03>3", 0, -10800), ("<+0330>-3:30", 0, 12600), ("EST5EDT", 0, nil), ("", 0, nil), ("A1", 0, nil),
            ("CET-1CEST,M13.5.0,M10.5.0/3", 0, nil), ("IST-1GMT0,M10.5.0,M3.5.0/1", 1_774_746_000, 3600),
        ] as [(String, Int64, Int32?)]
    )
    func `rules for the time after the last transition`(rule: String, second: Int64, offset: Int32?) {
        #expect(TimeZoneRule(rule.utf8)?.interval(holding: second).offset == offset)
    }

    /// Compares every zone with Python's zoneinfo over the same database, at instants from 1900 to 2500.
    @Test func `agrees with Python on all zones`() throws {
        let script = """
            import random, zoneinfo
            from datetime import datetime, timedelta, timezone
            random.seed(20260205)
            epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
            for name in sorted(zoneinfo.available_timezones()):
                if name == "localtime": continue
                zone = zoneinfo.ZoneInfo(name)
                for i in range(60):
                    second = random.randrange(0, 4_000_000_000) if i % 3 else random.randrange(-2_200_000_000, 16_700_000_000)
                    offset = (epoch + timedelta(seconds=second)).astimezone(zone).utcoffset()
                    print(name, second, int(offset.total_seconds()))
            """
        guard let output = run("/usr/bin/python3", script) else { return }
        var compared = 0
        for line in output.split(separator: "\n") {
            let words = line.split(separator: " ")
            let zone = try #require(TimeZoneDatabase.shared.zone(named: String(words[0])), "\(words[0])")
            let second = try #require(Int64(words[1]))
            #expect(zone.offsetSeconds(at: second * 1000) == Int32(words[2]), "\(line)")
            compared += 1
        }
        #expect(compared > 20_000)
    }

    /// The output of a program with a script on its standard input; nil if there is no such program.
    private func run(_ program: String, _ script: String) -> String? {
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-"]
        process.standardInput = input
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        input.fileHandleForWriting.write(Data(script.utf8))
        try? input.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }
}

@Suite struct LocalClockTests {
    private func local(
        _ time: String,
        timezone: String = "",
        default zone: String = "UTC",
        dayStartsAt minutes: Int = 0
    ) throws -> LocalTime {
        var clock = LocalClock(
            defaultZone: try #require(TimeZoneDatabase.shared.zone(named: zone)),
            dayStartsAt: minutes
        )
        let timestamp = try Timestamp(time)
        return Array(timezone.utf8).withUnsafeBufferPointer {
            clock.localTime(at: timestamp.milliseconds, offsetCode: timestamp.offset.code, timezone: $0)
        }
    }

    @Test func `the time zone comes first, then the offset, then the default`() throws {
        #expect(try local("2026-02-05T23:30:00+00:00", timezone: "Europe/Madrid").day.description == "2026-02-06")
        #expect(try local("2026-02-05T23:30:00+00:00", default: "Europe/Madrid").day.description == "2026-02-05")
        #expect(try local("2026-02-05T23:30:00Z", default: "Europe/Madrid").day.description == "2026-02-06")
        #expect(try local("2026-02-05T23:30:00-00:00", default: "Europe/Madrid").day.description == "2026-02-06")
        #expect(try local("2026-02-05T23:30:00+01:00", default: "Asia/Tokyo").day.description == "2026-02-05")
    }

    @Test func `a day may start late; hour and weekday are the wall clock's`() throws {
        let time = try local("2026-02-06T03:59:00+01:00", dayStartsAt: 240)
        #expect(time.day.description == "2026-02-05")
        #expect((time.hour, time.minute, time.weekday) == (3, 59, 5))
        #expect(try local("2026-02-06T04:00:00+01:00", dayStartsAt: 240).day.description == "2026-02-06")
        #expect(try local("1970-01-01T00:00:00Z", default: "America/New_York").day.description == "1969-12-31")
    }
}
