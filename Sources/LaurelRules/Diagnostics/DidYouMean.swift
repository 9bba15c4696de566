/// "; did you mean `NAME`?", or nothing.
func didYouMean(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean `\($0)`?" } ?? ""
}
