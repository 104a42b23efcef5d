# Writes forums, topics and posts, and tells what the database has: pages of topics and forums, and each post.
import datetime
import sys

import django

django.setup()

from django.contrib.auth.models import User
from machina.apps.forum.models import Forum
from machina.apps.forum_conversation.models import Post, Topic
from machina.apps.forum_permission.models import ForumPermission, UserForumPermission

import objects

users = [User.objects.create_user(n, n + '@example.org', 'secret') for n in ('ada', 'bert', 'cleo', 'dora', 'emil')]
forums = [Forum.objects.create(name=n, type=Forum.FORUM_POST) for n in ('Knots and splices', 'Boats for sale')]
for p in ForumPermission.objects.filter(codename__in=['can_see_forum', 'can_read_forum', 'can_start_new_topics', 'can_reply_to_topics']):
    UserForumPermission.objects.create(permission=p, anonymous_user=True, has_perm=True)

begin = datetime.datetime(2025, 3, 1, 8, 0, tzinfo=datetime.timezone.utc)
number = 0
for t in range(12):
    forum = forums[t % 2]
    size = {0: 40, 1: 30}.get(t, 5)
    topic = Topic.objects.create(forum=forum, poster=users[t % 5], subject='Question %d about rope' % t, type=Topic.TOPIC_POST, status=Topic.TOPIC_UNLOCKED, approved=True)
    for i in range(size):
        post = Post.objects.create(topic=topic, poster=users[(t + i) % 5], subject=topic.subject, approved=True,
                                   content='Answer %d in topic %d: take %d metres of line & a *steady* hand.' % (i, t, 10 * t + i))
        number += 1
        when = begin + datetime.timedelta(hours=7 * number)
        Post.objects.filter(pk=post.pk).update(created=when, updated=when)

print('page /')
for f in Forum.objects.all():
    print('page /forum/%s-%d/' % (f.slug, f.pk))
for t in Topic.objects.all():
    at = '/forum/%s-%d/topic/%s-%d/' % (t.forum.slug, t.forum.pk, t.slug, t.pk)
    print('page ' + at)
    for n in range(2, (t.posts.count() + 14) // 15 + 1):
        print('page %s?page=%d' % (at, n))
objects.tell(sys.argv[1])
