# edit.py ROUND
import sys

import django

django.setup()

from machina.apps.forum_conversation.models import Post, Topic

n = int(sys.argv[1])
topics = list(Topic.objects.order_by('pk'))
for topic, i in ((topics[0], 20 + n), (topics[2 + n], 1)):
    post = topic.posts.order_by('pk')[i]
    post.content = str(post.content.raw).replace('a *steady* hand', 'all the time you need')
    post.save()
topics[1].posts.order_by('pk')[3 + n].delete()
gone = topics[6 + n]
print('delete /forum/%s-%d/topic/%s-%d/' % (gone.forum.slug, gone.forum.pk, gone.slug, gone.pk))
gone.delete()
