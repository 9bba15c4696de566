// SPDX-License-Identifier: Apache-2.0

extension Aggregate {
    /// `run: TYPES` with `while: EXPRESSION`: the number of consecutive events up to now.
    package static let run = Aggregate(
        "run",
        .run,
        operand: Operand(key: "while", type: .boolean),
        isWhole: true
    ) { _ in .counts }
}
