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
            POST /v1/events answers 200 once the events are durable and counted; what the commands answer is
            under /v1/learners/ID/; /openapi.json describes all of it.

            Every option is also a key of the configuration file (YAML) and a variable of the environment:
            --listen is `listen:` and LAUREL_LISTEN. An option counts before the environment, that before
            ./laurel.yaml, and that before ~/.config/laurel/laurel.yaml.

            Without keys it listens on loopback alone; `laurel keys add` makes them. TLS and HTTP/2 are a
            proxy's. SIGTERM ends it once everything is answered.
            """,
        options: [.config] + .serviceSettings + [.newRules],
        example: "laurel serve --store school.db --listen 127.0.0.1:8080"
    ) { try ServeCommand(arguments: $0, console: $1).run() }
}

extension CommandOption {
    static let config = CommandOption(
        "config",
        "FILE",
        "the configuration file (default: laurel.yaml, where there is one)",
        completes: .yaml
    )
}

extension CommandOption {
    init(_ setting: ServiceSetting) {
        let words: [String]? =
            switch setting.value {
            case "FORMAT": RequestLog.Format.allCases.map(\.rawValue)
            case "ROLE": ServiceRole.allCases.map(\.rawValue)
            default: nil
            }
        self.init(setting.name, setting.value, setting.summary, completes: words.map { .words($0) })
    }
}

extension [CommandOption] {
    /// An option for each setting of the service.
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
        // Before any thread is started, so that none of them takes one.
        System.holdSignals()
        let sockets = try listeners(options)
        let service = try open(options)
        if !service.hasKeys, sockets.contains(where: { !$0.address.isLoopback }) {
            service.close()
            throw CommandFailure.wrongRequest(
                "without keys, only loopback is served, and \(options.listen) is not",
                hint: "`laurel keys add --scope ingest,read --store \(options.shownStore)` makes one"
            )
        }
        var limits = MicroHTTPServer.Limits()
        (limits.connections, limits.threads) = (options.mostConnections, options.threads)
        var servers = sockets.map { MicroHTTPServer($0, limits: limits) }
        for server in servers { try start(server, service) }
        if let address = options.metricsListen {
            let server = MicroHTTPServer(try ListeningSocket(address))
            try start(server, MetricsHandler(service))
            servers.append(server)
        }
        for server in servers { console.message("serving \(options.shownStore) on http://\(server.address)") }
        Supervisor.notify("READY=1")
        _ = System.waitForSignal()
        Supervisor.notify("STOPPING=1")
        console.message("ending: what has been taken in is stored and answered first")
        for server in servers { server.quiesce() }
        service.close()
        for server in servers { server.stop() }
        return .done
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
        let engine = try ProgressEngine.open(path: options.store, rules: rules, settings: settings)
        if let remark = try engine.timeZoneRemark() { console.message(remark) }
        return try LaurelService(engine, options, log: RequestLog(options.log, descriptor: System.standardError))
    }
}
