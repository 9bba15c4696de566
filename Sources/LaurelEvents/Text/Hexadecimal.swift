extension Sequence<UInt8> {
    /// Two digits a byte, in lower case.
    package var hexadecimal: String {
        let digits = Array<Character>("0123456789abcdef")
        return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
