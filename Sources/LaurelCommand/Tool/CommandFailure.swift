import LaurelAdapters
import LaurelEvents
import LaurelRules
import LaurelYAML
import LaurelStore

/// Why a command cannot go on.
struct CommandFailure: Error {
    let status: ExitStatus
    /// What was wrong, where, and what would be right.
    let message: String
    let hint: String?

    init(_ status: ExitStatus, _ message: String, hint: String? = nil) {
        self.status = status
        self.message = message
        self.hint = hint
    }

    static func wrongRequest(_ message: String, hint: String? = nil) -> CommandFailure {
        CommandFailure(.wrongRequest, message, hint: hint)
    }
}

extension CommandFailure {
    /// What any error means to who gave the command.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as UsageError: self.init(.wrongRequest, error.message, hint: error.hint)
        case let error as RulesError: self.init(error)
        case let error as MappingError:
            self.init(
                .wrongRequest,
                error.diagnostics.filter { $0.severity == .error }.map(\.description).joined(separator: "\n"),
                hint: "this mapping cannot be used; `laurel formats check` tells all about it"
            )
        case let error as AdapterError: self.init(.wrongRequest, error.message)
        case let error as InputError: self.init(error.code == .cannotRead ? .failed : .wrongRequest, "\(error)")
        case let error as StoreError: self.init(error.code == .notFound ? .wrongRequest : .failed, error.message)
        case let error as SystemError: self.init(error.isWrongName ? .wrongRequest : .failed, error.description)
        default: self.init(.failed, "\(error)")
        }
    }

    private init(_ error: RulesError) {
        let mistakes = error.diagnostics.filter { $0.severity == .error }
        self.init(
            .wrongRequest,
            mistakes.map(\.description).joined(separator: "\n"),
            hint: "these rules cannot be used"
        )
    }
}
