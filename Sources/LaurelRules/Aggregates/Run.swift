// SPDX-License-Identifier: Apache-2.0

extension Aggregate {
    /// `run: TYPES` with `while: EXPRESSION`: the number of events in a row, up to the latest, for which the expression
    /// is true.
    package static let run = Aggregate(
        "run",
        .run,
        operand: Operand(key: "while", type: .boolean),
        isWhole: true
    ) { _ in .counts }
}
