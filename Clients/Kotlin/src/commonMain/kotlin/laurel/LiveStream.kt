// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope

/**
 * The server-sent events of one connection, parsed by the HTML standard.
 *
 * @property position the id of the latest message, from which the next connection continues.
 */
internal class LiveStream(
    private val answer: Answer,
    position: String,
    private val scope: CoroutineScope,
    private val dispatcher: CoroutineDispatcher,
) {
    var position = position
        private set

    /** The next message; null when the connection ends. */
    suspend fun next(): Message? = cancellable(scope, dispatcher) { onOpen ->
        onOpen(answer)
        read()
    }

    fun close() = answer.close()

    private fun read(): Message? {
        var kind = ""
        val data = ArrayList<String>()
        while (true) {
            val line = answer.readLine() ?: return null
            if (line.isEmpty()) {
                val document = if (data.isEmpty()) null else Document.parse(data.joinToString("\n"))
                if (document != null) return Message(kind.ifEmpty { "message" }, document)
                kind = ""
                data.clear()
                continue
            }
            val value = line.substringAfter(":", "").removePrefix(" ")
            when (line.substringBefore(":")) {
                "event" -> kind = value
                "data" -> data.add(value)
                "id" -> if ('\u0000' !in value) position = value
            }
        }
    }
}
