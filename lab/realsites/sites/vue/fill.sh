# A single page application of Vue, built by Vite: 21 seeds in three pieces of a list that a click asks for, tabs, a card that is no link, and a choice from a list that leads to a page.
mkdir -p "$SITE/app" && cp -r index.html src "$SITE/app"
ln -sfn "$NODE/node_modules" "$SITE/app/node_modules"
cd "$SITE/app"
echo '{"type": "module"}' > package.json
echo 'import vue from "@vitejs/plugin-vue"; export default {plugins: [vue()]};' > vite.config.js
node node_modules/vite/bin/vite.js build --outDir "$SITE/built" --logLevel warn >&2
cp -r "$SITE/built/." "$WWW"
mkdir -p "$WWW/data" "$WWW/pictures"
for p in 1 2 3; do
	{
		printf '{"more":%s,"seeds":[' "$([ $p = 3 ] && echo false || echo true)"
		for i in $(seq $((p * 7 - 6)) $((p * 7))); do
			[ "$i" = $((p * 7 - 6)) ] || printf ','
			printf '{"slug":"bean-%s","name":"Bean %s"}' "$i" "$i"
			printf '{"name":"Bean %s","text":"Sow %s of them in May.","picture":"/pictures/bean-%s.svg"}' "$i" "$((i * 3))" "$i" > "$WWW/data/seed-bean-$i.json"
			printf '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="%s"/></svg>' "$((i % 18 + 2))" > "$WWW/pictures/bean-$i.svg"
		done
		printf ']}'
	} > "$WWW/data/page$p.json"
done
for n in history rules people map visit; do printf '{"text":"What there is to say about %s."}' $n > "$WWW/data/$n.json"; echo "part /data/$n.json"; done
for p in / /seeds; do echo "page $p"; done
echo "page /map /data/map.json"
echo "page /visit /data/visit.json"
for i in $(seq 1 21); do echo "page /seeds/bean-$i /data/seed-bean-$i.json"; echo "part /seeds/bean-$i"; echo "part /pictures/bean-$i.svg"; done
for p in 1 2 3; do echo "part /data/page$p.json"; done
