// SPDX-License-Identifier: Apache-2.0

import Foundation

// LaurelFuzz [--seconds 60] [--seed s] [TARGET [FILE…]]
//
// Without files, reads mutations of the corpus and of generated inputs; with files, only those. Built with LIBFUZZER,
// the program is an LLVM fuzzer of the target in $FUZZ_TARGET, see `make fuzz`.
//
// LaurelFuzz [--share 1/2] --bits [STEP], LaurelFuzz --flips [COUNT [SEED]]
//
// Flips every bit, or every STEP-th, of one page of each kind of a store; or COUNT bits of any pages. Several processes
// can each take a share.

#if LIBFUZZER
    private nonisolated(unsafe) let reader: ([UInt8]) throws -> Void = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "events"
        guard let target = FuzzTarget.all.first(where: { $0.name == name }), let reader = try? target.make() else {
            fatalError("$FUZZ_TARGET is none of \(FuzzTarget.all.map(\.name))")
        }
        return reader
    }()

    @_cdecl("LLVMFuzzerTestOneInput")
    public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        try? reader(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }

    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<CInt>,
        _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
        _ read: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt

    // The package manager renames each program's main, so the fuzzer's own main does not run.
    @main
    struct Fuzz {
        static func main() {
            var (count, words) = (CommandLine.argc, CommandLine.unsafeArgv)
            exit(runDriver(&count, &words) { testOneInput($0, $1) })
        }
    }
#else
    @main
    struct Fuzz {
        static func main() throws {
            var words = CommandLine.arguments.dropFirst()[...]
            var campaign = Campaign(targets: FuzzTarget.all, seed: UInt64.random(in: 0..<1_000_000), seconds: 60)
            var names: [String] = []
            var share = TurnedBits.Share()
            while let word = words.popFirst() {
                switch word {
                case "--seconds": campaign.seconds = words.popFirst().flatMap(Double.init) ?? 60
                case "--seed": campaign.seed = words.popFirst().flatMap(UInt64.init) ?? 0
                case "--targets": return print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
                case "--share": share = words.popFirst().flatMap(TurnedBits.Share.init) ?? share
                case "--bits":
                    return try TurnedBits().run(step: words.popFirst().flatMap(Int.init) ?? 1, share: share)
                case "--flips":
                    let count = words.popFirst().flatMap(Int.init) ?? 10_000
                    return try TurnedBits().run(
                        count: count,
                        seed: words.popFirst().flatMap(UInt64.init) ?? campaign.seed
                    )
                case "--seeds": return try writeSeeds(to: words.popFirst() ?? ".")
                default: names.append(word)
                }
            }
            if let name = names.first {
                campaign.targets = FuzzTarget.all.filter { $0.name == name }
                guard let target = campaign.targets.first else {
                    fatalError("there is no target \(name); there are \(FuzzTarget.all.map(\.name))")
                }
                if names.count > 1 { return try read(names.dropFirst(), target) }
            }
            // Printed first, on its own line, so that a crash cannot hide it.
            FileHandle.standardOutput.write(Data("fuzz: seed \(campaign.seed)\n".utf8))
            let counts = try campaign.run()
            for (name, inputs) in counts { print("  \(inputs) \(name)") }
            print("fuzz: \(counts.reduce(0) { $0 + $1.inputs }) inputs, seed \(campaign.seed)")
        }

        private static func read(_ files: some Sequence<String>, _ target: FuzzTarget) throws {
            let reader = try target.make()
            for file in files { try? reader(Array(try Data(contentsOf: URL(filePath: file)))) }
        }

        /// Writes the seeds, for other fuzzers to start with.
        private static func writeSeeds(to folder: String) throws {
            for target in FuzzTarget.all {
                let place = URL(filePath: folder).appending(path: target.name)
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                for (number, seed) in target.seeds().enumerated() {
                    try Data(seed).write(to: place.appending(path: "seed-\(number)"))
                }
            }
        }
    }
#endif
