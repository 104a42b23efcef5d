// The banner: listens to the replayed page and says how well it hangs together.
'use strict';
(function () {
  var page = document.getElementById('page');
  var $ = function (id) { return document.getElementById(id); };
  var parts, leaks, unlisted = 0;
  // say gives a sentence in the language of the banner, with what is put into it.
  var words = JSON.parse($('bar').dataset.words) || {};
  function say(text) {
    var put = arguments;
    return (words[text] || text).replace(/\{(\d)\}/g, function (_, n) { return put[+n + 1]; });
  }
  var view = page.dataset.view; // where the page runs no scripts that could tell us of it, the server does
  var content = new URL(page.src).origin; // archived pages run on an origin of their own and cannot reach into this one

  // What stands behind the number sign is not sent to servers, and many applications begin with the page that it names: the frame is
  // made anew with it, since adding it to a page that is there already would come too late.
  if (location.hash) {
    var routed = page.cloneNode();
    routed.src = page.src + location.hash;
    page.replaceWith(routed);
    page = routed;
  }

  function reset() { parts = new Map(); leaks = new Map(); }
  reset();

  // seconds reads 14 digits.
  function seconds(s) {
    return Date.UTC(+s.slice(0, 4), +s.slice(4, 6) - 1, +s.slice(6, 8), +s.slice(8, 10), +s.slice(10, 12), +s.slice(12, 14)) / 1000;
  }
  function here() { return $('bar').dataset; }
  function away(d) {
    var n = Math.abs(d), unit = n < 120 ? [1, 's'] : n < 7200 ? [60, 'min'] : n < 172800 ? [3600, 'h'] : n < 63072000 ? [86400, say('days')] : [31557600, say('years')];
    return Math.round(n / unit[0]) + ' ' + unit[1];
  }
  function offset(d) { return d === 0 ? say('same second') : d < 0 ? say('{0} before', away(d)) : say('{0} after', away(d)); }

  var WORST = ['missing', 'violated', 'unknown', 'possible', 'inferred', 'proven'];
  var SAYS = {
    missing: [say('◼ parts missing'), say('Some parts of this page are not in the archive.')],
    violated: [say('▲ not coherent'), say('Some parts are proven not to have been so at the time of the page.')],
    unknown: [say('○ not proven'), say('Nothing is known about some parts at the time of the page.')],
    possible: [say('◐ possible'), say('Nothing speaks against it: each part is the nearest capture, but some may have been different at the time of the page.')],
    inferred: [say('● coherent, inferred'), say('Each part was captured with the same bytes before and after the page, and with no others between.')],
    proven: [say('● coherent, proven'), say('Each part is proven to have been so at the time of the page.')]
  };

  function draw() {
    var list = Array.from(parts.values()), t = seconds(here().time), spread = 0, missing = 0, far = [], verdict = 'proven';
    list.forEach(function (p) {
      if (p.missing) missing++;
      else { var d = p.at - t; if (Math.abs(d) > Math.abs(spread)) spread = d; if (Math.abs(d) > 86400) far.push(d); }
      if (WORST.indexOf(p.fit) < WORST.indexOf(verdict)) verdict = p.fit;
    });
    if (here().fit === 'missing') return;
    var v = $('verdict');
    v.className = 'verdict ' + (list.length ? verdict : here().fit);
    v.textContent = SAYS[list.length ? verdict : here().fit][0];
    $('judgement').textContent = SAYS[list.length ? verdict : here().fit][1] + ' ' + say('{0} parts, {1} missing.', list.length, missing);
    var near = list.length - missing - far.length;
    $('parts').textContent = list.length === 0 ? say('no parts') : say('{0} parts within {1}', near, away(spreadOf(list, t))) + (far.length ? ' · ' + (spread < 0 ? say('{0} up to {1} before', far.length, away(spread)) : say('{0} up to {1} after', far.length, away(spread))) : '') + ' · ' + say('{0} missing', missing) + (unlisted ? ' · ' + say('{0} more not listed', unlisted) : '');
    var n = 0;
    leaks.forEach(function (c) { n += c; });
    $('leaks').textContent = n === 0 ? say('no leaks') : n === 1 ? say('1 leak stopped') : say('{0} leaks stopped', n);
    $('leaks').classList.toggle('some', n > 0);
    if (!$('details').hidden) table(list, t);
  }
  function spreadOf(list, t) {
    return list.reduce(function (m, p) { var d = Math.abs(p.at - t); return !p.missing && d <= 86400 && d > m ? d : m; }, 0);
  }

  function cell(row, text, className) {
    var td = row.insertCell();
    td.textContent = text;
    if (className) td.className = className;
    return td;
  }
  function table(list, t) {
    var body = $('list');
    body.textContent = '';
    list.sort(function (a, b) { return WORST.indexOf(a.fit) - WORST.indexOf(b.fit) || Math.abs(b.at - t) - Math.abs(a.at - t); }).slice(0, 500).forEach(function (p) {
      var row = body.insertRow();
      row.className = p.fit;
      cell(row, p.url, 'url');
      cell(row, p.missing ? '–' : offset(p.at - t), 'n');
      cell(row, p.missing ? say('missing') : say(p.fit) + (p.status >= 400 ? ', ' + say('answered {0} then', p.status) : ''));
    });
    if (!list.length) cell(body.insertRow(), say('This page asked for nothing else.'), 'sub');
    var ul = $('leaked');
    ul.textContent = '';
    if (!leaks.size) { var none = document.createElement('li'); none.className = 'sub'; none.textContent = say('none'); ul.appendChild(none); }
    leaks.forEach(function (n, url) { var li = document.createElement('li'); li.textContent = url + (n > 1 ? ' (' + say('{0} times', n) + ')' : ''); ul.appendChild(li); });
  }

  function address(time, url) { return '/' + here().collection + '/' + time + '/' + url; }

  // moved follows the page: the banner of the new address is fetched and put in place of this one.
  var moving = '';
  function moved(p) {
    if (p.title) cited(p.title);
    if (p.title) document.title = p.title + ' · ' + p.time.replace(/(....)(..)(..).*/, '$1-$2-$3') + ' · Varve';
    var to = address(p.time, p.url);
    if (p.url === here().url && p.time === here().time || moving === to) return;
    moving = to;
    var from = here().time, apart = seconds(p.time) - seconds(from);
    var left = here().url.split('#')[0];
    if (p.time !== here().time || p.url.split('#')[0] !== here().url.split('#')[0]) reset();
    here().url = p.url; here().time = p.time;
    history.replaceState(null, '', to);
    fetch(to, view ? { headers: { 'Varve-View': view } } : {}).then(function (r) { return r.text(); }).then(function (text) {
      var doc = new DOMParser().parseFromString(text, 'text/html'), bar = doc.getElementById('bar');
      if (moving !== to || !bar) return;
      $('bar').replaceWith(bar);
      if (Math.abs(apart) > 86400 && p.url.split('#')[0] !== left) drifted(bar, from, apart);
      $('details').replaceWith(doc.getElementById('details'));
      cited(p.title);
      listen();
      draw();
    }).catch(function () { /* the old banner stays; its time is that of the page */ }).finally(function () { moving = ''; });
  }

  // drifted says that a link led to another time, as no capture of its page is nearer.
  function drifted(bar, from, apart) {
    var note = document.createElement('p');
    note.className = 'note';
    note.id = 'asked';
    note.setAttribute('role', 'status');
    note.textContent = say('You came from {0}. The capture of this page nearest to it is {1}.', from.replace(/(....)(..)(..).*/, '$1-$2-$3'), offset(apart));
    bar.appendChild(note);
  }

  // gone says that the page which the reader was led to is not there; the frame shows what is near.
  function gone(url) {
    if (url === here().url) return;
    reset();
    here().url = url; here().fit = 'missing';
    document.querySelector('.where input[name=url]').value = url;
    document.title = say('Not in the archive') + ' · Varve';
    history.replaceState(null, '', address(here().time, url));
    document.querySelector('.time').hidden = document.querySelector('.steps').hidden = true;
    $('verdict').className = 'verdict missing';
    $('verdict').textContent = say('◼ not in the archive');
    $('parts').textContent = '';
  }

  function leaked(url) { var u = String(url).slice(0, 300); leaks.set(u, (leaks.get(u) || 0) + 1); }
  function part(p) {
    if (parts.size > 5000 || !Array.isArray(p)) return;
    var missing = p[2] === 'missing' || p[3] === 404 && !/^\d/.test(p[1]);
    var fit = missing ? 'missing' : WORST.indexOf(p[2]) >= 0 ? p[2] : 'unknown';
    parts.set(p[0], { url: String(p[0]), at: /^\d{14}$/.test(p[1]) ? seconds(p[1]) : seconds(here().time), fit: fit, missing: missing, status: p[3] });
  }

  // ask learns from the server what a page without scripts cannot say: where the frame is, its parts, where it leads.
  var refresh;
  function ask() {
    fetch('/_varve/view?id=' + view).then(function (r) { return r.json(); }).then(function (m) {
      if (m.gone) gone(m.gone.url);
      if (m.page) moved(m.page);
      if (m.leaks) { leaks = new Map(); m.leaks.forEach(leaked); }
      (m.parts || []).forEach(part);
      unlisted = m.cut || 0;
      draw();
      clearTimeout(refresh);
      if (m.refresh) refresh = setTimeout(function () { page.src = content + m.refresh.to; }, m.refresh.after * 1000);
    }).catch(function () { $('parts').textContent = say('parts are not known'); });
  }

  window.addEventListener('message', function (e) {
    var m = e.data && e.data.varve;
    // Pages for themselves (no origin to share, or ours beside content) are "null"; this window holds no others.
    if (!m || e.origin !== content && e.origin !== 'null') return;
    if (m.page && typeof m.page.url === 'string' && /^\d{14}$/.test(m.page.time)) moved(m.page);
    if (m.gone && typeof m.gone.url === 'string') gone(m.gone.url);
    if (m.leak) { leaked(m.leak.url); draw(); }
    if (Array.isArray(m.parts)) { m.parts.forEach(part); draw(); }
    var to = typeof m.open === 'string' && m.open.indexOf(content + '/') === 0 && m.open.slice(content.length).replace(/^\/([^\/~]*)(?:~[^\/]*)?\//, '/$1/');
    if (to && to.indexOf('/' + here().collection + '/') === 0) window.open(location.origin + to.replace(/\/(\d{14})mp_\//, '/$1/'), '_blank', 'noopener');
  });
  // What the frame's own policy stops is the page trying to leave.
  document.addEventListener('securitypolicyviolation', function (e) {
    if (/^https?:/.test(e.blockedURI) && e.blockedURI.indexOf(content) !== 0) { leaks.set(e.blockedURI, (leaks.get(e.blockedURI) || 0) + 1); draw(); }
  });

  // cited puts the title of the page into the references, where the server had only its address.
  function cited(title) {
    var box = $('citations'), was = box && box.dataset.title;
    if (!was || !title) return;
    box.querySelectorAll('code').forEach(function (c, i) {
      if (i === 0 && c.textContent.indexOf(was + '. (n.d.)') === 0) c.textContent = title.replace(/\.$/, '') + c.textContent.slice(was.length);
      if (i === 1) c.textContent = c.textContent.replace(/title = \{.*\},/, function () { return 'title = {' + title.replace(/[\\{}$&#%_~^]/g, function (x) { return /[\\~^]/.test(x) ? ' ' : '\\' + x; }) + '},'; });
    });
  }
  document.addEventListener('click', function (e) {
    if (!e.target.classList.contains('copy') || !navigator.clipboard) return;
    navigator.clipboard.writeText(e.target.parentNode.querySelector('code').textContent).then(function () { e.target.textContent = say('copied'); });
  });

  function listen() {
    ['verdict', 'parts', 'cite', 'leaks'].forEach(function (id) {
      $(id).addEventListener('click', function () {
        $('details').hidden = !$('details').hidden;
        ['verdict', 'parts', 'cite'].forEach(function (b) { $(b).setAttribute('aria-expanded', String(!$('details').hidden)); });
        draw();
      });
    });
  }
  listen();
  page.addEventListener('load', function () { setTimeout(view ? ask : draw, 400); });
  if (view) window.addEventListener('load', function () { setTimeout(ask, 400); }); // the frame may have been first
  document.addEventListener('keydown', function (e) {
    if (/^(?:INPUT|TEXTAREA)$/.test(e.target.tagName) || e.ctrlKey || e.metaKey || e.altKey) return;
    var rel = { j: 'next', k: 'prev' }[e.key], a = rel && document.querySelector('#bar a[rel=' + rel + ']');
    if (a) a.click();
    if (e.key === '/') { document.querySelector('.where input[name=url]').select(); e.preventDefault(); }
    if (e.key === 'Escape') $('details').hidden = true;
  });
})();
