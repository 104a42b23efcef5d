# The part of Mastodon's interface that readers who are not logged in use, over SQLite, and the empty page that its client fills.
#
#   GET /api/v1/timelines/public?local=true&limit=N&max_id=ID    newest first; the field Link leads on
#   GET /api/v1/accounts/lookup?acct=NAME
#   GET /api/v1/accounts/ID/statuses?limit=N&max_id=ID
#   GET /api/v1/statuses/ID, /api/v1/statuses/ID/context
import json
import re
import sqlite3
import sys
from urllib.parse import parse_qs

PAGE = '''<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Quayside</title><meta content="Mastodon 4.2 (like it)" name="generator">
<meta content="Quayside" property="og:site_name"><style>article{border-bottom:1px solid #999;padding:8px}nav a{margin-right:1em}</style></head>
<body><div id="mastodon"></div><noscript>To use the Mastodon web application, please enable JavaScript.</noscript><script src="/client.js"></script></body></html>'''


def fill(db):
    db.executescript('CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE posts (id INTEGER PRIMARY KEY, account INTEGER, reply INTEGER, text TEXT, created TEXT, edited TEXT);')
    for i, name in enumerate(('ada', 'bo', 'cleo')):
        db.execute('INSERT INTO accounts VALUES (?, ?)', (101 + i, name))
    for i in range(63):
        reply = 1000 + i - 3 if i % 8 == 7 else None
        db.execute('INSERT INTO posts VALUES (?, ?, ?, ?, ?, NULL)', (1000 + i, 101 + i % 3, reply, 'Note %d from the quay: %d boats are in.' % (i, i * 7 % 40), '2025-05-%02dT%02d:00:00.000Z' % (1 + i // 3, 8 + i % 3)))
    db.commit()


def truth(db):
    # What a page shows is what the interface answers for it; the page itself is the same for all.
    print('page / /api/v1/timelines/public?local=true&limit=20')
    print('part /')
    for id, name in db.execute('SELECT id, name FROM accounts'):
        print('page /@%s /api/v1/accounts/%d/statuses?limit=20' % (name, id))
        print('part /@%s' % name)
    for name, id in db.execute('SELECT name, posts.id FROM posts JOIN accounts ON accounts.id = account ORDER BY posts.id'):
        print('page /@%s/%d /api/v1/statuses/%d' % (name, id, id))
        print('part /@%s/%d' % (name, id))


def edit(db, n):
    for id in (1010 + n, 1030 + n):
        db.execute("UPDATE posts SET text = replace(text, 'boats are in', 'boats were in, and have left'), edited = '2025-07-01T08:00:00.000Z' WHERE id = ?", (id,))
    ((name, gone),) = db.execute('SELECT name, posts.id FROM posts JOIN accounts ON accounts.id = account WHERE posts.id = ?', (1050 + n,)).fetchall()
    db.execute('DELETE FROM posts WHERE id = ?', (gone,))
    db.commit()
    print('delete /@%s/%d' % (name, gone))


def serve(file):
    def application(env, start):
        origin = 'http://' + env.get('HTTP_HOST', 'fediverse.realsites.test')
        db = sqlite3.connect(file)
        try:
            status, body, more = answer(db, origin, env.get('PATH_INFO', '/'), parse_qs(env.get('QUERY_STRING', '')))
        finally:
            db.close()
        fields = [('Content-Type', 'application/json; charset=utf-8' if env['PATH_INFO'].startswith('/api/') else 'text/html; charset=utf-8')]
        if more and status.startswith('302'):
            fields.append(('Location', more))
        elif more:
            fields.append(('Link', '<%s>; rel="next"' % more))
        start(status, fields)
        return [body.encode()]
    return application


OK, GONE = '200 OK', '404 Not Found'


def answer(db, origin, path, query):
    def account(id, name):
        return {'id': str(id), 'username': name, 'acct': name, 'display_name': name.title(), 'url': '%s/@%s' % (origin, name), 'note': '', 'avatar': '', 'header': ''}

    def status(row):
        id, by, name, reply, text, created, edited = row
        return {'id': str(id), 'created_at': created, 'edited_at': edited, 'in_reply_to_id': reply and str(reply), 'content': '<p>%s</p>' % text,
                'url': '%s/@%s/%d' % (origin, name, id), 'uri': '%s/users/%s/statuses/%d' % (origin, name, id), 'account': account(by, name), 'reblog': None, 'media_attachments': []}

    def statuses(where, *values):
        return [status(r) for r in db.execute('SELECT posts.id, account, name, reply, text, created, edited FROM posts JOIN accounts ON accounts.id = account WHERE ' + where + ' ORDER BY posts.id DESC', values)]

    def page(where, *values):
        limit = min(int(query.get('limit', ['20'])[0]), 40)
        below = int(query.get('max_id', ['9999999'])[0])
        found = statuses(where + ' AND posts.id < ?', *values, below)
        more = None
        if len(found) > limit:
            found = found[:limit]
            more = '%s%s?%slimit=%d&max_id=%s' % (origin, path, 'local=true&' if 'local' in query else '', limit, found[-1]['id'])
        return OK, json.dumps(found), more

    if path == '/api/v1/timelines/public':
        return page('1')
    if m := re.fullmatch(r'/api/v1/accounts/(\d+)/statuses', path):
        return page('account = ?', int(m[1]))
    if path == '/api/v1/accounts/lookup':
        for id, name in db.execute('SELECT id, name FROM accounts WHERE name = ?', (query.get('acct', [''])[0],)):
            return OK, json.dumps(account(id, name)), None
    if m := re.fullmatch(r'/api/v1/statuses/(\d+)(/context)?', path):
        found = statuses('posts.id = ?', int(m[1]))
        if found and m[2]:
            up = statuses('posts.id = ?', int(found[0]['in_reply_to_id'] or 0))
            return OK, json.dumps({'ancestors': up, 'descendants': statuses('reply = ?', int(m[1]))}), None
        if found:
            return OK, json.dumps(found[0]), None
    if path.startswith('/api/'):
        return GONE, '{"error": "Record not found"}', None
    if path == '/':
        return OK, PAGE, None
    if m := re.fullmatch(r'/users/(\w+)/statuses/(\d+)', path):
        return '302 Found', '', '%s/@%s/%s' % (origin, m[1], m[2])
    if m := re.fullmatch(r'/@(\w+)(?:/(\d+))?', path):
        if m[2] and statuses('posts.id = ? AND name = ?', int(m[2]), m[1]) or not m[2] and db.execute('SELECT 1 FROM accounts WHERE name = ?', (m[1],)).fetchall():
            return OK, PAGE, None
    return GONE, '<!DOCTYPE html><title>Not found</title><p>There is nothing here.</p>', None


if __name__ == '__main__':
    with sqlite3.connect(sys.argv[2]) as db:
        {'fill': fill, 'truth': truth}[sys.argv[1]](db) if len(sys.argv) == 3 else edit(db, int(sys.argv[3]))
