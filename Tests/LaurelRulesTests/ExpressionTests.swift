// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaurelRules

@Suite("Expressions")
struct ExpressionTests {
    typealias Case = Row<String, ExpressionValue>

    /// a = 7, b = -2.5, c is null, p is true, q is null, s is "solo", t is null.
    static let inputs = Inputs(numbers: [7, -2.5, .nan, 1, .nan], texts: ["solo", nil])

    @Test(
        "Arithmetic",
        arguments: [
            Case("product before sum", "1 + 2 * 3", .number(7)),
            Case("left to right", "10 - 4 - 3", .number(3)),
            Case("division", "a / 2", .number(3.5)),
            Case("parentheses", "(1 + 2) * 3", .number(9)),
            Case("unary minus binds most", "-a + 1", .number(-6)),
            Case("two minuses", "--a", .number(7)),
            Case("remainder keeps the dividend's sign", "-7 % 3", .number(-1)),
            Case("remainder of a positive by a negative", "7 % -3", .number(1)),
            Case("remainder of fractions", "5.5 % 2", .number(1.5)),
            Case("division by zero is null", "a / 0", .null),
            Case("remainder by zero is null", "a % 0", .null),
            Case("overflow is null", "1e308 * a", .null),
            Case("null on a side", "a + c", .null),
            Case("null literal", "a + null", .null),
            Case("null negated", "-c", .null),
            Case("floor", "floor(b)", .number(-3)),
            Case("ceil", "ceil(b)", .number(-2)),
            Case("round half away from zero, below", "round(b)", .number(-3)),
            Case("round half away from zero, above", "round(2.5)", .number(3)),
            Case("abs", "abs(b)", .number(2.5)),
            Case("min of one", "min(a)", .number(7)),
            Case("min of three", "min(a, b, 0)", .number(-2.5)),
            Case("max of three", "max(b, a, 0)", .number(7)),
            Case("max with null", "max(a, c)", .null),
            Case("max with null literal", "max(a, null)", .null),
            Case("exponent", "1.5e2", .number(150)),
            Case("the day of a date", "day('1970-01-02')", .number(1)),
            Case("the first day", "day('0001-01-01')", .number(-719_162)),
            Case("the last day", "day('9999-12-31')", .number(2_932_896)),
            Case("the year 0", "day('0000-12-31')", .null),
            Case("no such day", "day('2026-02-29')", .null),
            Case("not a date", "day(s)", .null),
            Case("the day of null", "day(t)", .null),
            Case("the day of the literal null", "day(null)", .null),
            Case("a computed date", "day(p ? '1970-01-03' : s)", .number(2)),
            Case("days between", "day('2026-03-01') - day('2026-02-01')", .number(28)),
            Case("no digit before the point", ".5", .number(0.5)),
        ]
    )
    func arithmetic(_ row: Case) throws {
        #expect(try Self.inputs.evaluate(row.input) == row.expected)
    }

    @Test(
        "Comparisons",
        arguments: [
            Case("less", "b < a", .boolean(true)),
            Case("null compares as null", "c < a", .null),
            Case("null == number is null", "c == a", .null),
            Case("literal null: equal", "c == null", .boolean(true)),
            Case("literal null: not equal", "a != null", .boolean(true)),
            Case("literal null on the left", "null == a", .boolean(false)),
            Case("null == null", "null == null", .boolean(true)),
            Case("null != null", "null != null", .boolean(false)),
            Case("computed null == null", "a / 0 == null", .boolean(true)),
            Case("null literal in an order", "null < 3", .null),
            Case("left to right on one level", "a < b == p", .boolean(false)),
            Case("in on the same level", "a in [7] == p", .boolean(true)),
            Case("text equal", "s == 'solo'", .boolean(true)),
            Case("text not equal", "s != \"host\"", .boolean(true)),
            Case("null text", "t == 'solo'", .null),
            Case("null text == null", "t == null", .boolean(true)),
            Case("text bytewise: capitals first", "'Z' < 'a'", .boolean(true)),
            Case("text bytewise: prefix first", "'so' < s", .boolean(true)),
            Case("text bytewise: beyond ASCII", "'é' > 'z'", .boolean(true)),
            Case("empty text is no null", "'' == null", .boolean(false)),
            Case("number in list", "a in [1, 7, -3]", .boolean(true)),
            Case("negative number in list", "b in [-2.5]", .boolean(true)),
            Case("null in list", "c in [1]", .null),
            Case("text in list", "s in ['host', 'solo']", .boolean(true)),
            Case("text not in list", "s in ['host']", .boolean(false)),
            Case("null text in list", "t in ['host']", .null),
            Case("boolean in list", "p in [false]", .boolean(false)),
            Case("empty list", "a in []", .boolean(false)),
        ]
    )
    func comparisons(_ row: Case) throws {
        #expect(try Self.inputs.evaluate(row.input) == row.expected)
    }

