"""Reads lines of URL, tab, file; writes the day of publication that htmldate finds, or an empty line. The first line is its version."""
import sys

import htmldate

print(htmldate.__version__, flush=True)
for line in sys.stdin:
    url, file = line.rstrip("\n").split("\t")
    with open(file, "rb") as f:
        page = f.read()
    try:
        day = htmldate.find_date(page, original_date=True, url=url)
    except Exception:
        day = None
    print(day or "")
