# Writes categories, topics and comments, and tells what the database has: pages of topics and categories, and each comment.
import datetime
import json
import sys

import django

django.setup()

from django.contrib.auth import get_user_model
from spirit.category.models import Category
from spirit.comment.models import Comment
from spirit.topic.models import Topic

users = [get_user_model().objects.create_user(n, n + '@example.org', 'secret') for n in ('fay', 'gus', 'hedy', 'ivo')]
categories = [Category.objects.create(title=t) for t in ('Seeds and soil', 'Tools')]
begin = datetime.datetime(2025, 4, 1, 6, 0, tzinfo=datetime.timezone.utc)
number = 0
for t in range(10):
    topic = Topic.objects.create(user=users[t % 4], category=categories[t % 2], title='Bed %d in the garden' % t)
    for i in range(47 if t == 0 else 4):
        number += 1
        text = 'Remark %d on bed %d: sow %d grains & water them.' % (i, t, 5 * t + i + 1)
        Comment.objects.create(user=users[(t + i) % 4], topic=topic, comment=text, comment_html='<p>%s</p>' % text.replace('&', '&amp;'),
                               date=begin + datetime.timedelta(hours=5 * number))
    topic.comment_count = topic.comment_set.count()
    topic.save()

print('page /')
for c in categories:
    print('page ' + c.get_absolute_url())
for t in Topic.objects.order_by('pk'):
    print('page ' + t.get_absolute_url())
    for n in range(2, (t.comment_set.count() + 19) // 20 + 1):
        print('page %s?page=%d' % (t.get_absolute_url(), n))
with open(sys.argv[1], 'w') as out:
    for c in Comment.objects.select_related('user').order_by('pk'):
        out.write(json.dumps({'type': 'post', 'id': str(c.pk), 'author': c.user.username, 'time': c.date.isoformat(), 'text': c.comment}) + '\n')
