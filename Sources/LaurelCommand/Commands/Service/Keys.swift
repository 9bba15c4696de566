// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelService

extension Command {
    static let keysAdd = Command(
        "keys add",
        "Makes a key for the service, and prints it only now",
        details: """
            Scopes are ingest (send events), analytics (send calls of analytics SDKs, from public
            pages too), read (ask), rules, keys, webhooks, erase, decree (send events that change
            numbers by decree), and admin (everything). The store keeps only a hash of the key. A
            running service accepts the key within seconds.

            A key is valid for a year, or until --expires. With --cohort, it can only read, and only
            about learners of those cohorts. --types lists further event types that a sending key
            may send: see docs/service.md, "Trust".
            """,
        options: [
            .store, KeysCommand.scope, KeysCommand.name, KeysCommand.source, KeysCommand.learner, KeysCommand.types,
            KeysCommand.cohort, KeysCommand.expires, .json,
        ],
        example: "laurel keys add --scope ingest,read --name \"Anna's phone\" --source my-app"
    ) { try KeysCommand(arguments: $0, console: $1).add() }

    static let keysList = Command(
        "keys list",
        "Lists keys with their latest uses, without secrets",
        options: [.store, .json],
        example: "laurel keys list --store school.db",
        isGroupDefault: true
    ) { try KeysCommand(arguments: $0, console: $1).list() }

    static let keysRevoke = Command(
        "keys revoke",
        "Revokes keys for good; a running service refuses them within seconds",
        details: "The last valid key with the scope admin stays. Make another one before you revoke it.",
        operand: Operand("KEY", .oneOrMore, "a key's id, from `laurel keys list`"),
        options: [.store],
        example: "laurel keys revoke 5f0c1d2e3a4b"
    ) { try KeysCommand(arguments: $0, console: $1).revoke() }

    static let keysRotate = Command(
        "keys rotate",
        "Makes a new signing key for learners' tokens",
        details: """
            Older tokens stay valid until they expire, for at most 24 hours. --now ends them at
            once; use it if somebody may have read a copy of the store. A service with a
            signing-key-file does not use the keys in the store.
            """,
        options: [.store, KeysCommand.now],
        example: "laurel keys rotate --now --store school.db"
    ) { try KeysCommand(arguments: $0, console: $1).rotate() }
}

private struct KeysCommand {
    static let scope = CommandOption(
        "scope",
        "LIST",
        "the key's rights: \(Scope.allCases.map(\.rawValue).joined(separator: ", "))",
        completes: .list(Scope.allCases.map(\.rawValue))
    )
    static let name = CommandOption("name", "NAME", "the person or program that will use it")
    static let source = CommandOption("source", "S", "only events of this source")
    static let learner = CommandOption("learner", "L", "only this learner", completes: .learners)
    static let types = CommandOption("types", "LIST", "event types that it may send in addition to ordinary ones")
    static let cohort = CommandOption("cohort", "LIST", "only learners of these cohorts")
    static let expires = CommandOption("expires", "TIME", "when it expires, RFC 3339, or never (default: in a year)")
    static let now = CommandOption("now", nil, "end all tokens at once")

    let arguments: Arguments
    let console: Console

    func add() throws -> ExitStatus {
        let grant = try grant()
        if let problem = grant.problem(at: System.date()) {
            throw UsageError("\(problem)", command: arguments.command)
        }
        let keys = AccessKeys(try arguments.openForWriting(clock: System.date()))
        let made = try keys.add(grant, by: System.userName, auditing: System.actor)
        if arguments.has(.json) {
            try console.output.writeJSON(Made(id: made.key.id, key: made.secret))
        } else {
            try console.output.write(made.secret + "\n")
        }
        try console.output.flush()
        let end = grant.expiresAt.map { "it ends at \(TimeText.minute($0)) UTC" } ?? "it never ends"
        console.message("key \(made.key.id): it is shown this once; \(end)")
        return .done
    }

    private func grant() throws -> KeyGrant {
        guard let text = arguments.text(Self.scope) else {
            throw UsageError("\(Self.scope.usage) is missing", command: arguments.command)
        }
        guard let scopes = Scope.list(text) else {
            let names = Scope.allCases.map(\.rawValue).joined(separator: ", ")
            throw arguments.wrong(Self.scope, "is no list of \(names)")
        }
        let isEndless = arguments.text(Self.expires) == "never"
        let end = isEndless ? nil : try arguments.instant(Self.expires)?.date ?? System.date() + KeyGrant.lifetime
        return KeyGrant(
            name: arguments.text(Self.name),
            scopes,
            source: arguments.text(Self.source),
            learner: arguments.text(Self.learner),
            types: list(Self.types),
            cohorts: list(Self.cohort),
            expiresAt: end
        )
    }

    private func list(_ option: CommandOption) -> [String]? {
        arguments.text(option).map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    private struct Made: Encodable {
        var id: String
        var key: String
    }

    func list() throws -> ExitStatus {
        let keys = try AccessKeys(arguments.openForInspection()).all()
        if arguments.has(.json) {
            var list = JSONLines(console.output)
            for key in keys { try list.add(key) }
            try list.finish()
            return .done
        }
        var table = Table([
            .text("key"), .prose("name"), .text("scopes"), .prose("for"), .text("made (UTC)").spare,
            .text("used (UTC)").spare, .text("expires (UTC)"),
        ])
        for key in keys {
            let limits = [key.source, key.learner, key.cohorts?.joined(separator: ",")].compactMap(\.self)
            table.add([
                key.id, key.name ?? "", key.scopes.map(\.rawValue).joined(separator: ","),
                limits.joined(separator: " "), TimeText.minute(key.createdAt),
                key.lastUsedAt.map(TimeText.minute) ?? "", key.expiresAt.map(TimeText.minute) ?? "never",
            ])
        }
        if !keys.isEmpty { try table.write(to: console.output, style: console.style) }
        try console.output.flush()
        console.message(Numbers.count(keys.count, "key"))
        for key in keys where key.endsSoon(at: System.date()) {
            console.message("key \(key.id) ends within 30 days, at \(TimeText.minute(key.expiresAt!)) UTC")
        }
        return .done
    }

    func revoke() throws -> ExitStatus {
        let keys = AccessKeys(try arguments.openForRemoval())
        for id in arguments.operands {
            switch try keys.revoke(id, at: System.date(), auditing: System.actor) {
            case .revoked: console.message("key \(id) is revoked")
            case .unknown:
                throw CommandFailure.wrongRequest(
                    "there is no key “\(Visible.text(id))”",
                    hint: "`laurel keys list` lists them"
                )
            case .isLastAdministrator:
                throw CommandFailure.wrongRequest(
                    "key \(Visible.text(id)) is the last valid one with the scope admin, and stays",
                    hint: "`laurel keys add --scope admin` makes another one first"
                )
            }
        }
        return .done
    }

    func rotate() throws -> ExitStatus {
        let keys = SigningKeys(try arguments.openForRemoval())
        let ending = try keys.rotate(now: arguments.has(Self.now), at: System.date(), auditing: System.actor)
        let when = arguments.has(Self.now) ? "have ended" : "end within 24 hours"
        console.message("made a new signing key; \(Numbers.count(ending, "earlier key")) \(when)")
        return .done
    }
}
