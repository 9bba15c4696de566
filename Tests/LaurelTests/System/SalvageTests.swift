// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import Testing

/// A damaged store is not lost: its sound events can be exported to a new one.
@Suite struct SalvageTests {
    private let folder: TemporaryFolder
    private let store: String
    private let lines = simulated(learners: 12, days: 30, seed: 71)

    init() throws {
        folder = try TemporaryFolder()
        store = folder.file("laurel.db")
        let all = try folder.write(lines.dropLast(40).joined(separator: "\n"), to: "all")
        let late = try folder.write(lines.suffix(40).joined(separator: "\n"), to: "late")
        for file in [all, late] { try laurel("ingest", "--now", "2031-01-01T00:00:00Z", "--store", store, file) }
        try laurel("replay", "--store", store)
    }

    private func damage(_ bytes: [UInt8], _ page: Int) throws {
        var bytes = bytes
        bytes[page * 4096 + 1000] ^= 4
        try folder.write(bytes, to: "laurel.db")
    }

    @Test func `what is sound of a store with any page damaged is exported, and the rest is named`() throws {
        let original = try contents(store)
        let whole = try laurel("export", "--store", store)
        #expect(whole.status == 0)
        let all = Set(whole.output.split(separator: "\n"))
        var (refused, incomplete) = (0, 0)
        // Without the first pages, the tables are unknown.
        for page in stride(from: 3, to: original.count / 4096, by: 12) {
            try damage(original, page)
            let plain = try laurel("export", "--store", store)
            if plain.status == 0 { #expect(Set(plain.output.split(separator: "\n")) == all) } else { refused += 1 }
            let salvaged = try laurel("export", "--salvage", "--store", store)
            guard salvaged.status < 2 else { continue }
            let sound = salvaged.output.split(separator: "\n")
            #expect(Set(sound).count == sound.count && all.isSuperset(of: sound), "page \(page + 1)")
            #expect(sound.count == all.count || salvaged.status == 1, "page \(page + 1): \(salvaged.errors)")
            if sound.count < all.count {
                incomplete += 1
                // If the counts are damaged, the number of missing events is unknown.
                let isCounted = !salvaged.errors.contains("is lost")
                let lost = isCounted ? lostEvents(salvaged.errors) : all.count - sound.count
                #expect(lost == all.count - sound.count, "page \(page + 1): \(salvaged.errors)")
            }
            let verified = try laurel("verify", "--store", store)
            #expect(verified.status == 1, "page \(page + 1)")
        }
        #expect(refused > 2 && incomplete > 2, "\(refused) refused, \(incomplete) incomplete")
    }

    /// The sum of the lines `learner “x”: 3 of 7 events are sound, 4 are damaged`.
    private func lostEvents(_ errors: String) -> Int {
        errors.split(separator: "\n").reduce(0) { sum, line in
            let words = line.split(separator: " ")
            guard let are = words.lastIndex(of: "are"), are > 0 else { return sum }
            return sum + (words.last == "damaged" ? Int(words[are - 1].replacing(",", with: "")) ?? 0 : 0)
        }
    }

    @Test func `a new store is made of it`() throws {
        let original = try contents(store)
        let fingerprint = try laurel("fingerprint", "--store", store).output
        // A page of days: no events are lost, but the store is damaged.
        let page = try (3..<original.count / 4096).reversed().first { page in
            try damage(original, page)
            return try laurel("export", "--salvage", "--store", store, "--out", folder.file("sound")).status == 0
        }
        try #require(page != nil)
        let new = folder.file("new.db")
        try laurel("ingest", "--now", "2031-01-01T00:00:00Z", "--store", new, folder.file("sound"))
        #expect(try laurel("verify", "--store", new).status == 0)
        #expect(try laurel("replay", "--check", "--store", new).status == 0)
        #expect(try laurel("fingerprint", "--store", new).output == fingerprint)
    }

    @Test func `a damaged page of events outside blocks costs the events that stand there, and one of learners none`()
        throws
    {
        let lines = simulated(learners: 2, days: 20, seed: 72)
        let file = try folder.write(lines.joined(separator: "\n"), to: "tail")
        let store = folder.file("tail.db")
        try laurel("ingest", "--now", "2031-01-01T00:00:00Z", "--store", store, file)
        let original = try contents(store)
        try #require(lines.count > 300)
        var losses: [Int] = []
        for page in 3..<original.count / 4096 {
            var bytes = original
            bytes[page * 4096 + 1000] ^= 4
            try folder.write(bytes, to: "tail.db")
            let salvaged = try laurel("export", "--salvage", "--store", store)
            guard salvaged.status < 2 else { continue }
            losses.append(lines.count - salvaged.output.split(separator: "\n").count)
        }
        // All events are lost with the one page that leads to the others, and none with pages of other tables.
        #expect(losses.count { $0 > 60 } == 1 && losses.count { (1...60).contains($0) } > 5, "\(losses)")
        #expect(losses.contains(0))
    }
}
