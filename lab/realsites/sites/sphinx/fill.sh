# A documentation made by Sphinx: the tutorial of Python out of Debian's package. What it links to beyond is not there.
doc="$(ls -d /usr/share/doc/python3*/html | head -1)"
mkdir -p "$WWW/tutorial"
cp -rL "$doc/_static" "$WWW"
cp -L "$doc/tutorial/"*.html "$WWW/tutorial"
cp -L "$doc/about.html" "$doc/bugs.html" "$doc/copyright.html" "$doc/search.html" "$WWW"
printf '<!DOCTYPE html><title>Python</title><a href="tutorial/index.html">Tutorial</a> <a href="about.html">About</a>' > "$WWW/index.html"
echo "page /"
(cd "$WWW" && find tutorial -name '*.html'; cd "$WWW" && ls about.html bugs.html copyright.html) | sed 's|^|page /|'
