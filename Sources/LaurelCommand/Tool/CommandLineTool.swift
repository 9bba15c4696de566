// SPDX-License-Identifier: Apache-2.0

import Laurel

/// The command-line tool. It runs a list of words, and returns an exit status.
struct CommandLineTool {
    let commands: [Command]

    func run(_ words: [String]) -> ExitStatus {
        System.ignoreSignals()
        System.fitHeaps()
        ProgressEngine.configureProcess()
        let console = Console()
        do {
            if words.first == CompletionScript.question { return try complete(Array(words.dropFirst()), console) }
            let status = try perform(try CommandLineParser(commands: commands).parse(words), console)
            try console.output.finish()
            return status
        } catch let error as SystemError where error.isClosedPipe {
            // The reader of the output, such as `head`, has closed the pipe.
            return .done
        } catch {
            return report(error, console)
        }
    }

    private func complete(_ words: [String], _ console: Console) throws -> ExitStatus {
        for line in Completer(commands: commands).answer(words).lines { try console.output.write(line + "\n") }
        try console.output.finish()
        return .done
    }

    private func perform(_ invocation: Invocation, _ console: Console) throws -> ExitStatus {
        switch invocation {
        case .run(let command, let arguments):
            return try command.run(arguments, console)
        case .help(let topic, asJSON: true):
            try console.output.writeJSON(HelpDocument(commands, topic: topic))
        case .help(let topic, asJSON: false):
            try console.output.writeLine(Help(commands: commands, style: console.style).text(on: topic))
        case .version:
            try console.output.writeLine("laurel \(laurelVersion)")
        }
        return .done
    }

    private func report(_ error: any Error, _ console: Console) -> ExitStatus {
        // Results before the error are written before the error's message.
        try? console.output.flush()
        let failure = CommandFailure(error)
        for diagnostic in failure.diagnostics {
            console.write(DiagnosticText(diagnostic, style: console.errorStyle).text)
        }
        console.message(failure.message)
        if let hint = failure.hint { console.message(hint) }
        return failure.status
    }
}
