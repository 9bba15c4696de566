// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaurelEvents
import Testing

/// A disk that is full.
@Suite struct DiskTests {
    private static let isRoot = geteuid() == 0
    private static let lines = simulated(learners: 60, days: 40, seed: 63).joined(separator: "\n")

    @Test(.enabled(if: isRoot, "only root may mount a small disk"))
    func `a full disk`() throws {
        let folder = try TemporaryFolder()
        let disk = folder.file("disk")
        try #require(mkdir(disk, 0o700) == 0)
        let mounted = system("mount -t tmpfs -o size=320k tmpfs '\(disk)' 2> /dev/null") == 0
        try #require(mounted || !DiskTests.mayMount, "a small disk cannot be mounted")
        guard mounted else { return }
        defer { _ = system("umount '\(disk)'") }

        let store = disk + "/laurel.db"
        try #require(try laurel("ingest", "--store", store, input: folder.write(line("a"), to: "a")).status == 0)
        let fingerprint = try laurel("fingerprint", "--store", store).output
        let large = try folder.write(DiskTests.lines, to: "large")
        let outcome = try laurel("ingest", "--store", store, large)
        #expect(outcome.status == 3)
        #expect(outcome.errors.contains("disk is full"), "\(outcome.errors)")
        try expectIntact(store, fingerprint)
        _ = system("mount -o remount,size=64m '\(disk)'")
        #expect(try laurel("ingest", "--store", store, large).status == 0)
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
    }

    /// In a container, root may not be allowed to mount.
    private static let mayMount = system("unshare -m true 2> /dev/null") == 0

    private func expectIntact(_ store: String, _ fingerprint: String) throws {
        #expect(try laurel("verify", "--store", store).status == 0)
        #expect(try laurel("replay", "--check", "--store", store).status == 0)
        #expect(try laurel("fingerprint", "--store", store).output == fingerprint)
    }
}

/// A line far longer than the longest event.
@Suite struct LongLineTests {
    @Test func `is refused, kept whole, and takes no memory`() throws {
        let folder = try TemporaryFolder()
        let store = folder.file("laurel.db")
        let (first, long, last) = (folder.file("first"), folder.file("long"), folder.file("last"))
        try folder.write(line("a") + "\n", to: "first")
        try folder.write("\n" + line("b") + "\n", to: "last")
        let input = folder.file("input")
        // 128 MiB, more than the command may use.
        try #require(system("head -c 134217728 /dev/zero | tr '\\0' x > '\(long)'") == 0)
        try #require(system("cat '\(first)' '\(long)' '\(last)' > '\(input)'") == 0)
        let ingest = try Program(laurel: ["ingest", "--store", store, "--json", input])
        var peak = 0
        while let memory = ingest.peakMemory {
            peak = memory
            sleep(milliseconds: 5)
        }
        let outcome = try ingest.wait()
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("input:2: "), "\(outcome.errors)")
        for count in [#""stored":2"#, #""refused":1"#] {
            #expect(outcome.output.replacing(" ", with: "").contains(count), "\(outcome.output)")
        }
        // SQLite's cache may take 64 MiB, and the command takes 30 MiB without any line.
        #expect(10_000 < peak && peak < 120_000, "\(peak) KiB")
        let exported = folder.file("exported")
        #expect(try laurel("quarantine", "export", "--store", store, "--out", exported).status == 0)
        #expect(system("echo >> '\(long)'; cmp '\(long)' '\(exported)'") == 0)
    }
}
