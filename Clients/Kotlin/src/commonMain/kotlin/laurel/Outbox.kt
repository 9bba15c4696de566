// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** The waiting and the refused events, over two journals. Tasks may share it. */
internal class Outbox(private val events: Journal, private val refusals: Journal, private val limits: Configuration) {
    /** The oldest events, and the position of the first of them among all events since the opening. */
    class Batch(val start: Long, val lines: List<String>)

    class Totals(val events: Int, val bytes: Long, val dropped: Long)

    private class Call(val lines: List<String>, val bytes: Long) {
        var error: OutboxError? = null
        var isDone = false
    }

    val source: String get() = events.source
    private val lock = Mutex()
    private val staging = Mutex()
    private var staged = ArrayList<Call>()
    private var removed = 0L
    private var dropped = 0L
    private var isClosed = false

    /** Returns when the events are on the disk. Tasks that call it while the disk is busy share the next write. */
    suspend fun add(lines: List<String>) {
        val call = Call(lines, lines.sumOf { size(it) })
        staging.withLock { staged.add(call) }
        locked {
            if (!call.isDone) commit(staging.withLock { staged.also { staged = ArrayList() } })
        }
        call.error?.let { throw OutboxError(it.code, it.message.orEmpty(), it) }
    }

    private fun commit(calls: List<Call>) {
        val taken = ArrayList<Call>()
        try {
            for (call in calls) {
                val extra = taken.sumOf { it.lines.size } + call.lines.size to taken.sumOf { it.bytes } + call.bytes
                if (limits.dropsOldest) makeRoom(extra.first, extra.second)
                if (hasRoom(extra.first, extra.second)) taken.add(call) else call.error = full()
            }
            if (taken.isNotEmpty()) events.append(taken.flatMap { it.lines })
        } catch (error: OutboxError) {
            taken.forEach { it.error = error }
        } finally {
            calls.forEach { it.isDone = true }
        }
    }

    private fun hasRoom(count: Int, bytes: Long) = events.count + count <= limits.maxEvents && events.bytes + bytes <= limits.maxBytes

    private fun makeRoom(count: Int, bytes: Long) {
        while (!hasRoom(count, bytes) && events.count > 0) {
            events.removeOldest(1)
            removed += 1
            dropped += 1
        }
    }

    private fun full() = OutboxError(
        OutboxError.Code.FULL,
        "the outbox is full: ${events.count} events of ${events.bytes} bytes wait; " +
            "${limits.maxEvents} events of ${limits.maxBytes} bytes may",
    )

    /** The position behind the events that wait now. */
    suspend fun end(): Long = locked { removed + events.count }

    /** The oldest events before a position, as many as a batch may have. */
    suspend fun oldest(end: Long): Batch = locked {
        val most = minOf(limits.batchEvents.toLong(), end - removed).toInt()
        Batch(removed, if (most > 0) events.oldest(most, limits.batchBytes) else emptyList())
    }

    /** Keeps refused events, and removes a delivered batch. */
    suspend fun remove(batch: Batch, refused: List<RefusedEvent>) = locked {
        if (refused.isNotEmpty()) {
            refusals.append(refused.map { jsonText(mapOf("event" to it.event.value, "code" to it.code, "message" to it.message)) })
            if (refusals.count > MOST_REFUSED) refusals.removeOldest(refusals.count - MOST_REFUSED)
        }
        // A full outbox may have dropped some of these events meanwhile.
        val count = (batch.start + batch.lines.size - removed).toInt()
        if (count > 0) {
            events.removeOldest(count)
            removed += count
        }
    }

    /** The refused events. After a kill, an event may have been refused twice, and is listed once. */
    suspend fun refused(): List<RefusedEvent> = locked {
        refusals.oldest(refusals.count, Long.MAX_VALUE).distinct().mapNotNull { line ->
            val entry = Document.parse(line) ?: return@mapNotNull null
            val event = entry["event"]
            RefusedEvent(event["id"].text.orEmpty(), event, entry["code"].text.orEmpty(), entry["message"].text.orEmpty())
        }
    }

    suspend fun forget(ids: Set<String>) = locked {
        val all = refusals.oldest(refusals.count, Long.MAX_VALUE)
        val kept = all.filter { Document.parse(it)?.get("event")?.get("id")?.text !in ids }
        if (kept.size < all.size) {
            // A kill after this step leaves lines twice, which `refused` lists once.
            if (kept.isNotEmpty()) refusals.append(kept)
            refusals.removeOldest(all.size)
        }
    }

    /** The totals; null after the outbox was closed. */
    suspend fun totals(): Totals? = lock.withLock { if (isClosed) null else Totals(events.count, events.bytes, dropped) }

    suspend fun close() = lock.withLock {
        if (!isClosed) {
            isClosed = true
            events.close()
            refusals.close()
        }
    }

    private suspend fun <T> locked(body: suspend () -> T): T = lock.withLock {
        if (isClosed) throw OutboxError(OutboxError.Code.CLOSED, "the client was closed")
        body()
    }

    companion object {
        const val MOST_REFUSED = 1000

        private fun size(line: String): Long = line.encodeToByteArray().size.toLong()
    }
}