    @Test(
        "Logic",
        arguments: [
            Case("not", "!p", .boolean(false)),
            Case("not null", "!q", .null),
            Case("true and null", "p && q", .null),
            Case("false and null: the other side decides", "!p && q", .boolean(false)),
            Case("null and false", "q && false", .boolean(false)),
            Case("true or null", "p || q", .boolean(true)),
            Case("null or true", "q || p", .boolean(true)),
            Case("false or null", "!p || q", .null),
            Case("null literal and false", "null && false", .boolean(false)),
            Case("and before or", "true || false && false", .boolean(true)),
            Case("condition true", "p ? a : b", .number(7)),
            Case("condition false", "!p ? a : b", .number(-2.5)),
            Case("condition null", "q ? a : b", .number(-2.5)),
            Case("condition literal null", "null ? a : b", .number(-2.5)),
            Case("null branch taken", "p ? null : a", .null),
            Case("null branch not taken", "p ? a : null", .number(7)),
            Case("null text branch", "p ? null : s", .null),
            Case("text branches", "p ? s : 'x'", .text("solo")),
            Case("right to left", "!p ? 1 : p ? 2 : 3", .number(2)),
            Case("lowest precedence", "p || p ? 1 + 1 : 0", .number(2)),
            Case("default of null", "default(c, 5)", .number(5)),
            Case("default of a value", "default(a, 5)", .number(7)),
            Case("default of null text", "default(t, 'x')", .text("x")),
            Case("default of a literal null", "default(null, a)", .number(7)),
            Case("default with a literal null", "default(c, null)", .null),
            Case("default of a condition", "default(c > 1, false)", .boolean(false)),
            Case("has", "has(a)", .boolean(true)),
            Case("has not", "has(c)", .boolean(false)),
            Case("has text", "has(s)", .boolean(true)),
            Case("has null text", "has(t)", .boolean(false)),
            Case("has literal null", "has(null)", .boolean(false)),
        ]
    )
    func logic(_ row: Case) throws {
        #expect(try Self.inputs.evaluate(row.input) == row.expected)
    }

