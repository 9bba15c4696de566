// SPDX-License-Identifier: Apache-2.0

package laurel

/**
 * A field of the catalogue.
 *
 * @property description the allowed values, in words.
 */
internal class Field(
    val name: String,
    val kind: Kind,
    val description: String,
    val isRequired: Boolean = false,
    val isWhole: Boolean = false,
    val least: Double = Double.NEGATIVE_INFINITY,
    val most: Double = Double.POSITIVE_INFINITY,
    val above: Double = Double.NEGATIVE_INFINITY,
    val oneOf: List<String>? = null,
    val bounds: List<Pair<Double, Double>> = emptyList(),
) {
    enum class Kind { NUMBER, TEXT, BOOLEAN, TEXT_LIST, NUMBER_LIST, INSTANT, DATE }

    fun allows(value: Any): Boolean = when (kind) {
        Kind.NUMBER -> value is Number && allows(value.toDouble())
        Kind.TEXT -> value is String && (oneOf == null || value in oneOf)
        Kind.BOOLEAN -> value is Boolean
        Kind.TEXT_LIST -> value is List<*> && value.all { it is String }
        Kind.NUMBER_LIST -> value is List<*> && value.size == bounds.size &&
            value.zip(bounds).all { (one, bound) -> one is Number && one.toDouble() in bound.first..bound.second }
        Kind.INSTANT -> value is String && Moment.parse(value) != null
        Kind.DATE -> value is String && Moment.dayNumber(value) != null
    }

    private fun allows(value: Double): Boolean =
        value.isFinite() && (!isWhole || value == kotlin.math.floor(value)) && value in least..most && value > above
}

/** A period whose days are limited: the names of its first and its last day, and the number of days. */
internal class Span(val from: String, val through: String, val mostDays: Long)

/** The checks of a type: the attributes that it needs, and its fields. */
internal class EventType(val needs: List<String>, val span: Span?, val fields: List<Field>)

/** The checks that the service makes, of one event. */
internal class EventCheck(
    private val type: String,
    private val attributes: Map<String, Any?>,
    private val data: Map<String, Any?>,
) {
    fun run(at: Moment, now: Moment) {
        checkAttributes()
        checkTime(at, now)
        val known = catalogue[type]
        if (known != null) {
            known.needs.firstOrNull { attributes[it] == null }?.let { fail(it, "is missing") }
            known.fields.forEach { check(it) }
            known.span?.let { check(it) }
        }
        for ((name, value) in data) {
            val problem = if (byteCount(name) == null) "is no well-formed name" else unwritable(value, MOST_LEVELS)
            if (problem != null) fail("data.$name", problem)
        }
        val size = byteCount(jsonText(data)) ?: 0
        if (size > MOST_BYTES) fail("data", "has $size bytes; it may have $MOST_BYTES at most (64 KiB)")
    }

    private fun checkAttributes() {
        for ((name, most) in LENGTHS) {
            val value = attributes[name] as String? ?: continue
            if ((byteCount(value) ?: 0) !in 1..most) fail(name, "is ${shown(value)}; it must be text of 1 to $most bytes (UTF-8)")
        }
        if (type.length > 64 || !TYPE.matches(type)) {
            fail("type", "must be lower-case words and digits joined by . _ or -, such as line.spoken")
        }
        val language = attributes["language"] as String?
        if (language != null && (language.length > 128 || !LANGUAGE.matches(language))) {
            fail("language", "is ${shown(language)}; it must be a BCP 47 tag, such as es or pt-BR")
        }
        val zone = attributes["timezone"] as String?
        if (zone != null && !ZONE.matches(zone)) fail("timezone", "is ${shown(zone)}; it must be an IANA time zone, such as Europe/Berlin")
    }

    private fun checkTime(at: Moment, now: Moment) {
        if (at.milliseconds !in 0..LATEST) fail("time", "must be of the years 1970 to 9999 (UTC)")
        if (at.milliseconds - now.milliseconds > DAY) fail("time", "is $at, more than 24 hours ahead of the clock")
    }

    private fun check(field: Field) {
        val value = data[field.name]
        if (value == null && field.isRequired) fail("data.${field.name}", "is missing")
        if (value != null && !field.allows(value)) fail("data.${field.name}", "is ${shown(value)}; it must be ${field.description}")
    }

    private fun check(span: Span) {
        val (first, last) = listOf(span.from, span.through).map { Moment.dayNumber(data[it] as? String ?: return) ?: return }
        val days = last - first + 1
        if (days < 1) fail("data.${span.through}", "lies before data.${span.from}")
        if (days > span.mostDays) {
            fail("data.${span.through}", "is $days days from data.${span.from} on; there may be ${span.mostDays} at most")
        }
    }

    private fun fail(place: String, problem: String): Nothing = throw InvalidEvent(type.take(100), place, problem)

    private companion object {
        const val DAY = 86_400_000L
        const val LATEST = 253_402_300_799_999L
        const val MOST_BYTES = 65_536
        const val MOST_LEVELS = 32
        val LENGTHS = listOf("id" to 128, "source" to 256, "subject" to 256, "session" to 128)
        val TYPE = Regex("[a-z][a-z0-9]*(?:[._-][a-z0-9]+)*")
        val LANGUAGE = Regex("[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
        val ZONE = Regex("[A-Za-z0-9_+-]+(?:/[A-Za-z0-9_+-]+)*")
    }
}

/** The size of a text in UTF-8; null if the text has half of a surrogate pair. */
internal fun byteCount(text: String): Int? = try {
    text.encodeToByteArray(throwOnInvalidSequence = true).size
} catch (_: CharacterCodingException) {
    null
}

/** The reason why a value cannot be written as JSON, or read by the service; null if it can. */
private fun unwritable(value: Any?, depth: Int): String? = when (value) {
    null, is Boolean, is Int, is Long, is Short, is Byte -> null
    is Double, is Float -> if ((value as Number).toDouble().isFinite()) null else "is $value, which is no number in JSON"
    is String -> if (byteCount(value) != null) null else "has half of a surrogate pair (an emoji cut in two?)"
    is List<*> -> if (depth == 0) TOO_DEEP else value.firstNotNullOfOrNull { unwritable(it, depth - 1) }
    is Map<*, *> -> when {
        depth == 0 -> TOO_DEEP
        value.keys.any { it !is String || byteCount(it) == null } -> "has a name that is no well-formed text"
        else -> value.values.firstNotNullOfOrNull { unwritable(it, depth - 1) }
    }
    else -> "is a ${value::class.simpleName}, which JSON does not have"
}

private const val TOO_DEEP = "has more levels than may be nested"

private fun shown(value: Any): String = if (value is String) "“${value.take(100)}”" else value.toString().take(100)
