# Spirit from PyPI on SQLite: another forum, of 10 topics and 83 comments. One topic has several pages.
cd "$SITE"
PATH="$VENV/bin:$PATH" "$VENV/bin/spirit" startproject app >&2
cp fill/forum_settings.py fill/wsgi.py fill/fill.py app
cd app
export DJANGO_SETTINGS_MODULE=forum_settings
"$VENV/bin/python" -m django migrate -v 0 >&2
"$VENV/bin/python" -m django collectstatic --noinput -v 0 >&2
"$VENV/bin/python" fill.py "$SITE/objects.jsonl"
