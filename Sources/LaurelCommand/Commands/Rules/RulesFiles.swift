// SPDX-License-Identifier: Apache-2.0

/// The rules files that a command reads.
enum RulesFiles {
    static let operand = Operand(
        "FILE",
        .oneOrMore,
        "a rules file, YAML or JSON, or a folder with *.yaml files",
        completes: .yaml
    )

    /// Finds files by the names that the user gave. A folder's name stands for its YAML files, in byte order.
    static func find(_ operands: [String]) throws -> [String] {
        try operands.flatMap { operand in
            guard System.isFolder(operand) else { return [operand] }
            let names = try System.names(inFolder: operand).filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
            guard !names.isEmpty else {
                throw CommandFailure.wrongRequest("\(operand): there is no *.yaml file in this folder")
            }
            return names.map { operand.hasSuffix("/") ? operand + $0 : "\(operand)/\($0)" }
        }
    }
}
