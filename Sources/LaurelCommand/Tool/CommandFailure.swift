// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelReports

/// The reason why a command fails.
struct CommandFailure: Error {
    let status: ExitStatus
    /// The mistake, its position, and its correction.
    let message: String
    let hint: String?
    /// The mistakes in a given file, if the command failed because of them; otherwise empty.
    let diagnostics: [Diagnostic]

    init(_ status: ExitStatus, _ message: String, hint: String? = nil, diagnostics: [Diagnostic] = []) {
        self.status = status
        self.message = message
        self.hint = hint
        self.diagnostics = diagnostics
    }

    static func wrongRequest(_ message: String, hint: String? = nil) -> CommandFailure {
        CommandFailure(.wrongRequest, message, hint: hint)
    }
}

extension CommandFailure {
    /// Creates the failure for any error.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as EngineError: self.init(engine: error)
        case let error as UsageError: self.init(.wrongRequest, error.message, hint: error.hint)
        case let error as ReportError: self.init(.wrongRequest, error.description, hint: "this report cannot be made")
        case let error as SystemError: self.init(error.isWrongName ? .wrongRequest : .failed, error.description)
        default: self.init(.failed, "\(error)")
        }
    }

    private init(engine error: EngineError) {
        switch error.code {
        case .invalidRules: self.init("these rules cannot be used", error.diagnostics)
        case .invalidMapping: self.init("this mapping cannot be used", error.diagnostics)
        case .notFound, .ambiguousName, .otherRules, .notWithdrawable, .invalidRequest, .cannotOpen, .unknownItem,
            .conflict, .unreadable, .alreadyExists:
            self.init(.wrongRequest, error.message)
        default: self.init(.failed, error.message)
        }
    }

    private init(_ message: String, _ diagnostics: [Diagnostic]) {
        self.init(.wrongRequest, message, diagnostics: diagnostics.filter { $0.severity == .error })
    }
}
