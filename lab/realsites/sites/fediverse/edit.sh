# Two posts are corrected, and one is deleted, in round 2 others than in round 1.
cd "$SITE/app"
"$VENV/bin/python" app.py edit "$SITE/posts.sqlite" "$ROUND"
