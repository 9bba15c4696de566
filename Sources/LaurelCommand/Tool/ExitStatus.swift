// SPDX-License-Identifier: Apache-2.0

/// The exit status of a command, for scripts.
enum ExitStatus: Int32, Sendable {
    case done = 0
    /// The command has finished, but incompletely: some lines were refused, or a check failed.
    case incomplete = 1
    /// The request is invalid. Examples are a wrong option, an unknown learner and invalid rules.
    case wrongRequest = 2
    /// The store or the machine failed.
    case failed = 3
}

extension ExitStatus {
    func exit() -> Never { System.exit(rawValue) }
}
