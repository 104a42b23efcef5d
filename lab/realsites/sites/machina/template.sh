# Topics get another template, and there is a topic that nobody knew before.
mkdir -p "$SITE/app/templates/forum_conversation"
cp topic_detail.html "$SITE/app/templates/forum_conversation"
cp template.py "$SITE/app"
cd "$SITE/app"
DJANGO_SETTINGS_MODULE=settings "$VENV/bin/python" template.py "$SITE/objects-template.jsonl"
