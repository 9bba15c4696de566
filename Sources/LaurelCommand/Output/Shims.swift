import Foundation
import Laurel
import LaurelProgress

// What goes when explanations and rules stand on the public interface, too.
extension TimeText {
    static func day(_ milliseconds: Int64) -> String { day(Date(milliseconds: milliseconds)) }
    static func minute(_ milliseconds: Int64) -> String { minute(Date(milliseconds: milliseconds)) }
    static func second(_ milliseconds: Int64) -> String { second(Date(milliseconds: milliseconds)) }
}

extension JSONText {
    mutating func members(_ numbers: [NamedNumber]) {
        for number in numbers { member(number.name, Double?.some(number.value)) }
    }
}
