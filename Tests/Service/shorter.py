# SPDX-License-Identifier: Apache-2.0
"""What schemathesis makes up: no head that is longer than a server takes, for then the answer may get lost with the connection."""
import urllib.parse

import schemathesis


@schemathesis.hook
def filter_query(context, query):
    return len(urllib.parse.urlencode(query or {}, doseq=True)) < 2500