    @Test(
        "Escapes in text",
        arguments: [
            Case("both quotes", #"'\'' == "'""#, .boolean(true)),
            Case("a double quote", #""\"""#, .text("\"")),
            Case("control characters", #"'\b\f\n\r\t'"#, .text("\u{8}\u{C}\n\r\t")),
            Case("slash and backslash", #"'\/\\'"#, .text("/\\")),
            Case("four digits", #"'\u00e9'"#, .text("é")),
            Case("a surrogate pair", #"'\uD83D\uDE00'"#, .text("😀")),
        ]
    )
    func escapes(_ row: Case) throws {
        #expect(try Self.inputs.evaluate(row.input) == row.expected)
    }

    @Test(
        "Mistakes",
        arguments: [
            Row("empty", "", "0: an expression is missing here"),
            Row("ends early", "a +", "3: expected a value, but the expression ends"),
            Row("too much", "a b", "2: expected an operator or the end, found `b`"),
            Row("and", "a and b", "2: `and` is written `&&`"),
            Row("or, in parentheses", "(a OR b)", "3: `OR` is written `||`"),
            Row("not", "not a", "0: `not` is written `!`"),
            Row("not with parentheses", "not(a)", "0: `not` is written `!`"),
            Row("if", "if a then b", "0: `if` is written `condition ? value : otherwise`"),
            Row("a power", "a ** 2", "2: there is no `**`: a power is written as a product, such as `n * n`"),
            Row("not equal in SQL", "a <> b", "2: unknown symbol `<>`; did you mean `!=`?"),
            Row("one equals sign", "a = 7", "2: unknown symbol `=`; did you mean `==`?"),
            Row("not closed", "(a", "2: expected `)` after the expression in parentheses, but the expression ends"),
            Row("open text", "'abc", "0: text that is not closed: a ' is missing at its end"),
            Row("half a surrogate pair", #"'\uD83D'"#, unknownEscape),
            Row("unknown function", "flor(a)", "0: unknown function `flor`; did you mean `floor`?"),
            Row("argument count", "abs(a, b)", "0: `abs` takes 1 argument, not 2"),
            Row("no arguments", "min()", "0: `min` takes at least 1 argument, not 0"),
            Row("list alone", "[1]", "0: a list may only stand on the right of `in`"),
            Row("in without list", "a in b", "5: expected a list like [\"a\", \"b\"] after `in`, found `b`"),
            Row(
                "mixed list",
                "a in [1, 'x']",
                "9: a list holds values of one type: this is text, the first is a number"
            ),
            Row("null in list", "a in [null]", "6: null is never in a list: write `x == null ||` before it"),
            Row("text plus number", "a + s", "4: `+` takes numbers, but this is text"),
            Row("number == text", "a == s", "2: `==` compares a number with text: they are never equal"),
            Row("number < text", "a < s", "2: `<` compares numbers or text, not a number with text"),
            Row(
                "chain",
                "1 < a < 9",
                "0: `<` compares numbers or text, but this is true or false; write `a < b && b < c` for a chain"
            ),
            Row("number as condition", "a && p", "0: `&&` takes true or false, but this is a number"),
            Row("branches", "p ? a : s", "2: both values of `? :` must be of one type, not a number and text"),
            Row("text in numbers", "s in [1]", "0: `in` looks for a number in this list, but this is text"),
            Row("two at once", "x + y", "0: unknown name `x`\n4: unknown name `y`"),
            Row("number with letters", "12a", "0: not a number: numbers are written like 12, 0.5 or 1e3"),
            Row("number too large", "1e999", "0: a number too large for a double"),
        ]
    )
    func mistakes(_ row: Row<String, String>) {
        #expect(errors(in: row.input) == row.expected)
    }

    static let unknownEscape =
        #"1: unknown escape: use \" \' \\ \/ \b \f \n \r \t or \u and four hexadecimal digits"#

    private func errors(in source: String) -> String {
        switch Compiler.compile(source, for: "it", expecting: nil, resolve: Inputs.resolve) {
        case .success: ""
        case .failure(let failure): failure.errors.map { "\($0.offset): \($0.message)" }.joined(separator: "\n")
        }
    }

    @Test("Depth and length are bounded")
    func bounds() {
        let deep = String(repeating: "(", count: 101) + "1" + String(repeating: ")", count: 101)
        #expect(errors(in: deep) == "100: nested too deeply: at most 100 levels")
        #expect(errors(in: String(repeating: "!", count: 200) + "p") == "99: nested too deeply: at most 100 levels")
        let fine = String(repeating: "(", count: 99) + "1" + String(repeating: ")", count: 99)
        #expect(errors(in: fine) == "")
        #expect(errors(in: String(repeating: "1+", count: 4_000) + "1") == "")
        #expect(
            errors(in: String(repeating: "a+", count: 5_000) + "1") == "0: an expression may have at most 10000 bytes"
        )
        let many = "max(" + Array(repeating: "a", count: 200).joined(separator: ",") + ")"
        #expect(errors(in: many) == "0: too many values at once: split it into several metrics or rules")
    }

    @Test("What does not change is computed once")
    func constants() throws {
        func constant(_ source: String) throws -> Double? {
            try Compiler.compile(source, for: "it", expecting: nil, resolve: Inputs.resolve).get().constantNumber
        }
        #expect(try constant("50") == 50)
        #expect(try constant("2 * (3 + 4) - 1") == 13)
        #expect(try constant("true ? 1 : 2") == 1)
        #expect(try constant("min(3, 1, 2)") == 1)
        #expect(try constant("1 < 2 && true") == 1)
        #expect(try constant("1 / 0")?.isNaN == true)
        #expect(try constant("null")?.isNaN == true)
        #expect(try constant("a + 1") == nil)
    }

    @Test("A program knows what it reads")
    func usedNames() throws {
        let program = try Compiler.compile("a + b * a", for: "it", expecting: .number, resolve: Inputs.resolve).get()
        #expect(program.usedSlots.map(\.name) == ["a", "b"])
        #expect(program.description == "a + b * a")
        let values = [2.0, 3.0]
        values.withUnsafeBufferPointer { values in
            let slices = [TextSlice()]
            slices.withUnsafeBufferPointer { slices in
                let frame = Frame(
                    track: values.baseAddress!,
                    event: values.baseAddress!,
                    texts: slices.baseAddress!
                )
                #expect(program.number(frame) == 8)
                #expect(program.inputs(frame).map(\.value) == [.number(2), .number(3)])
            }
        }
    }
}
