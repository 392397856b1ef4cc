#!/bin/sh
# Everything that can be told without running the product. The first that fails ends it.
set -eu
cd "$(dirname "$0")/.."
say() { printf '· %s\n' "$1"; }
PYTHON=${PYTHON:-.venv/bin/python}
bin=$(dirname "$PYTHON")

say "ruff"
"$bin/ruff" check --quiet app contract migrations tests web/build.py
"$bin/ruff" format --check --quiet app contract migrations tests web/build.py
say "pyright, strict"
"$bin/basedpyright" --level error
say "imports only go down"
"$bin/lint-imports" >/tmp/loopback-imports.$$ 2>&1 || { cat /tmp/loopback-imports.$$; rm -f /tmp/loopback-imports.$$; exit 1; }
rm -f /tmp/loopback-imports.$$
say "the contract is as it was frozen"
"$PYTHON" -m contract.emit --check
say "the migrations make the tables"
"$PYTHON" -m pytest -q -p no:cacheprovider tests/database/test_migrate.py -k "declared_tables or alembic_finds"
say "the rules"
"$PYTHON" -m pytest -q -n 2 -p no:cacheprovider tests/asks/rules tests/uploads/rules
say "the web's types"
"$PYTHON" web/build.py npm run --silent check
echo "all checks passed"
