// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlin.concurrent.Volatile
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** Delivers the outbox to a service, one batch at a time, and tries again after failures. */
internal class Sender(
    private val outbox: Outbox,
    private val service: Service,
    private val backoff: Backoff,
    private val scope: CoroutineScope,
    initial: Status,
) {
    private val current = MutableStateFlow(initial)
    val status: StateFlow<Status> = current.asStateFlow()
    private val lock = Mutex()
    private val signals = Channel<Unit>(Channel.CONFLATED)
    @Volatile private var running: Job? = null

    fun start() {
        change { if (it.state == Status.State.BLOCKED) it.copy(state = Status.State.IDLE) else it }
        if (running?.isActive != true) running = scope.launch { run() }
        signals.trySend(Unit)
    }

    suspend fun stop() {
        running?.cancelAndJoin()
        running = null
        change { if (it.state == Status.State.WAITING) it.copy(state = Status.State.IDLE, delay = null) else it }
    }

    suspend fun flush() {
        val end = outbox.end()
        while (send(end)) Unit
    }

    /** Notes new events, and delivers them if delivery runs. */
    suspend fun wake() {
        count { it }
        signals.trySend(Unit)
    }

    suspend fun close() {
        lock.withLock { outbox.close() }
        change { it.copy(state = Status.State.CLOSED, delay = null) }
    }

    private suspend fun run() {
        while (scope.isActive) {
            signals.receive()
            while (current.value.state != Status.State.BLOCKED) {
                try {
                    if (!send(Long.MAX_VALUE)) break
                } catch (error: ServiceError) {
                    pause(error.retryAfter)
                } catch (error: OutboxError) {
                    if (error.code == OutboxError.Code.CLOSED) return
                    pause(0)
                }
            }
        }
    }

    private suspend fun pause(atLeast: Long) {
        if (current.value.state == Status.State.BLOCKED) return
        val wait = maxOf(backoff.delay(current.value.failures), atLeast)
        change { it.copy(state = Status.State.WAITING, delay = wait) }
        delay(wait)
        change { if (it.state == Status.State.WAITING) it.copy(state = Status.State.IDLE, delay = null) else it }
    }

    /** Delivers one batch of the events before a position. Returns true if there was one. */
    private suspend fun send(end: Long): Boolean = lock.withLock {
        try {
            val batch = ofOneRequest(outbox.oldest(end))
            if (batch.lines.isEmpty()) {
                count { it }
                return false
            }
            change { it.copy(state = Status.State.SENDING, delay = null) }
            val refused = deliver(batch.lines)
            outbox.remove(batch, refused)
            count {
                it.copy(
                    state = Status.State.IDLE, failures = 0, sent = it.sent + batch.lines.size, refused = it.refused + refused.size,
                    lastProblem = refused.firstOrNull()?.message,
                )
            }
            true
        } catch (error: ServiceError) {
            fail(error, if (error.isRetryable) Status.State.IDLE else Status.State.BLOCKED)
        } catch (error: OutboxError) {
            fail(error, Status.State.IDLE)
        } catch (error: CancellationException) {
            change { if (it.state == Status.State.SENDING) it.copy(state = Status.State.IDLE) else it }
            throw error
        }
    }

    private fun fail(error: Exception, state: Status.State): Nothing {
        change { it.copy(state = state, failures = it.failures + 1, lastProblem = error.message) }
        throw error
    }

    private fun change(body: (Status) -> Status) = current.update { if (it.state == Status.State.CLOSED) it else body(it) }

    private suspend fun count(body: (Status) -> Status) {
        // Another task may have closed the outbox meanwhile.
        val totals = outbox.totals() ?: return
        change { body(it).copy(pending = totals.events, pendingBytes = totals.bytes, dropped = totals.dropped) }
    }

    /** Delivers events or a purchase. Returns those that the service refused. */
    private suspend fun deliver(lines: List<String>): List<RefusedEvent> {
        if (isPurchase(lines[0])) return deliverPurchase(lines[0])
        val reply = service.ask("/v1/events", lines.joinToString("\n"), "application/x-ndjson")
        if (reply.status == 413 && lines.size > 1) {
            val middle = lines.size / 2
            return deliver(lines.subList(0, middle)) + deliver(lines.subList(middle, lines.size))
        }
        if (reply.status == 413) return listOf(refusal(lines[0], "body-too-large", "the event is too large for the service"))
        // A proxy or a hotel's network may also answer 200, so the content is checked.
        val report = reply.document ?: throw Service.strange(reply.status)
        if (report["read"].integer != lines.size.toLong() || report["problems"].value !is List<*>) throw Service.strange(reply.status)
        return report["problems"].items.map { problem ->
            val line = problem["index"].integer?.toInt()?.let { lines.getOrNull(it) } ?: throw Service.strange(reply.status)
            refusal(line, problem["code"].text.orEmpty(), problem["message"].text.orEmpty())
        }
    }

    private suspend fun deliverPurchase(line: String): List<RefusedEvent> = try {
        purchase(service, line)
        emptyList()
    } catch (error: ServiceError) {
        // A wrong address or credential says nothing about the purchase.
        if (error.isRetryable || error.code == null || error.status == 401 || error.status == 403) throw error
        listOf(refusal(line, error.code, error.message.orEmpty()))
    }

    private fun refusal(line: String, code: String, message: String): RefusedEvent {
        val event = Document.parse(line) ?: Document(null)
        return RefusedEvent(event["id"].text.orEmpty(), event, code, message)
    }

    /** The first events that one request can deliver: events, or a purchase. */
    private fun ofOneRequest(batch: Outbox.Batch): Outbox.Batch {
        val purchase = batch.lines.indexOfFirst { isPurchase(it) }
        return if (purchase < 0) batch else Outbox.Batch(batch.start, batch.lines.take(maxOf(purchase, 1)))
    }

    private fun isPurchase(line: String): Boolean =
        "\"source\":\"$SHOP\"" in line && Document.parse(line)?.get("source")?.text == SHOP
}

/** The `source` of purchases. */
internal const val SHOP = "laurel/shop"

/** Buys what the event says, and returns the receipt. */
internal suspend fun purchase(service: Service, line: String): Document {
    val event = Document.parse(line) ?: Document(null)
    val terms = (event["data"].value as? Map<*, *>).orEmpty() +
        listOf("id", "time", "timezone").mapNotNull { name -> event[name].text?.let { name to it } }
    val path = LaurelClient.learnerPath(event["subject"].text.orEmpty(), "purchases")
    val reply = service.ask(path, jsonText(terms), "application/json")
    return reply.document?.takeIf { it["id"].text == event["id"].text } ?: throw Service.strange(reply.status)
}
