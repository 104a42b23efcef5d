# Posts are corrected, one is deleted, and so is a whole topic, in round 2 others than in round 1.
cp edit.py "$SITE/app"
cd "$SITE/app"
DJANGO_SETTINGS_MODULE=settings "$VENV/bin/python" edit.py "$ROUND"
