#!/bin/sh
# Makes archive.tar.gz and golden/: a small archive as an older version wrote it, and what that version answered about it.
#
#   make.sh VARVE VARVE-LAB        the programs of the older version
#
# Made with 8a718fd (before the rooms of issue 15). A new one beside it, not instead of it, is made when formats change. Needs wget, curl, jq.
set -eu
varve=$1 lab=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'kill $sim 2>/dev/null || true; rm -rf "$work"' EXIT
cd "$work"

"$lab" sim serve --preset tiny --speed 0 --json > sim.json & sim=$!
while ! [ -s sim.json ]; do sleep 0.1; done
addr=$(jq -r .addr sim.json) seed=$(jq -r '.seeds[0]' sim.json)
crawl() {
	"$varve" crawl "$seed" --archive archive --collection tiny --resolve "*.test=$addr" --delay 0s --retries -1 --capture parser --quiet --polite-dir none "$@"
}

# Two crawls that visit pages twice, a month apart: revisits of unchanged pages, versions of changed ones.
crawl --revisit plan
curl -s -X POST "http://$addr/clock?advance=720h" > /dev/null
sleep 2 # the next crawl has another second
crawl --revisit fifo
sleep 2
# A foreign file.
host=$(echo "$seed" | cut -d/ -f3)
wget -q --warc-file=foreign --no-warc-keep-log -r -l 1 --header "Host: $host" -P mirror "http://$addr/" || true
"$varve" import --archive archive --collection foreign foreign.warc.gz > /dev/null
# What people decided.
"$varve" note add --archive archive --collection tiny --url "$seed" --kind question "Was the annex ever online?" > /dev/null
"$varve" access add "http://$addr/private/" --collection foreign --level blocked --reason "a letter" --archive archive > /dev/null
"$varve" spam labels set normal tiny.sim.test --archive archive --collection tiny --why "a site of ours" > /dev/null
# A crawl that stopped in the middle.
curl -s -X POST "http://$addr/clock?advance=720h" > /dev/null
crawl --max-urls 4 || true
first=$(ls archive/collections/tiny/crawls | sed -n 1p) second=$(ls archive/collections/tiny/crawls | sed -n 2p)
for id in $first $second; do
	"$varve" coherence report --archive archive --collection tiny --crawl "$id" > /dev/null || true
done
"$varve" derive --archive archive --collection tiny > /dev/null
"$varve" derive --archive archive --collection foreign > /dev/null
"$varve" index --archive archive > /dev/null

rm -rf "$here/golden"; mkdir "$here/golden"
grep -v '^#' "$here/questions.txt" | while read -r name args; do
	[ -n "$name" ] || continue
	set -f # $args are words, * is one of them
	"$varve" $(echo "$args" | sed "s/\$FIRST/$first/; s/\$SECOND/$second/") > "$here/golden/$name.txt"
done
tar -C "$work" --sort=name --owner=0 --group=0 -czf "$here/archive.tar.gz" archive
ls -la "$here/archive.tar.gz" "$here/golden"
