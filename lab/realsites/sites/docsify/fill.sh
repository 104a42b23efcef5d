# docsify from npm: no page but one; texts are Markdown files that a script asks for, by routes behind a number sign.
mkdir -p "$WWW/lib" "$WWW/guide"
cp "$NODE/node_modules/docsify/lib/docsify.min.js" "$NODE/node_modules/docsify/lib/themes/vue.css" "$WWW/lib"
cat > "$WWW/index.html" <<'HTML'
<!DOCTYPE html>
<html lang="en"><head><meta charset="UTF-8"><title>Bread</title><link rel="stylesheet" href="lib/vue.css"></head>
<body><div id="app"></div><script>window.$docsify = {name: "Bread", loadSidebar: true}</script><script src="lib/docsify.min.js"></script></body></html>
HTML
printf '# Bread\n\nA book of loaves. Start with [the first](guide/loaf1.md).\n' > "$WWW/README.md"
: > "$WWW/_sidebar.md"
echo '* [Home](/)' >> "$WWW/_sidebar.md"
for i in $(seq 1 12); do
	printf '# Loaf %s\n\nBake loaf %s for %s minutes.\n\n## Flour\n\n%s grams of rye.\n' $i $i $((20 + i)) $((i * 50)) > "$WWW/guide/loaf$i.md"
	echo "* [Loaf $i](guide/loaf$i.md)" >> "$WWW/_sidebar.md"
done
echo "page / /README.md"
for i in $(seq 1 12); do echo "page /#/guide/loaf$i /guide/loaf$i.md"; done
