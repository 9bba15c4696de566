// SPDX-License-Identifier: Apache-2.0

#include <curl/curl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

// What Swift cannot say: variadic functions.

typedef struct {
    const char *url;
    const char *body;
    size_t size;
    struct curl_slist *headers;
    long milliseconds;
    // Whether http will do beside https.
    int takes_http;
    // Asked of the very address that is connected to, whatever name led there; NULL for any address.
    int (*allows)(const struct sockaddr *address);
    // Whether an address was refused.
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

// Answers are not looked at; a long one is not waited for.
static size_t laurel_curl_take(char *bytes, size_t size, size_t count, void *context) {
    size_t *taken = context;
    (void)bytes;
    *taken += size * count;
    return *taken > (64 << 10) ? 0 : size * count;
}

typedef struct {
    laurel_curl_post post;
    size_t taken;
    // Whatever whoever sends it knows it by.
    size_t tag;
} laurel_curl_transfer;

// A POST that is to be added to others; the transfer stays where it is until the handle is cleaned up. NULL for want of memory, or
// where an option is not known.
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
        // A proxy would connect to what nobody has looked at.
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

// The next transfer that has ended, out of the others; NULL where there is none.
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

// The status of the answer; 0 where there was none.
static inline long laurel_curl_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
