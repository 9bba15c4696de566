// SPDX-License-Identifier: Apache-2.0

/// Something that reads bytes from outside.
struct FuzzTarget: Sendable {
    let name: String
    /// What inputs are made from, beside those of the corpus.
    let seeds: @Sendable () -> [[UInt8]]
    /// Texts that mean something to it, put in by mutations.
    let tokens: [String]
    /// Makes a reader that reads one input after another. Whatever the input, it comes back: what must not be ends the
    /// process, by a trap of its own or by ``FuzzTarget/expect(_:_:)``.
    let make: @Sendable () throws -> (([UInt8]) throws -> Void)

    init(
        _ name: String,
        seeds: @escaping @Sendable () -> [[UInt8]],
        tokens: [String] = [],
        make: @escaping @Sendable () throws -> (([UInt8]) throws -> Void)
    ) {
        (self.name, self.seeds, self.tokens, self.make) = (name, seeds, tokens, make)
    }

    static func expect(_ condition: Bool, _ what: @autoclosure () -> String) {
        if !condition { fatalError(what()) }
    }

    static let all =
        TextTargets.all + StoreTargets.all + FileTargets.all
}

extension String {
    var bytes: [UInt8] { Array(utf8) }
}
