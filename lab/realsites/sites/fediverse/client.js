// What fills the page: the public line, an account, or one post with what it answers and what answers it. More comes when a reader asks for it.
(function () {
  var root = document.getElementById('mastodon'), m = /^\/@(\w+)(?:\/(\d+))?$/.exec(location.pathname);
  function ask(path) { return fetch(path).then(function (r) { if (!r.ok) throw new Error(r.status); return r.json().then(function (j) { return { list: j, next: /<([^>]+)>; rel="next"/.exec(r.headers.get('Link') || '') }; }); }); }
  function element(name, text, more) { var e = document.createElement(name); e.textContent = text || ''; for (var k in more) e.setAttribute(k, more[k]); return e; }
  function show(s) {
    var a = element('article', '', { id: 'status-' + s.id }), p = document.createElement('div');
    p.innerHTML = s.content;
    a.append(element('a', s.account.display_name, { href: '/@' + s.account.acct }), ' ', element('a', s.created_at.slice(0, 10) + (s.edited_at ? ' (edited)' : ''), { href: '/@' + s.account.acct + '/' + s.id }), p);
    return a;
  }
  function page(path) {
    return ask(path).then(function (got) {
      got.list.forEach(function (s) { root.append(show(s)); });
      if (!got.next) return;
      var b = element('button', 'Load more');
      b.onclick = function () { b.remove(); page(got.next[1].replace(/^https?:\/\/[^/]+/, '')); };
      root.append(b);
    });
  }
  var nav = element('nav');
  nav.append(element('a', 'Quayside', { href: '/' }));
  root.append(nav);
  if (m && m[2]) {
    Promise.all([ask('/api/v1/statuses/' + m[2]), ask('/api/v1/statuses/' + m[2] + '/context')]).then(function (got) {
      got[1].list.ancestors.concat(got[0].list, got[1].list.descendants).forEach(function (s) { root.append(show(s)); });
    });
  } else if (m) {
    ask('/api/v1/accounts/lookup?acct=' + m[1]).then(function (got) { root.append(element('h1', got.list.display_name)); return page('/api/v1/accounts/' + got.list.id + '/statuses?limit=20'); });
  } else page('/api/v1/timelines/public?local=true&limit=20');
})();
