// SPDX-License-Identifier: Apache-2.0

/// What a shell may offer for an option's value, or for an argument.
enum Completion: Sendable, Hashable {
    case nothing
    /// Files; with one of these extensions, where there are any.
    case files([String])
    case folders
    /// One of these.
    case words([String])
    /// Several of these, with commas between them.
    case list([String])
    /// What is in the store.
    case learners, cohorts, languages, rulesVersions
    case reports, formats

    static let yaml = Completion.files(["yaml", "yml", "json"])

    /// What stands for a value in help says most.
    init(placeholder: String?) {
        switch placeholder {
        case "FILE", "STORE", "DATA": self = .files([])
        case "NEW": self = .yaml
        case "DIR", "FOLDER": self = .folders
        case "LEARNER": self = .learners
        case "BOOL": self = .words(["true", "false"])
        case "W": self = .words(["last"])
        default: self = .nothing
        }
    }
}
