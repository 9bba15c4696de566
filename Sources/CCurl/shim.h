// SPDX-License-Identifier: Apache-2.0

#include <curl/curl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

// Wrappers of variadic functions, which Swift cannot call.

typedef struct {
    const char *url;
    const char *body;
    size_t size;
    struct curl_slist *headers;
    long milliseconds;
    // 1 to allow http besides https.
    int takes_http;
    // Returns 1 if a connection to the address is allowed. It receives the resolved address; NULL allows any address.
    int (*allows)(const struct sockaddr *address);
    // 1 if an address was refused.
    int is_refused;
} laurel_curl_post;

static curl_socket_t laurel_curl_open(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    laurel_curl_post *post = context;
    (void)purpose;
    if (post->allows != NULL && !post->allows(&address->addr)) {
        post->is_refused = 1;
        return CURL_SOCKET_BAD;
    }
    int type = address->socktype;
#ifdef SOCK_CLOEXEC
    type |= SOCK_CLOEXEC;
#endif
    return socket(address->family, type, address->protocol);
}

// The body of an answer is ignored. A long body ends the transfer.
static size_t laurel_curl_take(char *bytes, size_t size, size_t count, void *context) {
    size_t *taken = context;
    (void)bytes;
    *taken += size * count;
    return *taken > (64 << 10) ? 0 : size * count;
}

typedef struct {
    laurel_curl_post post;
    size_t taken;
    // The number by which the sender identifies the transfer.
    size_t tag;
} laurel_curl_transfer;

// Makes a POST for a multi handle. The transfer must not move until the handle is cleaned up. Returns NULL if memory is short, or
// if an option is unknown.
static inline CURL *laurel_curl_begin(laurel_curl_transfer *transfer) {
    laurel_curl_post *post = &transfer->post;
    CURL *handle = curl_easy_init();
    if (handle == NULL) return NULL;
    int failed = curl_easy_setopt(handle, CURLOPT_URL, post->url) != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, post->takes_http ? "http,https" : "https") != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)post->size) != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_COPYPOSTFIELDS, post->body) != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_HTTPHEADER, post->headers) != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L) != CURLE_OK
        // A proxy would connect to addresses that `allows` has not checked.
        || curl_easy_setopt(handle, CURLOPT_PROXY, "") != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L) != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, post->milliseconds) != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, laurel_curl_open) != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, post) != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, laurel_curl_take) != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer->taken) != CURLE_OK
        || curl_easy_setopt(handle, CURLOPT_PRIVATE, transfer) != CURLE_OK;
    if (failed) {
        curl_easy_cleanup(handle);
        return NULL;
    }
    return handle;
}

// Removes and returns the next transfer that has ended; NULL if there is none.
static inline CURL *laurel_curl_next_done(CURLM *transfers) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(transfers, &left)) != NULL) {
        if (message->msg != CURLMSG_DONE) continue;
        CURL *handle = message->easy_handle;
        curl_multi_remove_handle(transfers, handle);
        return handle;
    }
    return NULL;
}

static inline laurel_curl_transfer *laurel_curl_transfer_of(CURL *handle) {
    char *transfer = NULL;
    curl_easy_getinfo(handle, CURLINFO_PRIVATE, &transfer);
    return (laurel_curl_transfer *)transfer;
}

// The status of the answer; 0 if there was no answer.
static inline long laurel_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
