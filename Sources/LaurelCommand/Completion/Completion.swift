// SPDX-License-Identifier: Apache-2.0

/// The kind of words that a shell suggests for an option's value, or for an argument.
enum Completion: Sendable, Hashable {
    case nothing
    /// Names of files with one of these extensions; names of all files if the list is empty.
    case files([String])
    case folders
    /// One of these words.
    case words([String])
    /// Several of these words, separated by commas.
    case list([String])
    /// Names in the store.
    case learners, cohorts, languages, rulesVersions
    case reports, formats

    static let yaml = Completion.files(["yaml", "yml", "json"])

    /// The suggestions for a placeholder in help, such as `FILE`; none for nil or an unknown placeholder.
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
