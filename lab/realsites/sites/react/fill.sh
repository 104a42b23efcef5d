# A single page application of React, built by Vite: one HTML file for all addresses, routes in the browser, a chunk of code for each
# route, texts that the routes ask for as JSON. Two pages are reached by buttons alone, which push their address.
mkdir -p "$SITE/app" && cp -r index.html src "$SITE/app"
ln -sfn "$NODE/node_modules" "$SITE/app/node_modules"
cd "$SITE/app"
echo '{"type": "module"}' > package.json
node node_modules/vite/bin/vite.js build --outDir "$SITE/built" --logLevel warn >&2
cp -r "$SITE/built/." "$WWW"
mkdir -p "$WWW/data"
{
	printf '['
	for i in $(seq 1 12); do
		[ "$i" = 1 ] || printf ','
		printf '{"id":%s,"name":"Boat %s"}' "$i" "$i"
		printf '{"id":%s,"name":"Boat %s","text":"Built in %s by the brothers of the lower yard."}' "$i" "$i" "$((1900 + i))" > "$WWW/data/boat$i.json"
	done
	printf ']'
} > "$WWW/data/boats.json"
printf '{"text":"Prices are asked for at the gate."}' > "$WWW/data/prices.json"
printf '{"text":"The yard opens when the tide allows."}' > "$WWW/data/hours.json"
for p in / /boats /about /prices /hours; do echo "page $p"; done
for i in $(seq 1 12); do echo "page /boats/$i"; echo "part /data/boat$i.json"; done
for p in boats prices hours; do echo "part /data/$p.json"; done
