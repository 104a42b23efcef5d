# Lists the themes that are there, or sets one and tells what the database has. Further ones are in the folder $THEMES.
if [ $# -eq 0 ]; then
	if [ -n "$THEMES" ]; then cp -r "$THEMES"/. "$WWW/wp-content/themes"; fi
	for f in "$WWW"/wp-content/themes/*/style.css; do basename "$(dirname "$f")"; done
	exit
fi
php theme.php "$WWW" "$1" "$2"
test -s "$2" # a theme that wants another WordPress ends the program without a word
