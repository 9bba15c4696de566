// SPDX-License-Identifier: Apache-2.0

#pragma once
#include <stdint.h>

// The checksums of pages.

enum { PAGE_SIZE = 4096, RESERVED = 8, CHECKED = PAGE_SIZE - RESERVED, HEADER_SIZE = 100 };

// Whether a database whose file begins like this has checksums.
int page_header_has_checksums(const uint8_t *header);

// Puts the checksum of a page into its last bytes.
void page_seal(uint8_t *page, uint32_t number);

// LAUREL_PAGE_….
int page_state(const uint8_t *page, uint32_t number);

uint32_t page_big_endian(const uint8_t *bytes);
