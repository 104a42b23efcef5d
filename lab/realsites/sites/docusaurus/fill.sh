# Docusaurus from npm: pages that are there as HTML, and become an application with client routing once their scripts run.
mkdir -p "$SITE/book/docs" "$SITE/book/src/pages"
ln -sfn "$NODE/node_modules" "$SITE/book/node_modules"
cd "$SITE/book"
echo '{"name": "book", "private": true}' > package.json
cat > docusaurus.config.js <<JS
module.exports = {
  title: "Clouds", url: "${URL%/}", baseUrl: "/", onBrokenLinks: "throw",
  presets: [["classic", {docs: {routeBasePath: "/"}, blog: false, theme: {}}]],
};
JS
printf -- '---\nslug: /\n---\n# Clouds\n\nA field guide. Begin with [the first](./cloud1.md).\n' > docs/index.md
for i in $(seq 1 10); do
	printf '# Cloud %s\n\nCloud %s is seen at %s metres.\n\n## Weather\n\nRain within %s hours.\n' "$i" "$i" "$((i * 500))" "$i" > "docs/cloud$i.md"
done
DOCUSAURUS_IGNORE_SSG_WARNINGS=true node node_modules/@docusaurus/core/bin/docusaurus.mjs build --out-dir "$SITE/built" >&2
cp -r "$SITE/built/." "$WWW"
(cd "$WWW" && find . -name '*.html' ! -name 404.html) | sed 's|^\.||; s|/index\.html$|/|; s|^|page |'
