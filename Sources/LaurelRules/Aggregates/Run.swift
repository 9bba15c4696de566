// SPDX-License-Identifier: Apache-2.0

extension Aggregate {
    /// `run: TYPES` with `while: EXPRESSION`: how many events in a row up to now.
    package static let run = Aggregate(
        "run",
        .run,
        operand: Operand(key: "while", type: .boolean),
        isWhole: true
    ) { _ in .counts }
}
