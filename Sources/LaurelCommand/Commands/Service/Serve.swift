// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel
import LaurelHTTP
import LaurelService

extension Command {
    static let serve = Command(
        "serve",
        "Serves the engine over HTTP, for apps in any language",
        details: """
            POST /v1/events answers 200 when the events are durable and counted. The answers of the
            other commands are under /v1/learners/ID/. /openapi.json describes every request.

            Each option is also a key of the configuration file (YAML) and an environment variable:
            for --listen, `listen:` and LAUREL_LISTEN. If several of these give a setting, the first
            one applies: option, environment, ./laurel.yaml, ~/.config/laurel/laurel.yaml.

            If the store has no key, the service makes a first key with all rights. On a terminal it
            prints the key. Otherwise it writes the key to a file beside the store that only its
            owner can read. --open runs without keys, for programs on this machine only. For TLS and
            HTTP/2, use a proxy. On SIGTERM, the service answers all requests and ends.
            """,
        options: [.config] + .serviceSettings + [.newRules],
        example: "laurel serve --store school.db --listen 127.0.0.1:8080"
    ) { try ServeCommand(arguments: $0, console: $1).run() }
}

extension CommandOption {
    static let config = CommandOption(
        "config",
        "FILE",
        "the configuration file (default: laurel.yaml, if it exists)",
        completes: .yaml
    )
}

extension CommandOption {
    init(_ setting: ServiceSetting) {
        self.init(setting.name, setting.value, setting.summary, completes: setting.choices.map { .words($0) })
    }
}

extension [CommandOption] {
    /// One option for each setting of the service.
    static let serviceSettings = ServiceSetting.all.map { setting in
        setting.name == CommandOption.store.name
            ? CommandOption.store : CommandOption(setting)
    }
}

private struct ServeCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let options = try ServiceOptions(arguments.serviceSettings())
        System.raiseFileLimit()
        // Signals are blocked before any thread starts, so that no other thread receives them.
        System.holdSignals()
        let sockets = try listeners(options)
        let service = try open(options)
        do {
            try secure(service, options, sockets)
        } catch {
            service.close()
            throw error
        }
        var limits = MicroHTTPServer.Limits()
        (limits.connections, limits.threads) = (options.mostConnections, options.threads)
        var servers = sockets.map { MicroHTTPServer($0, limits: limits) }
        for server in servers {
            try start(server, service)
            console.message("serving \(options.shownStore) on http://\(server.address)")
        }
        if let address = options.metricsListen {
            let server = MicroHTTPServer(try ListeningSocket(address))
            try start(server, MetricsHandler(service))
            console.message("serving metrics on http://\(server.address)/metrics")
            servers.append(server)
        }
        Supervisor.notify("READY=1")
        _ = System.waitForSignal()
        Supervisor.notify("STOPPING=1")
        console.message("ending: what has been taken in is stored and answered first")
        for server in servers { server.quiesce() }
        service.close()
        for server in servers { server.stop() }
        return .done
    }

    /// Makes the first key if the store has no key. With `--open`, a service that only this machine can reach runs
    /// without keys.
    private func secure(_ service: LaurelService, _ options: ServiceOptions, _ sockets: [ListeningSocket]) throws {
        for key in service.endingKeys {
            console.message(
                "key \(key.name ?? key.id) ends at \(TimeText.minute(key.expiresAt!)) UTC; make another one in time"
            )
        }
        if options.isOpen, let listener = sockets.first(where: { !$0.address.isLoopback }) {
            throw CommandFailure.wrongRequest(
                "--open is for this machine alone, but \(listener.address) can be reached from other machines",
                hint: "leave --open out, and send a key; `laurel keys add` makes one"
            )
        }
        guard !service.hasKeys, !options.isOpen, options.role != .worker else { return }
        let file = FirstKeyFile(store: options.store)
        var secret = ""
        let key = try service.addFirstKey { made in
            secret = made
            if !System.isTerminal(System.standardError) { try file.write(made) }
        }
        guard key != nil else {
            if !secret.isEmpty { file.remove() }
            return
        }
        guard System.isTerminal(System.standardError) else {
            return console.message("the store had no keys: its first one is in \(file.path), and may do everything")
        }
        console.message("the store had no keys. This is its first one, which may do everything; it is shown this once:")
        console.message(secret)
        var address = sockets[0].address
        if ["", "0.0.0.0", "::"].contains(address.host) { address.host = "localhost" }
        console.message("sign in with it at http://\(address)/sign-in")
    }

    private func start(_ server: MicroHTTPServer, _ handler: any HTTPHandler) throws {
        do {
            try server.start(handler)
        } catch let error as HTTPServerError {
            throw CommandFailure(.failed, error.message)
        }
    }

    private func listeners(_ options: ServiceOptions) throws -> [ListeningSocket] {
        let inherited = Supervisor.inheritedSockets()
        if !inherited.isEmpty { return inherited }
        do throws(HTTPServerError) {
            return [try ListeningSocket(options.listen)]
        } catch {
            throw CommandFailure(.failed, error.message)
        }
    }

    private func open(_ options: ServiceOptions) throws -> LaurelService {
        let rules = try arguments.text(.rules).map { try Rules(path: $0) }
        var settings = StoreSettings()
        settings.learnerMemory = options.learnerBytes
        settings.mergesLater = options.role.works
        settings.quarantineLimit = options.quarantineBytes
        let engine = try ProgressEngine.open(path: options.store, rules: rules, settings: settings)
        if let remark = try engine.timeZoneRemark() { console.message(remark) }
        return try LaurelService(engine, options, log: RequestLog(options.log, descriptor: System.standardError))
    }
}
