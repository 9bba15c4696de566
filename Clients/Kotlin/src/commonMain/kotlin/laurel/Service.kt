// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlin.concurrent.Volatile
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.ensureActive

/** Requests to a service. They run in [scope], so that a cancelled caller does not wait for a silent service. */
internal class Service(
    address: String,
    private val transport: Transport,
    private val credential: () -> String?,
    private val scope: CoroutineScope,
    private val dispatcher: CoroutineDispatcher,
    private val timeout: Int,
) {
    class Reply(val status: Int, val document: Document?)

    private val address = address.trimEnd('/')

    /** The status and the document of an answer 200 or 413. Throws [ServiceError] for any other answer. */
    suspend fun ask(path: String, body: String? = null, type: String? = null): Reply {
        val headers = if (type == null) emptyMap() else mapOf("Content-Type" to type)
        return connect(path, headers, body, timeout) { answer ->
            when (answer.status) {
                413 -> Reply(413, null)
                200 -> Reply(200, Document.parse(answer.readAll()) ?: throw strange(200))
                else -> throw refusal(answer)
            }
        }
    }

    /** Opens a live stream. The service sends something every 15 seconds. */
    suspend fun listen(path: String, position: String): LiveStream {
        val headers = mapOf("Accept" to "text/event-stream") + if (position.isEmpty()) emptyMap() else mapOf("Last-Event-ID" to position)
        return connect(path, headers, null, SILENCE) { answer ->
            if (answer.status != 200) throw refusal(answer)
            LiveStream(answer, position, scope, dispatcher)
        }
    }

    private suspend fun <T> connect(path: String, headers: Map<String, String>, body: String?, timeout: Int, use: (Answer) -> T): T =
        cancellable(scope, dispatcher) { onOpen ->
            val secret = secret()
            val all = if (secret == null) headers else headers + ("Authorization" to "Bearer $secret")
            val answer = transport.open(Request(address + path, all, body, timeout))
            onOpen(answer)
            use(answer)
        }

    private fun secret(): String? = try {
        credential()
    } catch (error: Exception) {
        throw ServiceError("the credential is not available: ${error.message ?: error}", cause = error)
    }

    private fun refusal(answer: Answer): ServiceError {
        val problem = Document.parse(answer.readAll())
        val status = answer.status
        val wait = answer.header("Retry-After")?.toLongOrNull() ?: 0
        return ServiceError(
            problem?.get("detail")?.text ?: "the service answered $status",
            status,
            problem?.get("code")?.text,
            isRetryable = status in setOf(408, 425, 429) || status >= 500 || status < 400,
            retryAfter = wait.coerceIn(0, 86_400) * 1000,
        )
    }

    companion object {
        private const val SILENCE = 45_000

        fun strange(status: Int) = ServiceError("something answered, but not as a service does", status)

        /** The query of an address. A list repeats its name; null and false are left out. */
        fun query(query: Map<String, Any?>): String {
            val pairs = query.flatMap { (name, value) -> (value as? List<*> ?: listOf(value)).map { name to it } }
                .filter { (_, value) -> value != null && value != false }
            return if (pairs.isEmpty()) "" else pairs.joinToString("&", "?") { (name, value) -> "${escaped(name)}=${escaped("$value")}" }
        }

        /** A text as one step of a path or one value of a query. */
        fun escaped(text: String): String = buildString {
            for (byte in text.encodeToByteArray()) {
                val code = byte.toInt() and 0xff
                val letter = code.toChar()
                if (letter in 'a'..'z' || letter in 'A'..'Z' || letter in '0'..'9' || letter in "-._~") {
                    append(letter)
                } else {
                    append('%').append(code.toString(16).uppercase().padStart(2, '0'))
                }
            }
        }
    }
}

internal fun Answer.readAll(): String = generateSequence { readLine() }.joinToString("\n")

/** Runs blocking work. If the caller is cancelled, the opened answer is closed, and the work ends by itself. */
internal suspend fun <T> cancellable(scope: CoroutineScope, dispatcher: CoroutineDispatcher, work: ((Answer) -> Unit) -> T): T {
    val handle = Handle()
    val running = scope.async(dispatcher) {
        try {
            Result.success(work { handle.open(it) })
        } catch (error: TransportError) {
            Result.failure(ServiceError("the service cannot be reached: ${error.message}", cause = error))
        } catch (error: ServiceError) {
            Result.failure(error)
        }
    }
    try {
        return running.await().getOrThrow()
    } catch (error: CancellationException) {
        handle.cancel()
        currentCoroutineContext().ensureActive()
        throw OutboxError(OutboxError.Code.CLOSED, "the client was closed", error)
    }
}

/** The answer of a request that may be cancelled before and after the answer is opened. */
private class Handle {
    @Volatile private var answer: Answer? = null
    @Volatile private var isCancelled = false

    fun open(opened: Answer) {
        answer = opened
        if (isCancelled) opened.close()
    }

    fun cancel() {
        isCancelled = true
        answer?.close()
    }
}
