// What a page of today does while it loads. Results that depend on the time of day are left out.
(function () {
  var r = window.results;
  function later(name, promise) {
    window.pending++;
    promise.then(function (v) { r[name] = v; }, function (e) { r[name] = 'failed: ' + e; }).finally(function () { window.pending--; });
  }
  r.cdn = window.cdnLoaded;
  r.href = location.href; r.host = location.host; r.path = window.location.pathname; r.origin = self.origin; r.domain = document.domain;
  r.url = document.URL; r.base = document.baseURI; r.str = '' + location; r.top = top === window; r.parent = parent === window; r.frameElement = window.frameElement === null;
  r.bracket = window['location']['protocol'];
  var key = { location: 'kept', top: 1 }; r.keys = Object.keys(key).join() + key.location;
  r.shorthand = (function (location) { return { location }.location; })('inner');
  r.evaled = eval('location.pathname'); r.made = new Function('return location.host')();
  r.anchor = document.getElementById('rel').href; r.anchorPath = document.getElementById('rel').pathname;
  r.img = document.images[0].src; r.attr = document.querySelector('link[rel=stylesheet]').href;

  later('items', fetch('/api/items.json').then(function (x) { r.fetchURL = x.url; return x.json(); }).then(function (list) {
    document.getElementById('items').innerHTML = list.map(function (i) { return '<li><a href="' + i.href + '">' + i.name + '</a></li>'; }).join('');
    return document.querySelector('#items a').href;
  }));
  [1, 2].forEach(function (n) { later('item' + n, fetch('/api/item-' + n + '.json').then(function (x) { return x.json(); }).then(function (j) { return j.name; })); });
  later('xhr', new Promise(function (ok, bad) { var x = new XMLHttpRequest(); x.open('GET', 'http://modern.sim.test/api/' + 'xhr.json'); x.onload = function () { ok(x.responseURL + ' ' + JSON.parse(x.responseText).ok); }; x.onerror = bad; x.send(); }));
  later('missing', fetch('/api/' + 'never.json').then(function (x) { return x.status; }));
  later('late', new Promise(function (ok, bad) { var s = document.createElement('script'); s.src = '/js/' + 'late.js'; s.onload = function () { ok(window.lateLoaded + ' ' + s.src); }; s.onerror = bad; document.head.appendChild(s); }));
  later('inlineScript', new Promise(function (ok) { var s = document.createElement('script'); s.textContent = 'window.inlineRan = location.pathname'; document.body.appendChild(s); ok(window.inlineRan); }));
  later('built', new Promise(function (ok, bad) { var i = new Image(); i.onload = function () { ok(i.src); }; i.onerror = function () { bad('image'); }; i.setAttribute('src', '/img/' + 'made.svg'); document.getElementById('built').appendChild(i); }));
  document.getElementById('inner').innerHTML = '<img src="' + '/img/' + 'inner.svg" alt="">';
  r.inner = document.querySelector('#inner img').src;
  document.getElementById('painted').style.backgroundImage = 'url("http://modern.sim.test/img/' + 'style.svg")';

  later('worker', new Promise(function (ok, bad) { var w = new Worker('/js/' + 'worker.js'); w.onmessage = function (e) { ok(e.data); }; w.onerror = function (e) { bad(e.message); }; w.postMessage('/api/' + 'worker.json'); }));
  later('blobWorker', new Promise(function (ok, bad) { var w = new Worker(URL.createObjectURL(new Blob(['onmessage=' + function (e) { self.postMessage(e.data + 1); }]))); w.onmessage = function (e) { ok(e.data); }; w.onerror = function (e) { bad(e.message); }; w.postMessage(41); }));
  later('serviceWorker', navigator.serviceWorker ? navigator.serviceWorker.register('/sw.js').then(function () { return 'registered'; }) : Promise.resolve('registered'));
  later('message', new Promise(function (ok) {
    window.addEventListener('message', function (e) { if (e.data && e.data.from === 'frame') ok(e.origin + ' ' + e.data.parentPath + ' ' + (e.source === document.getElementById('frame').contentWindow)); });
    var f = document.getElementById('frame');
    function ask() { f.contentWindow.postMessage('hello', 'http://modern.sim.test'); }
    if (f.contentDocument && f.contentDocument.readyState === 'complete' && f.contentWindow.location.href !== 'about:blank') ask(); else f.addEventListener('load', ask);
  }));
  later('video', new Promise(function (ok, bad) { var v = document.getElementById('video'); function done() { ok(v.videoWidth + 'x' + v.videoHeight + ' ' + v.currentSrc); } v.readyState > 0 ? done() : v.addEventListener('loadedmetadata', done); v.addEventListener('error', function () { bad('video'); }); }));
  later('socket', new Promise(function (ok) { var s = new WebSocket('ws://modern.sim.test/live'); s.onclose = function () { ok('closed'); }; }));
  later('blank', new Promise(function (ok) { var f = document.createElement('iframe'); document.body.appendChild(f); f.style.display = 'none'; f.contentDocument.write('<img src="/img/' + 'plain.svg">'); f.contentDocument.close(); ok(f.contentDocument.images[0].src); }));
  later('dynamic', import('/js/' + 'dynamic.js').then(function (m) { return m.name; }));

  localStorage.setItem('a', '1'); localStorage.b = '2'; r.storage = localStorage.getItem('a') + localStorage.b + localStorage.length;
  document.cookie = 'seen=1; path=/'; document.cookie = 'gone=1'; document.cookie = 'gone=; max-age=0'; r.cookie = document.cookie;
  history.replaceState({}, '', '/#top'); r.pushed = location.href; history.replaceState({}, '', '/');
  r.random = typeof Math.random() === 'number'; r.date = new Date() instanceof Date && Date.now() > 1e12 && new Date(2020, 0, 1).getFullYear() === 2020;
  r.scripts = Array.prototype.map.call(document.scripts, function (s) { return s.src; }).filter(Boolean).join(' ');
})();
