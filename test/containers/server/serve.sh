#!/bin/sh
# The document server of the tests: answers from a while after its start on, and never when it is to fail.
[ -n "$FAIL_CODE" ] && exit "$FAIL_CODE"
sleep "${START_SECONDS:-0}"
exec nc -ll -p "$PORT" -e /bin/sh /handler.sh
