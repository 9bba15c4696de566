// SPDX-License-Identifier: Apache-2.0

package laurel.trials

import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.cancel
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import laurel.Configuration
import laurel.Document
import laurel.Events
import laurel.LaurelClient
import laurel.ServiceError
import laurel.Status

/** Records five events and delivers them, to a service that answers as a test wants. Prints how it went. */
internal fun deliver(outbox: String, words: List<String>) = runBlocking {
    for ((number, pair) in words.chunked(2).withIndex()) {
        val client = open(pair[0], "$outbox/$number", Configuration(retryBase = 1, retryCap = 10))
        for (line in 1..5) client.record(Events.lineSpoken(line = "$line"), ana)
        val result = if (pair[1] == "start") background(client) else flushed(client)
        val status = client.status.first { it.pending == 0 && it.state != Status.State.SENDING }
        client.stop()
        result += mapOf("pending" to status.pending, "sent" to status.sent, "refused" to status.refused, "failures" to status.failures)
        result["problems"] = client.refused().map { listOf(it.event["data"]["line"].text, it.code) }
        client.forget(client.refused().map { it.id })
        result["forgotten"] = client.refused().isEmpty()
        client.close()
        println(Document(result))
    }
}

@OptIn(ExperimentalCoroutinesApi::class)
private fun background(client: LaurelClient): MutableMap<String, Any?> {
    // Unconfined, the reader sees each state before the next one replaces it.
    val states = LinkedBlockingQueue<Status>()
    val scope = CoroutineScope(Dispatchers.Unconfined)
    scope.launch { client.status.collect { states.add(it) } }
    client.start()
    var status: Status
    do {
        status = states.poll(30, TimeUnit.SECONDS) ?: error("no state for 30 s")
    } while (status.state != Status.State.WAITING && status.state != Status.State.BLOCKED)
    scope.cancel()
    if (status.state == Status.State.BLOCKED) client.start()
    return mutableMapOf("error" to null, "first" to status.state.name.lowercase())
}

private suspend fun flushed(client: LaurelClient): MutableMap<String, Any?> {
    val result = mutableMapOf<String, Any?>("error" to null)
    try {
        client.flush()
    } catch (error: ServiceError) {
        result["error"] = error.message
    }
    result["first"] = client.status.value.state.name.lowercase()
    client.flush()
    return result
}
