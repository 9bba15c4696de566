import Laurel

/// The tool as a whole: from words to an exit status.
struct CommandLineTool {
    static let version = "0.1.0"

    let commands: [Command]

    func run(_ words: [String]) -> ExitStatus {
        System.ignoreSignals()
        System.fitHeaps()
        ProgressEngine.forgoMemoryStatistics()
        let console = Console()
        do {
            let status = try perform(try CommandLineParser(commands: commands).parse(words), console)
            try console.output.finish()
            return status
        } catch let error as SystemError where error.isClosedPipe {
            // Who read the results has had enough of them, as `head` has.
            return .done
        } catch {
            return report(error, console)
        }
    }

    private func perform(_ invocation: Invocation, _ console: Console) throws -> ExitStatus {
        switch invocation {
        case .run(let command, let arguments):
            return try command.run(arguments, console)
        case .help(let topic):
            try console.output.write(Help(commands: commands, style: console.style).text(on: topic))
        case .version:
            try console.output.writeLine("laurel \(CommandLineTool.version)")
        }
        return .done
    }

    private func report(_ error: any Error, _ console: Console) -> ExitStatus {
        // What was found out before comes first.
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
