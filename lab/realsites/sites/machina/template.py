# Writes a topic that nobody knew before.
import datetime
import sys

import django

django.setup()

from django.contrib.auth.models import User
from machina.apps.forum.models import Forum
from machina.apps.forum_conversation.models import Post, Topic

import objects

users = list(User.objects.order_by('pk')[:5])
topic = Topic.objects.create(forum=Forum.objects.first(), poster=users[0], subject='A new question about tar', type=Topic.TOPIC_POST, status=Topic.TOPIC_UNLOCKED, approved=True)
for i in range(4):
    post = Post.objects.create(topic=topic, poster=users[i], subject=topic.subject, approved=True, content='Answer %d about tar: warm it for %d minutes.' % (i, 3 + i))
    when = datetime.datetime(2025, 8, 1 + i, 9, 0, tzinfo=datetime.timezone.utc)
    Post.objects.filter(pk=post.pk).update(created=when, updated=when)
objects.tell(sys.argv[1])
