# edit.py ROUND
import sys

import django

django.setup()

from spirit.comment.models import Comment
from spirit.topic.models import Topic

n = int(sys.argv[1])
topics = list(Topic.objects.order_by('pk'))
for topic, i in ((topics[0], 20 + n), (topics[2 + n], 1)):
    comment = topic.comment_set.order_by('pk')[i]
    comment.comment = comment.comment.replace('water them', 'leave them dry')
    comment.comment_html = comment.comment_html.replace('water them', 'leave them dry')
    comment.is_modified = True
    comment.save()
Comment.objects.filter(pk=topics[1].comment_set.order_by('pk')[n].pk).update(is_removed=True)
gone = topics[6 + n]
Topic.objects.filter(pk=gone.pk).update(is_removed=True)
print('delete ' + gone.get_absolute_url())
