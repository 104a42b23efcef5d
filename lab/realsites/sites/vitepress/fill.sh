# VitePress from npm: a documentation of 15 pages, built to static files whose links and texts are ES modules.
mkdir -p "$SITE/docs/.vitepress" "$SITE/docs/guide"
ln -sfn "$NODE/node_modules" "$SITE/node_modules"
echo '{"type": "module"}' > "$SITE/package.json"
items=""
for i in $(seq 1 13); do
	printf '# Chapter %s\n\nThis is chapter %s of the handbook of knots. Knot %s holds %s kilograms.\n\n## How to tie it\n\nOver, under, through.\n\n[Next](./chapter-%s)\n' $i $i $i $((i * 10)) $((i % 13 + 1)) > "$SITE/docs/guide/chapter-$i.md"
	items="$items{text: 'Chapter $i', link: '/guide/chapter-$i'},"
done
printf '# Knots\n\nA handbook. Begin with [chapter 1](/guide/chapter-1) or read [about](/about).\n' > "$SITE/docs/index.md"
printf '# About\n\nWritten by a rigger.\n' > "$SITE/docs/about.md"
cat > "$SITE/docs/.vitepress/config.mjs" <<JS
export default {title: 'Knots', themeConfig: {nav: [{text: 'About', link: '/about'}], sidebar: [{text: 'Guide', items: [$items]}]}}
JS
(cd "$SITE" && node node_modules/vitepress/bin/vitepress.js build docs) >&2
cp -r "$SITE/docs/.vitepress/dist/." "$WWW"
(cd "$WWW" && find . -name '*.html' ! -name 404.html) | sed 's|^\.||; s|/index\.html$|/|; s|^|page |'
