# gitweb out of Debian's package: two repositories, one with nine commits and a tag. Every commit has a page, and so has every file as it is now.
cp /usr/share/gitweb/gitweb.cgi "$WWW"
cp -r /usr/share/gitweb/static "$WWW"
repos="$SITE/repos"
mkdir -p "$repos"
printf '$projectroot = "%s";\n$stylesheet = "/static/gitweb.css"; @stylesheets = ($stylesheet); $javascript = "/static/gitweb.js"; $logo = "/static/git-logo.png"; $favicon = "/static/git-favicon.png";\n' "$repos" > "$WWW/gitweb_config.perl"
export GIT_AUTHOR_NAME=Keeper GIT_AUTHOR_EMAIL=keeper@example.org GIT_COMMITTER_NAME=Keeper GIT_COMMITTER_EMAIL=keeper@example.org GIT_CONFIG_GLOBAL=/dev/null
make() { # NAME COMMITS
	git init -q -b main "$SITE/work/$1"
	cd "$SITE/work/$1"
	for i in $(seq 1 "$2"); do
		mkdir -p knots
		printf 'Knot %s holds %s kilograms.\n' "$i" "$((i * 10))" > "knots/knot$i.txt"
		printf 'Knots so far: %s.\n' "$i" > README
		export GIT_AUTHOR_DATE="2025-03-0$i 10:00:00 +0000" GIT_COMMITTER_DATE="2025-03-0$i 10:00:00 +0000"
		git add .
		git commit -q -m "Knot $i"
	done
	git tag v1
	git clone -q --bare . "$repos/$1.git"
	echo "The book $1" > "$repos/$1.git/description"
	git log --format="page /gitweb.cgi?p=$1.git;a=commit;h=%H"
	git log --format='{"type": "commit", "id": "%H", "author": "%an", "time": "%aI", "title": "%s", "text": "%s"}' >> "$SITE/objects.jsonl"
	git ls-files | while read -r f; do echo "page /gitweb.cgi?p=$1.git;a=blob;f=$f;h=$(git rev-parse "HEAD:$f");hb=HEAD"; done
	echo "page /gitweb.cgi?p=$1.git;a=summary"
}
make rigging 9
make sails 2
echo "page /gitweb.cgi"
