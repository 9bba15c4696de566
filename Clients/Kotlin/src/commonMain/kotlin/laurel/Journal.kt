// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlin.coroutines.cancellation.CancellationException

/**
 * A durable queue of lines of text. [LaurelClient] keeps waiting events in one journal, and refused events in another.
 *
 * Calls may block. The client makes one call at a time, from any thread. A line has no line breaks.
 */
interface Journal {
    /** The `source` of this installation's events: the app's name and a random word, made when the journal was created. */
    val source: String

    /** The number of lines. */
    val count: Int

    /** The size of the lines in UTF-8, without line breaks. */
    val bytes: Long

    /** Adds lines at the end. When the function returns, the lines survive a kill of the process and a power cut. */
    @Throws(OutboxError::class, CancellationException::class)
    fun append(lines: List<String>)

    /** The oldest lines: at most [count] lines of [bytes] bytes in all, but at least one line if there is one. */
    @Throws(OutboxError::class, CancellationException::class)
    fun oldest(count: Int, bytes: Long): List<String>

    /** Removes the oldest lines. The lines may come back after a power cut, because an event that is sent again counts once. */
    @Throws(OutboxError::class, CancellationException::class)
    fun removeOldest(count: Int)

    /** Closes the journal, so that another client can open it. */
    fun close()
}
