// SPDX-License-Identifier: Apache-2.0

// Debian's libxml2 has ICU's types in its headers. They clash with Foundation's own ICU if a compiler reads both, and are not
// needed here.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/parserInternals.h>
