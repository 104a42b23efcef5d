# A gallery of PhotoSwipe from npm: thumbnails, whose pictures a script shows when they are clicked. Each picture is a part without which the page
# is not whole.
python3 paint.py "$WWW/img" 12
mkdir -p "$WWW/photoswipe"
cp "$NODE"/node_modules/photoswipe/dist/photoswipe*.esm.min.js "$NODE/node_modules/photoswipe/dist/photoswipe.css" "$WWW/photoswipe"
page() { # FILE TITLE FROM TO
	{
		printf '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>%s</title><link rel="stylesheet" href="photoswipe/photoswipe.css"></head><body><h1>%s</h1>\n<p><a href="./">First wall</a> <a href="second.html">Second wall</a></p>\n<div id="wall">\n' "$2" "$2"
		for i in $(seq "$3" "$4"); do
			printf '<a href="img/large%s.png" data-pswp-src="img/large%s.png" data-pswp-width="480" data-pswp-height="320"><img src="img/small%s.png" alt="Picture %s" width="120" height="80"></a>\n' "$i" "$i" "$i" "$i"
		done
		printf '</div>\n<script type="module">\nimport Lightbox from "./photoswipe/photoswipe-lightbox.esm.min.js";\nnew Lightbox({gallery: "#wall", children: "a", pswpModule: () => import("./photoswipe/photoswipe.esm.min.js")}).init();\n</script></body></html>\n'
	} > "$WWW/$1"
}
page index.html "The first wall" 1 6
page second.html "The second wall" 7 12
echo "page /"
echo "page /second.html"
echo "part /photoswipe/photoswipe.esm.min.js"
for i in $(seq 1 12); do echo "part /img/large$i.png"; done
