// SPDX-License-Identifier: Apache-2.0

// A dialog trainer for the terminal: what an app does with LaurelClient and Laurel, from end to end.
//
//     swift run DialogTrainer
import Foundation
import Laurel
import LaurelClient

func fail(_ message: String, status: Int32) -> Never {
    FileHandle.standardError.write(Data("dialog-trainer: \(message)\n".utf8))
    exit(status)
}

if CommandLine.arguments.contains("--help") {
    print(Options.usage)
    exit(0)
}

let options: Options
do {
    options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
    fail("\(error.message)\n\(Options.usage)", status: 2)
}

let help = """
    play [N]       act out dialog N: \
    \(Scenario.all.enumerated().map { "\($0.offset + 1) \($0.element.name)" }.joined(separator: ", "))
    review         the words that are due
    progress       where you stand
    words [P]      your words that begin so
    achievements   what there is to win
    quit
    """

/// Does what a line says; false where there is no more to do.
func obey(_ line: String, _ trainer: Trainer) async throws -> Bool {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let argument = words.count > 1 ? words[1] : nil
    switch words.first ?? "" {
    case "": break
    case "play":
        guard let number = Int(argument ?? "1"), Scenario.all.indices.contains(number - 1) else {
            print("There are dialogs 1 to \(Scenario.all.count).")
            break
        }
        return try await trainer.play(Scenario.all[number - 1])
    case "review": return try await trainer.review()
    case "progress": try trainer.showProgress()
    case "words": try trainer.showWords(argument ?? "")
    case "achievements": try trainer.showAchievements()
    case "quit": return false
    case "help": print(help)
    default: print("I do not know “\(line)”.\n\(help)")
    }
    return true
}

do {
    let trainer = try Trainer(options)
    try trainer.showProgress()
    var hasMore = true
    while hasMore, let line = Prompt.read("play, review, progress, words, achievements, quit> ") {
        hasMore = try await obey(line, trainer)
    }
    await trainer.close()
} catch {
    let isOurs = error is EngineError || error is OutboxError || error is InvalidEvent
    fail(isOurs ? "\(error)" : "\(options.folder.path): \(error.localizedDescription)", status: 3)
}
