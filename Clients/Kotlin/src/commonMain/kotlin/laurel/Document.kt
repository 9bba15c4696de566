// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlin.jvm.JvmStatic

/**
 * A JSON value from the service. A member that does not exist is a document whose [value] is null, so lookups can be chained:
 * `progress["balances"]["gems"].number`.
 *
 * @property value a Map, List, String, Boolean, Long, Double or null.
 */
class Document(val value: Any?) {
    /** The member of an object. */
    operator fun get(name: String): Document = Document((value as? Map<*, *>)?.get(name))

    /** The elements of an array; empty for any other value. */
    val items: List<Document> get() = (value as? List<*>)?.map { Document(it) } ?: emptyList()

    /** The text; null for any other value. */
    val text: String? get() = value as? String

    /** The number; null for any other value. */
    val number: Double? get() = (value as? Number)?.toDouble()

    /** The number without its fraction; null for any other value. */
    val integer: Long? get() = (value as? Number)?.toLong()

    /** The boolean; null for any other value. */
    val boolean: Boolean? get() = value as? Boolean

    /** The value as JSON. */
    override fun toString(): String = jsonText(value)

    override fun equals(other: Any?): Boolean = other is Document && other.value == value

    override fun hashCode(): Int = value.hashCode()

    companion object {
        /** Reads JSON; null if the text is not JSON. */
        @JvmStatic
        fun parse(text: String): Document? = try {
            Document(JsonReader(text).whole())
        } catch (_: NotJson) {
            null
        }
    }
}

/** A value as JSON on one line. The members of a map keep their order. A whole number is written without a point. */
internal fun jsonText(value: Any?): String = StringBuilder().also { writeJson(value, it) }.toString()

private fun writeJson(value: Any?, out: StringBuilder) {
    when (value) {
        null -> out.append("null")
        is String -> writeText(value, out)
        is Float -> writeJson(value.toString().toDouble(), out)
        is Double -> if (value == value.toLong().toDouble()) out.append(value.toLong()) else out.append(value)
        is Map<*, *> -> {
            out.append('{')
            value.entries.forEachIndexed { index, (name, member) ->
                if (index > 0) out.append(',')
                writeText(name.toString(), out)
                out.append(':')
                writeJson(member, out)
            }
            out.append('}')
        }
        is List<*> -> {
            out.append('[')
            value.forEachIndexed { index, element ->
                if (index > 0) out.append(',')
                writeJson(element, out)
            }
            out.append(']')
        }
        else -> out.append(value)
    }
}

private fun writeText(text: String, out: StringBuilder) {
    out.append('"')
    for (letter in text) {
        when {
            letter == '"' || letter == '\\' -> out.append('\\').append(letter)
            letter == '\n' -> out.append("\\n")
            letter < ' ' || letter == '\u007f' -> out.append("\\u").append(letter.code.toString(16).padStart(4, '0'))
            else -> out.append(letter)
        }
    }
    out.append('"')
}

private class NotJson : Exception()

/** A parser of JSON by RFC 8259, with at most [DEPTH] levels. */
private class JsonReader(private val text: String) {
    private var at = 0

    fun whole(): Any? {
        val value = value(0)
        space()
        if (at < text.length) throw NotJson()
        return value
    }

    private fun space() {
        while (at < text.length && text[at] in " \t\r\n") at += 1
    }

    private fun next(): Char {
        space()
        if (at >= text.length) throw NotJson()
        return text[at]
    }

    private fun take(word: String): Boolean = text.startsWith(word, at).also { if (it) at += word.length }

    private fun value(depth: Int): Any? {
        if (depth > DEPTH) throw NotJson()
        return when (next()) {
            '{' -> members(depth)
            '[' -> elements(depth)
            '"' -> string()
            't' -> if (take("true")) true else throw NotJson()
            'f' -> if (take("false")) false else throw NotJson()
            'n' -> if (take("null")) null else throw NotJson()
            else -> number()
        }
    }

    private fun members(depth: Int): Map<String, Any?> {
        val found = LinkedHashMap<String, Any?>()
        list('}') {
            if (next() != '"') throw NotJson()
            val name = string()
            if (next() != ':') throw NotJson()
            at += 1
            found[name] = value(depth + 1)
        }
        return found
    }

    private fun elements(depth: Int): List<Any?> {
        val found = ArrayList<Any?>()
        list(']') { found.add(value(depth + 1)) }
        return found
    }

    /** Reads the parts of an object or an array, up to its end. */
    private inline fun list(end: Char, part: () -> Unit) {
        at += 1
        if (next() == end) {
            at += 1
            return
        }
        while (true) {
            part()
            val mark = next()
            at += 1
            if (mark == end) return
            if (mark != ',') throw NotJson()
        }
    }

    private fun string(): String {
        at += 1
        val found = StringBuilder()
        while (at < text.length) {
            when (val letter = text[at++]) {
                '"' -> return found.toString()
                '\\' -> found.append(escaped())
                else -> if (letter < ' ') throw NotJson() else found.append(letter)
            }
        }
        throw NotJson()
    }

    private fun escaped(): Char {
        if (at >= text.length) throw NotJson()
        return when (val letter = text[at++]) {
            '"', '\\', '/' -> letter
            'b' -> '\b'
            'f' -> '\u000c'
            'n' -> '\n'
            'r' -> '\r'
            't' -> '\t'
            'u' -> {
                at += 4
                if (at > text.length) throw NotJson()
                text.substring(at - 4, at).toIntOrNull(16)?.toChar() ?: throw NotJson()
            }
            else -> throw NotJson()
        }
    }

    private fun number(): Number {
        val found = NUMBER.matchAt(text, at)?.value ?: throw NotJson()
        at += found.length
        return found.toLongOrNull() ?: found.toDouble()
    }

    private companion object {
        const val DEPTH = 100
        val NUMBER = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")
    }
}
