#!/usr/bin/env bash
# Looks at a report in headless Chromium: takes screenshots as wide as a desk and as narrow as a phone, light and dark, replays
# a game by keys and clicks (drive.html), and fails if the page's script stops with an error or does not do what it should.
#
#   tests/clients/browser/screenshot.sh [REPORT.html [FOLDER]]
#
# Without a report it plays the smallest tournament and takes that one's. Skips, saying so, without Chromium.
set -euo pipefail
cd "$(dirname "$0")/../../.."
here=$PWD

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo 'skipped: no chromium on this machine'
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
report=${1:-}
folder=${2:-$work/shots}
if [ -z "$report" ]; then
    cargo run --quiet -p crescendo-runner -- run runner/examples/smoke.toml --quiet --out "$work/smoke" >/dev/null
    report=$work/smoke/report.html
fi
report=$(realpath "$report")
mkdir -p "$folder"

# Chromium's windows are at least 500 wide, so the narrow view is a frame in a page.
printf '<!DOCTYPE html><style>html,body{margin:0}iframe{border:0;width:400px;height:%spx}</style><iframe src="file://%s"></iframe>' \
    5200 "$report" >"$work/narrow.html"

chrome() {
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
        --allow-file-access-from-files --user-data-dir="$work/profile" "$@" 2>"$work/stderr"
}

chrome --screenshot="$folder/wide.png" --window-size=1200,3400 "file://$report#game=1&move=3"
chrome --screenshot="$folder/wide-dark.png" --window-size=1200,3400 --blink-settings=preferredColorScheme=0 \
    "file://$report#game=1&move=3"
chrome --screenshot="$folder/narrow.png" --window-size=500,5200 "file://$work/narrow.html"

# A page that holds the report in a frame and works it as a reader would; what it finds stands in its text at the end.
sed "s#REPORT#file://$report#" tests/clients/browser/drive.html >"$work/drive.html"
chrome --enable-logging=stderr --disable-web-security --virtual-time-budget=5000 --dump-dom "file://$work/drive.html" \
    >"$work/dom.html"
if grep -E 'Uncaught|Content Security Policy|SyntaxError' "$work/stderr"; then
    echo 'failed: the script of the page stopped with an error'
    exit 1
fi
sed -n '/<pre id="found">/,/<\/pre>/p' "$work/dom.html" | sed 's/<[^>]*>//g'
grep -q 'all is well' "$work/dom.html" || { echo 'failed: the page does not do what it should'; exit 1; }
for shot in wide wide-dark narrow; do
    [ -s "$folder/$shot.png" ] || { echo "failed: no $shot.png"; exit 1; }
done
echo "screenshots: wide, wide-dark, narrow in ${folder#"$here"/}"
