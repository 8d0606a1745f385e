#!/bin/sh
# The tests' document server. It can start slowly or fail.
[ -n "$FAIL_CODE" ] && exit "$FAIL_CODE"
sleep "${START_SECONDS:-0}"
exec nc -ll -p "$PORT" -e /bin/sh /handler.sh
