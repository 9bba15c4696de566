// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelReports

/// Delivers reports as mail messages or as PDF. On request, only learners whose progress has changed get a report.
struct ReportDelivery {
    static let mail = CommandOption("mail", "DIR", "with --each: a message per learner into this folder, for a mailer")
    static let addresses = CommandOption("addresses", "FILE", "a CSV file with learner, address and optionally locale")
    static let from = CommandOption("from", "ADDRESS", "the sender, such as School <school@school.example>")
    static let app = CommandOption("app", "URL", "the address that the button opens, may have {learner} in it: https:")
    static let page = CommandOption("page", "URL", "the address of the whole report, as for --app")
    static let unsubscribe = CommandOption(
        "unsubscribe",
        "URL",
        "the address to unsubscribe, https: or mailto:, which contains {learner}"
    )
    static let changedSince = CommandOption(
        "changed-since",
        "N",
        "with --each: only learners with events since this commit; or a file with its number, which is updated"
    )
    static let pdf = CommandOption("pdf", nil, "with --out: PDF files, printed by Chromium")
    static let options = [mail, addresses, from, app, page, unsubscribe, changedSince, pdf]

    let arguments: Arguments
    let console: Console

    func checkOptions() throws(UsageError) {
        func fail(_ message: String) -> UsageError { UsageError(message, command: arguments.command) }
        let isMail = arguments.has(Self.mail)
        for option in [Self.addresses, Self.from, Self.app, Self.page, Self.unsubscribe]
        where arguments.has(option) && !isMail {
            throw fail("\(option.flag) says how messages are written; name a folder for them with --mail")
        }
        for option in [Self.mail, Self.changedSince] where arguments.has(option) && !arguments.has(ReportCommand.each) {
            throw fail("\(option.flag) is for one report per learner; add --each")
        }
        if isMail {
            for option in [ReportCommand.folder, ReportCommand.format, .json, Self.pdf] where arguments.has(option) {
                throw fail("--mail and \(option.flag) exclude each other")
            }
            for option in [Self.addresses, Self.from] where !arguments.has(option) {
                throw fail("--mail needs \(option.flag) too")
            }
        }
        guard arguments.has(Self.pdf) else { return }
        for option in [ReportCommand.format, .json] where arguments.has(option) {
            throw fail("--pdf and \(option.flag) exclude each other")
        }
        if !arguments.has(ReportCommand.folder) { throw fail("--pdf writes files; name a folder for them with --out") }
    }

    // MARK: Messages

    func settings() throws -> MailSettings {
        guard let from = Mailbox(arguments.text(Self.from) ?? "") else {
            throw arguments.wrong(Self.from, "is not an address, such as School <school@school.example>")
        }
        let links = MailLinks(
            app: try link(Self.app, ["https:"]),
            page: try link(Self.page, ["https:"]),
            unsubscribe: try link(Self.unsubscribe, ["https:", "mailto:"])
        )
        let addresses: MailAddresses
        do throws(EngineError) {
            addresses = try MailAddresses(file: arguments.text(Self.addresses) ?? "")
        } catch {
            guard error.code == .invalidReport else { throw error }
            throw CommandFailure.wrongRequest(error.description, hint: "no message was written")
        }
        return MailSettings(from: from, addresses: addresses, links: links)
    }

    private func link(_ option: CommandOption, _ schemes: [String]) throws -> MailLink? {
        guard let text = arguments.text(option) else { return nil }
        guard let link = MailLink(text, schemes: schemes) else {
            throw arguments.wrong(option, "is not an address that begins with \(schemes.joined(separator: " or "))")
        }
        return link
    }

    func write(_ maker: ReportMaker, to folder: String, only learners: Set<String>?) throws {
        let (settings, mode) = (try settings(), try arguments.mode())
        try System.makeFolder(folder)
        let outcome = try console.withProgress("learners") { line in
            try maker.mails(settings, only: learners) {
                line.show($0, share: Double($0) / Double(max(1, $1)))
            } write: { name, content in
                try ReportCommand.write(content, to: "\(folder)/\(name)", mode: mode)
            }
        }
        console.message("wrote \(Numbers.count(outcome.written, "message")) to \(folder)")
        printLearners("without an address", outcome.missing)
        printLearners("in the file of addresses, and without a report", outcome.superfluous)
    }

    private func printLearners(_ what: String, _ learners: [String]) {
        guard !learners.isEmpty else { return }
        let some = learners.prefix(10).map(Visible.text).joined(separator: ", ")
        console.message(
            "\(Numbers.count(learners.count, "learner")) \(what): \(some)\(learners.count > 10 ? ", …" : "")"
        )
    }

    // MARK: Changed learners

    /// The learners that changed since the given commit, and the commit up to which changes were read. The learners are
    /// nil if all may have changed. The result is nil if the option is not given.
    func changes(_ engine: ProgressEngine) throws -> (learners: Set<String>?, commit: CommitPosition)? {
        guard let text = arguments.text(Self.changedSince) else { return nil }
        let changes = try engine.changes(since: try commit(text))
        return (changes.everyone ? nil : Set(changes.learners), changes.commit)
    }

    private func commit(_ text: String) throws -> CommitPosition {
        if let commit = Self.commit(text) { return commit }
        // On the first run the file does not exist yet, and all learners count as changed.
        guard FileManager.default.fileExists(atPath: text) else { return 0 }
        let content = try String(contentsOfFile: text, encoding: .utf8)
        guard let commit = CommitPosition(content.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw arguments.wrong(Self.changedSince, "is neither a commit's number nor a file that holds one")
        }
        return commit
    }

    /// Parses a commit position; returns nil if the text names a file. A text of digits and points names a file if such
    /// a file exists.
    private static func commit(_ text: String) -> CommitPosition? {
        if let number = Int(text) { return CommitPosition(number) }
        return FileManager.default.fileExists(atPath: text) ? nil : CommitPosition(text)
    }

    /// Stores the position for the next run. Must be called after all reports were written.
    func remember(_ commit: CommitPosition) throws {
        guard let text = arguments.text(Self.changedSince) else { return }
        if Self.commit(text) == nil { try ReportCommand.write("\(commit)\n", to: text, mode: arguments.mode()) }
        console.message("as of commit \(commit)")
    }

    // MARK: PDF

    private static let browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

    /// The browser that prints PDF.
    static func browser() throws -> URL {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        for name in browsers {
            for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
                return URL(filePath: "\(folder)/\(name)")
            }
        }
        throw CommandFailure.wrongRequest(
            "--pdf needs Chromium, which is not installed",
            hint: "install it (apt install chromium), or print the page of `--format html` with any browser"
        )
    }

    /// Prints a page as PDF.
    static func print(_ page: String, to file: String, _ browser: URL) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "laurel-paper-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let source = folder.appending(path: "page.html")
        try Data(page.utf8).write(to: source)
        let process = Process()
        process.executableURL = browser
        process.arguments =
            ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-pdf-header-footer", "--no-first-run"]
            + ["--user-data-dir=\(folder.appending(path: "profile").path)"]
            // Chromium's sandbox does not work for root. The page has no scripts and loads nothing, so the sandbox is
            // not needed.
            + (NSUserName() == "root" ? ["--no-sandbox"] : [])
            + ["--print-to-pdf=\(URL(filePath: file).path)", source.absoluteString]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0, FileManager.default.fileExists(atPath: file) else {
            throw CommandFailure.wrongRequest(
                "Chromium did not print \(file)",
                hint: "it ended with \(process.terminationStatus)"
            )
        }
    }
}
