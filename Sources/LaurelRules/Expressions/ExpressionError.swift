/// What is wrong in an expression, at a byte offset in its text.
struct ExpressionError: Error, Equatable {
    let offset: Int
    let message: String
    var suggestion: String?
}
