#!/bin/sh
# The whole test suite. Browser tests need Chromium: it is found, or installed where this is root on Debian; else what was
# skipped is said loudly, and in CI a skip is a failure.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-.venv/bin/python}

find_chromium() {
  for name in "${LOOPBACK_TEST_CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$name" ] && command -v "$name" 2>/dev/null && return 0
  done
  return 0
}

chromium=$(find_chromium)
if [ -z "$chromium" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "installing Debian's Chromium for the browser tests"
  log=$(mktemp)
  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core; } \
    >"$log" 2>&1 || tail -n 5 "$log"
  rm -f "$log"
  chromium=$(find_chromium)
fi
LOOPBACK_TEST_CHROMIUM=$chromium
export LOOPBACK_TEST_CHROMIUM

echo "· the web's own tests"
"$PYTHON" web/build.py npm run --silent test

echo "· the tests"
if [ -n "$chromium" ]; then
  exec "$PYTHON" -m pytest -q -n 2 --dist loadfile "$@"
fi
"$PYTHON" -m pytest -q -n 2 --dist loadfile -m "not browser" "$@"
cat <<'WORDS'

  ************************************************************************
  The BROWSER TESTS were SKIPPED: there is no Chromium on this machine.
  One line gets it:   sudo apt-get install chromium
  ************************************************************************
WORDS
[ "${CI:-}" != true ]
