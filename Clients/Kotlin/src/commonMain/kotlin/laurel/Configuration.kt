// SPDX-License-Identifier: Apache-2.0

package laurel

import kotlin.jvm.JvmOverloads

/**
 * Limits and times of a client. Times are in milliseconds.
 *
 * @property maxEvents the number of events that may wait.
 * @property maxBytes the size of their JSON.
 * @property dropsOldest true if a full outbox drops the oldest events; false if it refuses new events.
 * @property batchEvents the number of events in one request.
 * @property batchBytes the size of their JSON; a single event may be larger.
 * @property retryBase the longest wait after the first failure. Each further failure doubles it.
 * @property retryCap the longest wait at all.
 * @property timeout the longest silence of the service.
 */
data class Configuration @JvmOverloads constructor(
    val maxEvents: Int = 100_000,
    val maxBytes: Long = 64L shl 20,
    val dropsOldest: Boolean = false,
    val batchEvents: Int = 500,
    val batchBytes: Long = 512L shl 10,
    val retryBase: Long = 1000,
    val retryCap: Long = 300_000,
    val timeout: Int = 60_000,
) {
    init {
        require(maxEvents > 0 && maxBytes > 0 && batchEvents > 0 && batchBytes > 0) { "limits and batches must be 1 or more" }
        require(retryBase > 0 && retryCap > 0 && timeout > 0) { "retryBase, retryCap and timeout must be 1 or more" }
    }
}

/**
 * The state of delivery.
 *
 * @property delay the time until the next attempt, in milliseconds; null unless the client waits.
 * @property pending the number of undelivered events.
 * @property pendingBytes the size of their JSON.
 * @property sent the number of events delivered since the client was opened, including those that the service found invalid.
 * @property refused the number of events among them that the service found invalid.
 * @property dropped the number of events dropped for lack of room.
 * @property failures the number of failed attempts in a row.
 * @property lastProblem the reason of the latest failure.
 */
data class Status(
    val state: State = State.IDLE,
    val delay: Long? = null,
    val pending: Int = 0,
    val pendingBytes: Long = 0,
    val sent: Long = 0,
    val refused: Long = 0,
    val dropped: Long = 0,
    val failures: Int = 0,
    val lastProblem: String? = null,
) {
    enum class State {
        IDLE,
        SENDING,

        /** The client waits before it tries again. */
        WAITING,

        /** Automatic retries would not help. The client waits for [LaurelClient.start] or [LaurelClient.flush]. */
        BLOCKED,
        CLOSED,
    }
}

/**
 * An event that the service found invalid, or a purchase that it refused.
 *
 * @property event the event as it was sent.
 * @property code the code, such as `invalid-field` or `conflict`.
 */
data class RefusedEvent(val id: String, val event: Document, val code: String, val message: String)

/**
 * A message of a live stream.
 *
 * @property kind `progress` or `achievement`.
 * @property data a state of progress, or the unlocked achievement.
 */
data class Message(val kind: String, val data: Document)
