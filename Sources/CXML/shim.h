// SPDX-License-Identifier: Apache-2.0

// Debian's libxml2 names ICU's types in its headers, which clash with those of Foundation's own ICU wherever a compiler reads
// both. Nothing here needs them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
