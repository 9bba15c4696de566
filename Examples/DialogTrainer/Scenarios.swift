// SPDX-License-Identifier: Apache-2.0

/// A dialog to act out, in Spanish.
struct Scenario {
    struct Line {
        /// Who speaks; the learner speaks the lines of the scenario's role.
        var role: String
        var text: String
        var translation: String
    }

    struct Word {
        /// The entry's id: it stays, whatever becomes of the spelling.
        var id: String
        var text: String
        var translation: String
        var category: String
    }

    var id: String
    var name: String
    /// The learner's.
    var role: String
    var lines: [Line]
    var words: [Word]
}

extension Scenario {
    static let all = [cafe, market]

    private static let cafe = Scenario(
        id: "cafe",
        name: "At the café",
        role: "Guest",
        lines: [
            Line(role: "Waiter", text: "Buenos días. ¿Qué desea?", translation: "Good morning. What would you like?"),
            Line(role: "Guest", text: "Un café con leche, por favor.", translation: "A coffee with milk, please."),
            Line(role: "Waiter", text: "¿Algo más?", translation: "Anything else?"),
            Line(role: "Guest", text: "Sí, un zumo de naranja.", translation: "Yes, an orange juice."),
            Line(role: "Waiter", text: "Enseguida.", translation: "Right away."),
            Line(role: "Guest", text: "La cuenta, por favor.", translation: "The bill, please."),
        ],
        words: [
            Word(id: "leche", text: "la leche", translation: "the milk", category: "food"),
            Word(id: "zumo", text: "el zumo", translation: "the juice", category: "food"),
            Word(id: "cuenta", text: "la cuenta", translation: "the bill", category: "money"),
        ]
    )

    private static let market = Scenario(
        id: "market",
        name: "At the market",
        role: "Customer",
        lines: [
            Line(role: "Customer", text: "¿Cuánto cuestan las manzanas?", translation: "How much are the apples?"),
            Line(role: "Seller", text: "Dos euros el kilo.", translation: "Two euros a kilo."),
            Line(role: "Customer", text: "Medio kilo, por favor.", translation: "Half a kilo, please."),
            Line(role: "Seller", text: "Aquí tiene.", translation: "Here you are."),
            Line(role: "Customer", text: "Gracias. Hasta mañana.", translation: "Thank you. See you tomorrow."),
        ],
        words: [
            Word(id: "manzana", text: "la manzana", translation: "the apple", category: "food"),
            Word(id: "medio", text: "medio", translation: "half", category: "numbers"),
            Word(id: "mañana", text: "mañana", translation: "tomorrow", category: "time"),
        ]
    )
}
