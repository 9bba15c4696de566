// SPDX-License-Identifier: Apache-2.0

package laurel

/**
 * An event that the service would refuse.
 *
 * @property type the type of the event.
 * @property place an attribute such as `language`, or a field such as `data.accuracy`.
 */
class InvalidEvent(val type: String, val place: String, problem: String) : IllegalArgumentException("$type: $place $problem")

/**
 * The outbox did not accept an event. The event may be lost.
 *
 * @property code the kind of failure.
 */
class OutboxError(val code: Code, message: String, cause: Throwable? = null) : Exception(message, cause) {
    enum class Code {
        /** Too many events wait. */
        FULL,

        /** Another client has the outbox open. */
        IN_USE,

        /** The client is closed. */
        CLOSED,

        /** The disk is full, or writing failed. The event may still be delivered. */
        IO_ERROR,
    }
}

/**
 * The service was not reached, or refused the request.
 *
 * @property status the HTTP status; 0 without an answer.
 * @property code the service's code, such as `forbidden`; null if the answer has none.
 * @property isRetryable true if an automatic retry can help.
 * @property retryAfter the time to wait, in milliseconds.
 */
class ServiceError(
    message: String,
    val status: Int = 0,
    val code: String? = null,
    val isRetryable: Boolean = true,
    val retryAfter: Long = 0,
    cause: Throwable? = null,
) : Exception(message, cause)
