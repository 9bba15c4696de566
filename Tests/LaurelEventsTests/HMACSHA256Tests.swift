// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import Testing

@Suite struct HMACSHA256Tests {
    struct Vector: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var key: [UInt8]
        var message: [UInt8]
        var hash: String
    }

    /// The test vectors of RFC 4231.
    @Test(arguments: [
        Vector(
            testDescription: "case 1",
            key: [UInt8](repeating: 0x0b, count: 20),
            message: Array("Hi There".utf8),
            hash: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        Vector(
            testDescription: "case 2",
            key: Array("Jefe".utf8),
            message: Array("what do ya want for nothing?".utf8),
            hash: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        Vector(
            testDescription: "case 6, a key longer than a block",
            key: [UInt8](repeating: 0xaa, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            hash: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func `as RFC 4231 says, again and again`(vector: Vector) {
        let code = HMACSHA256(key: vector.key)
        #expect(code.hash(vector.message).hexadecimal == vector.hash)
        #expect(code.hash(vector.message).hexadecimal == vector.hash)
    }
}
