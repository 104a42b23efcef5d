# django-machina from PyPI on SQLite: a forum of two sections, 12 topics and 120 posts. Two topics have several pages.
mkdir -p "$SITE/app"
cp settings.py urls.py wsgi.py fill.py objects.py "$SITE/app"
cd "$SITE/app"
export DJANGO_SETTINGS_MODULE=settings
"$VENV/bin/python" -m django migrate -v 0 >&2
"$VENV/bin/python" -m django collectstatic --noinput -v 0 >&2
"$VENV/bin/python" fill.py "$SITE/objects.jsonl"
