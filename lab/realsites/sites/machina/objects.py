# Tells what people wrote, by the database.
import json


def tell(file):
    from machina.apps.forum_conversation.models import Post

    with open(file, 'w') as out:
        for p in Post.objects.select_related('poster', 'topic'):
            text = 'Answer %s' % str(p.content.raw).split('Answer ', 1)[1].replace('*', '')
            out.write(json.dumps({'type': 'post', 'id': str(p.pk), 'title': p.subject, 'author': p.poster.username, 'time': p.created.isoformat(), 'text': text}) + '\n')
