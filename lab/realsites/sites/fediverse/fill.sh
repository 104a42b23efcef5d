# A network of short posts with the interface of Mastodon. The program is ours (app.py): the real one needs PostgreSQL, Redis and Ruby packages that Debian does
# not have. Its pages are empty but for a script, which asks the interface for everything that is shown: 3 accounts, 63 posts, 8 of them answers.
mkdir -p "$SITE/app"
cp app.py wsgi.py "$SITE/app"
cp client.js "$WWW/client.js"
cd "$SITE/app"
"$VENV/bin/python" app.py fill "$SITE/posts.sqlite"
"$VENV/bin/python" app.py truth "$SITE/posts.sqlite"
