#!/bin/sh
# Serves this folder on this machine alone and opens the app. Ctrl+C ends it.
cd "$(dirname "$0")" || exit 1

open_page() {
  if command -v xdg-open >/dev/null 2>&1; then
    xdg-open "$1" >/dev/null 2>&1
  elif command -v open >/dev/null 2>&1; then
    open "$1"
  else
    echo "Open this in a browser: $1"
  fi
}

serve() {
  if command -v python3 >/dev/null 2>&1; then
    exec python3 -m http.server "$1" --bind 127.0.0.1 >/dev/null 2>&1
  fi
  exec node serve.js "$1" >/dev/null 2>&1
}

if command -v python3 >/dev/null 2>&1 || command -v node >/dev/null 2>&1; then
  # A browser keeps the app's data by port, so the app always tries the same ones in the same order.
  for port in __PORTS__; do
    serve "$port" &
    server=$!
    trap 'kill "$server" 2>/dev/null' EXIT
    trap 'exit 0' INT TERM
    sleep 1
    # A port that is taken ends the server at once.
    if kill -0 "$server" 2>/dev/null; then
      echo "The app is at http://127.0.0.1:$port/ - Ctrl+C ends it."
      open_page "http://127.0.0.1:$port/"
      wait "$server"
      exit 0
    fi
  done
fi

echo "Opening the page as a file: it works, but it cannot be installed."
open_page "$(pwd)/index.html"
