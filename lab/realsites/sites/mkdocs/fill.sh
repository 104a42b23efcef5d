# MkDocs with the Material theme, both from PyPI: 14 pages, a search, links that its script follows without loading a page anew.
mkdir -p "$SITE/book/docs/tides"
cd "$SITE/book"
cat > mkdocs.yml <<Y
site_name: Tides
site_url: $URL
theme:
  name: material
  font: false
  features: [navigation.instant, navigation.tabs, search.suggest, toc.follow]
plugins: [search]
Y
printf '# Tides\n\nA book of tides. See [the first](tides/tide1.md).\n' > docs/index.md
printf '# About\n\nWritten on an island.\n' > docs/about.md
for i in $(seq 1 12); do
	printf '# Tide %s\n\nThe water stands %s metres high.\n\n## When\n\nEvery %s hours.\n\n=== "North"\n\n    Late.\n\n=== "South"\n\n    Early.\n' "$i" "$i" "$i" > "docs/tides/tide$i.md"
done
"$VENV/bin/mkdocs" build --quiet --site-dir "$SITE/built" >&2
cp -r "$SITE/built/." "$WWW"
(cd "$WWW" && find . -name '*.html' ! -name 404.html) | sed 's|^\.||; s|/index\.html$|/|; s|^|page |'
echo "part /search/search_index.json"
