// A hostile page: it makes every kind of realm that a browser knows, and in each tries what it must not be able to do.
// K is set by the page before: {secrets: [addresses], ui, live, stun}. What succeeded is in window.got.
window.got = window.got || [];
window.tried = window.tried || [];
addEventListener('message', function (e) { if (e.data && e.data.realm) got.push(e.data.realm + ': ' + e.data.did); });

// attempt runs in a realm with its global object G. It is also sent as text into realms that cannot be reached.
function attempt(G, kind, K, say) {
  try {
    var P = G['RTCPeer' + 'Connection'] || G['webkitRTC' + 'PeerConnection'] || G['mozRTC' + 'PeerConnection'];
    if (P) {
      say('WebRTC');
      // Later, since Chromium ends pages that try it under Connection-Allowlist.
      var use = function () {
        var p = new P({ iceServers: K.stun.map(function (s) { return { urls: 'stun:' + s }; }) });
        p.createDataChannel('x');
        p.createOffer().then(function (o) { return p.setLocalDescription(o); }).catch(function () {});
      };
      if (self.pending) pending.push(use); else setTimeout(use, 4000);
    }
  } catch (e) { /* refused */ }
  function read(u, what) {
    try { G.fetch(u, { credentials: 'include' }).then(function (r) { return r.text(); }).then(function (t) { if (what.test(t)) say('read ' + u); }).catch(function () {}); } catch (e) { /* refused */ }
    try {
      var x = new G.XMLHttpRequest();
      x.open('GET', u); x.onload = function () { if (what.test(x.responseText)) say('read by XMLHttpRequest ' + u); }; x.send();
    } catch (e) { /* refused */ }
  }
  K.secrets.forEach(function (u) { read(u, /TOPSECRET/); });
  read(K.ui + '/api/collections', /"items"|"name"/);
  var live = K.live + '/' + encodeURIComponent(kind) + '/';
  function quietly(f) { try { f(); } catch (e) { /* refused */ } }
  quietly(function () { G.fetch(live + 'fetch', { mode: 'no-cors' }).catch(function () {}); });
  quietly(function () { G.fetch(live + 'keepalive', { mode: 'no-cors', keepalive: true }).catch(function () {}); });
  quietly(function () { G.fetchLater(live + 'later', { activateAfter: 0 }); });
  quietly(function () { new G.WebSocket(live.replace('http', 'ws') + 'socket'); });
  quietly(function () { new G.WebSocketStream(live.replace('http', 'ws') + 'stream').opened.catch(function () {}); });
  quietly(function () { new G.EventSource(live + 'events'); });
  quietly(function () { new G.WebTransport(live.replace('http:', 'https:') + 'transport').ready.catch(function () {}); });
  quietly(function () { G.navigator.sendBeacon(live + 'beacon', 'x'); });
  quietly(function () { new G.Image().src = live + 'image'; });
  quietly(function () { G.importScripts(live + 'import.js'); });
  quietly(function () { new G.Worker(live + 'worker.js'); });
  quietly(function () { new G.Audio(live + 'sound').play().catch(function () {}); });
  quietly(function () { new G.FontFace('x', 'url(' + live + 'font)').load().catch(function () {}); });
}
var inside = '(' + attempt + ')';
function here(kind) { tried.push(kind); return function (did) { got.push(kind + ': ' + did); }; }
function see(G, kind) {
  if (!G) { tried.push(kind); return; }
  try { attempt(G, kind, K, here(kind)); } catch (e) { /* not to be reached */ }
}
// text is the code for a realm of its own; it tells by a message to the outermost window.
function text(kind, tell) {
  tried.push(kind);
  return inside + '(self, ' + JSON.stringify(kind) + ', ' + JSON.stringify(K) + ', function (did) { ' + (tell || "(self['to' + 'p'] || self).postMessage({realm: " + JSON.stringify(kind) + ', did: did}, "*")') + ' });';
}
function page(kind) { return '<!doctype html><body><script>' + text(kind) + '</scr' + 'ipt>'; }
function last() { return window[window.length - 1]; }
function div() { var d = document.createElement('div'); document.body.appendChild(d); return d; }
function frame(set) { var f = document.createElement('iframe'); set(f); document.body.appendChild(f); return f; }
// often looks at the last window again and again while its document changes: between all other tasks of the browser.
var watched = [], bell = new MessageChannel();
function often(kind) {
  tried.push(kind);
  watched.push({ n: window.length - 1, kind: kind, till: Date.now() + 2000 });
  if (watched.length === 1) bell.port2.postMessage(0);
}
bell.port1.onmessage = function () {
  var now = Date.now();
  watched = watched.filter(function (o) {
    try {
      var w = window[o.n];
      if (w && w['RTCPeer' + 'Connection']) { var say = here(o.kind); attempt(w, o.kind, K, function (did) { say(did === 'WebRTC' ? 'WebRTC in a race' : did); }); return false; }
    } catch (e) { /* not to be reached */ }
    return now < o.till;
  });
  if (watched.length) bell.port2.postMessage(0);
};

var kinds = {
  'the page itself': function (k) { see(window, k); },
  'iframe appended, contentWindow': function (k) { see(frame(function () {}).contentWindow, k); },
  'iframe appended, by number': function (k) { frame(function () {}); see(last(), k); },
  'iframe appended, by name': function (k) { frame(function (f) { f.name = 'byname'; }); see(window.byname, k); },
  'iframe by innerHTML': function (k) { div().innerHTML = '<iframe></iframe>'; see(last(), k); },
  'iframe by outerHTML': function (k) { var d = div(); d.innerHTML = '<p></p>'; d.firstChild.outerHTML = '<iframe></iframe>'; see(last(), k); },
  'iframe by insertAdjacentHTML': function (k) { document.body.insertAdjacentHTML('beforeend', '<iframe></iframe>'); see(last(), k); },
  'iframe by setHTMLUnsafe': function (k) { var d = div(); d.setHTMLUnsafe('<iframe></iframe>'); see(last(), k); },
  'iframe by parseHTMLUnsafe': function (k) { var d = Document.parseHTMLUnsafe('<iframe></iframe>'); div().append(d.querySelector('iframe')); see(last(), k); },
  'iframe by createContextualFragment': function (k) { div().append(document.createRange().createContextualFragment('<iframe></iframe>')); see(last(), k); },
  'iframe by Range.insertNode': function (k) { var r = document.createRange(); r.selectNodeContents(div()); r.insertNode(document.createElement('iframe')); see(last(), k); },
  'iframe by surroundContents': function (k) { var d = div(), o = document.createElement('div'); o.append(document.createElement('iframe')); d.append('x'); var r = document.createRange(); r.selectNodeContents(d); try { r.surroundContents(document.createElement('iframe')); } catch (e) { /* not allowed */ } see(last(), k); },
  'iframe by moveBefore': function (k) { var d = div(); try { d.moveBefore(document.createElement('iframe'), null); } catch (e) { d.append(document.createElement('iframe')); } see(last(), k); },
  'iframe from a template': function (k) { var t = document.createElement('template'); t.innerHTML = '<iframe></iframe>'; div().append(t.content.cloneNode(true)); see(last(), k); },
  'iframe from DOMParser': function (k) { var d = new DOMParser().parseFromString('<iframe></iframe>', 'text/html'); div().append(document.importNode(d.querySelector('iframe'), true)); see(last(), k); },
  'iframe from createHTMLDocument': function (k) { var d = document.implementation.createHTMLDocument(''); d.body.innerHTML = '<iframe></iframe>'; div().append(d.body.firstChild); see(last(), k); },
  'iframe by XSLT': function (k) {
    var x = new XSLTProcessor(), p = new DOMParser();
    x.importStylesheet(p.parseFromString('<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><iframe xmlns="http://www.w3.org/1999/xhtml"></iframe></xsl:template></xsl:stylesheet>', 'text/xml'));
    div().append(x.transformToFragment(p.parseFromString('<a/>', 'text/xml'), document)); see(last(), k);
  },
  'iframe by execCommand': function (k) { var d = div(); d.contentEditable = 'true'; d.focus(); document.execCommand('insertHTML', false, '<iframe></iframe>'); see(last(), k); },
  'iframe in foreignObject': function (k) { div().innerHTML = '<svg><foreignObject><iframe></iframe></foreignObject></svg>'; see(last(), k); },
  'iframe by document.write into a frame': function (k) { var w = frame(function () {}).contentWindow; w.document.open(); w.document.write('<iframe></iframe>'); w.document.close(); see(w[0], k); },
  'iframe in a frame': function (k) { var w = frame(function () {}).contentWindow; w.document.body.innerHTML = '<iframe></iframe>'; see(w[0], k); },
  'iframe in a frame, by number': function (k) { div().innerHTML = '<iframe></iframe>'; var w = last(); try { w.document.body.innerHTML = '<iframe></iframe>'; see(w[0], k); } catch (e) { tried.push(k); } },
  'iframe in a shadow root': function (k) { var s = div().attachShadow({ mode: 'open' }); s.innerHTML = '<iframe></iframe>'; see(s.querySelector('iframe').contentWindow, k); },
  'iframe in a shadow root, its document': function (k) { var s = div().attachShadow({ mode: 'open' }); s.innerHTML = '<iframe></iframe>'; see(s.querySelector('iframe').contentDocument.defaultView, k); },
  'iframe at its load': function (k) { tried.push(k); window.atLoad = function () { see(last(), k); }; div().innerHTML = '<iframe onload="atLoad()"></iframe>'; },
  'custom element beside an iframe': function (k) {
    customElements.define('x-beside', class extends HTMLElement { connectedCallback() { see(window[window.length - 1], k); } });
    div().innerHTML = '<iframe></iframe><x-beside></x-beside>';
  },
  'iframe navigated to about:blank again': function (k) { var f = frame(function (f) { f.src = 'about:blank'; }); setTimeout(function () { f.src = 'about:blank?2'; often(k); }, 300); },
  'iframe to a page, before it is loaded': function (k) { div().innerHTML = '<iframe src="/plain.html"></iframe>'; see(last(), k); },
  'iframe to a page, meanwhile': function (k) { frame(function (f) { f.src = '/plain.html?1'; }); often(k); },
  'iframe to a page, twice': function (k) { var f = frame(function (f) { f.src = '/plain.html?2'; }); often(k); setTimeout(function () { f.src = '/plain.html?3'; }, 600); },
  'iframe to a page, by its real location': function (k) { frame(function () {}); var w = last(); often(k); w['loca' + 'tion'] = location.origin === 'x' ? '' : K.base + '/plain.html?4'; },
  'iframe to plain text': function (k) { frame(function (f) { f.src = '/plain.txt'; }); often(k); },
  'iframe to an image': function (k) { frame(function (f) { f.src = '/i.svg'; }); often(k); },
  'iframe to XML': function (k) { frame(function (f) { f.src = '/x.xml'; }); often(k); },
  'iframe to XML with XSLT': function (k) { tried.push(k); frame(function (f) { f.src = '/xslt.xml'; }); often(k + ', seen'); },
  'iframe to XHTML': function (k) { tried.push(k); frame(function (f) { f.src = '/x.xhtml'; }); often(k + ', seen'); },
  'iframe to SVG with script': function (k) { tried.push(k); frame(function (f) { f.src = '/s.svg'; }); often(k + ', seen'); },
  'iframe to PDF': function (k) { frame(function (f) { f.src = '/p.pdf'; }); often(k); },
  'iframe to JSON': function (k) { frame(function (f) { f.src = '/j.json'; }); often(k); },
  'iframe to the raw bytes': function (k) { tried.push(k); frame(function () {}); last()['loca' + 'tion'] = K.base.replace('mp_', 'id_').replace('if_', 'id_') + '/raw.html'; often(k + ', seen'); },
  'iframe to what is missing': function (k) { frame(function (f) { f.src = '/nothing.html'; }); often(k); },
  'iframe to robots.txt of the host': function (k) { frame(function () {}); last()['loca' + 'tion'] = '/robots.txt'; often(k); },
  'iframe to the start page of the host': function (k) { frame(function () {}); last()['loca' + 'tion'] = '/'; often(k); },
  'iframe to a file of ours': function (k) { frame(function () {}); last()['loca' + 'tion'] = '/_varve/shim.js'; often(k); },
  'iframe to a bad request': function (k) { frame(function () {}); last()['loca' + 'tion'] = '/%zz'; often(k); },
  'iframe to a very long address': function (k) { frame(function () {}); last()['loca' + 'tion'] = '/' + 'x'.repeat(90000); often(k); },
  'iframe to a ticket': function (k) { frame(function () {}); last()['loca' + 'tion'] = '/_ticket?t=x&to=/'; often(k); },
  'iframe to a secret': function (k) { frame(function () {}); last()['loca' + 'tion'] = K.secrets[0]; var n = window.length - 1; tried.push(k); setTimeout(function () { try { if (/TOPSECRET/.test(window[n].document.documentElement.outerHTML)) here(k)('read'); } catch (e) { /* not to be reached */ } }, 1500); },
  'srcdoc': function (k) { frame(function (f) { f.srcdoc = page(k); }); often(k + ', seen'); },
  'srcdoc by setAttribute': function (k) { frame(function (f) { f.setAttribute('srcdoc', page(k)); }); often(k + ', seen'); },
  'srcdoc by setAttributeNS': function (k) { frame(function (f) { f.setAttributeNS(null, 'SRCDOC'.toLowerCase(), page(k)); }); },
  'srcdoc by setAttributeNode': function (k) { var a = document.createAttribute('srcdoc'); a.value = page(k); frame(function (f) { f.setAttributeNode(a); }); },
  'srcdoc by an attribute\'s value': function (k) { var f = frame(function (f) { f.setAttribute('srcdoc', ''); }); f.attributes.srcdoc.value = page(k); },
  'srcdoc by an attribute\'s nodeValue': function (k) { var f = frame(function (f) { f.setAttribute('srcdoc', ''); }); f.attributes.srcdoc.nodeValue = page(k); },
  'srcdoc by an attribute\'s textContent': function (k) { var f = frame(function (f) { f.setAttribute('srcdoc', ''); }); f.attributes.srcdoc.textContent = page(k); },
  'srcdoc by setNamedItem': function (k) { var a = document.createAttribute('srcdoc'); a.value = page(k); frame(function (f) { f.attributes.setNamedItem(a); }); },
  'srcdoc in innerHTML': function (k) { div().innerHTML = '<iframe srcdoc="' + page(k).replace(/&/g, '&amp;').replace(/"/g, '&quot;') + '"></iframe>'; },
  'srcdoc in srcdoc': function (k) { frame(function (f) { f.srcdoc = '<iframe srcdoc="' + page(k).replace(/&/g, '&amp;').replace(/"/g, '&quot;') + '"></iframe>'; }); },
  'srcdoc, sandboxed': function (k) { frame(function (f) { f.setAttribute('sandbox', 'allow-scripts'); f.srcdoc = page(k); }); },
  'blob: frame': function (k) { frame(function (f) { f.src = URL.createObjectURL(new Blob([page(k)], { type: 'text/html' })); }); often(k + ', seen'); },
  'blob: frame by real location': function (k) { frame(function () {}); last()['loca' + 'tion'] = URL.createObjectURL(new Blob([page(k)], { type: 'text/html' })); often(k + ', seen'); },
  'blob: frame of SVG': function (k) { frame(function (f) { f.src = URL.createObjectURL(new Blob(['<svg xmlns="http://www.w3.org/2000/svg"><script>' + text(k).replace(/&/g, '&amp;').replace(/</g, '&lt;') + '</scr' + 'ipt></svg>'], { type: 'image/svg+xml' })); }); },
  'data: frame': function (k) { frame(function (f) { f.src = 'data:text/html,' + encodeURIComponent(page(k)); }); },
  'data: frame by real location': function (k) { frame(function () {}); last()['loca' + 'tion'] = 'data:text/html,' + encodeURIComponent(page(k)); },
  'data: frame by an attribute\'s value': function (k) { var f = frame(function (f) { f.setAttribute('src', 'about:blank'); }); f.attributes.src.value = 'data:text/html,' + encodeURIComponent(page(k)); },
  'data: object': function (k) { var o = document.createElement('object'); o.data = 'data:text/html,' + encodeURIComponent(page(k)); document.body.append(o); },
  'data: embed': function (k) { var o = document.createElement('embed'); o.src = 'data:text/html,' + encodeURIComponent(page(k)); document.body.append(o); },
  'javascript: frame': function (k) { frame(function (f) { f.src = 'javascript:' + encodeURIComponent(text(k)); }); },
  'javascript: frame with a document': function (k) { window.jsDoc = page(k); frame(function (f) { f.src = 'javascript:parent.jsDoc'; }); often(k + ', seen'); },
  'javascript: frame by real location': function (k) { window.jsDoc2 = page(k); frame(function () {}); last()['loca' + 'tion'] = 'javascript:parent.jsDoc2'; often(k + ', seen'); },
  'javascript: frame by real location, in spelling': function (k) { window.jsDoc5 = page(k); frame(function () {}); last()['loca' + 'tion'] = ' java\nscript:parent.jsDoc5'; often(k + ', seen'); },
  'javascript: frame by real location.replace': function (k) { window.jsDoc6 = page(k); frame(function () {}); last()['loca' + 'tion'].replace('javascript:parent.jsDoc6'); often(k + ', seen'); },
  'javascript: frame by an attribute\'s value': function (k) { window.jsDoc7 = page(k); var f = frame(function (f) { f.setAttribute('src', 'about:blank'); }); f.attributes.src.value = 'javascript:parent.jsDoc7'; often(k + ', seen'); },
  'javascript: link into a frame': function (k) { window.jsDoc8 = page(k); frame(function (f) { f.name = 'jslink'; }); var a = document.createElement('a'), h = document.createAttribute('href'); h.value = 'javascript:parent.jsDoc8'; a.setAttributeNode(h); a.target = 'jslink'; document.body.append(a); a.click(); often(k + ', seen'); },
  'javascript: by window.open into a frame': function (k) { window.jsDoc9 = page(k); frame(function (f) { f.name = 'jsopen'; }); window['op' + 'en']('javascript:parent.jsDoc9', 'jsopen'); often(k + ', seen'); },
  'javascript: by a button into a frame': function (k) { window.jsDoc10 = page(k); frame(function (f) { f.name = 'jsbutton'; }); var d = div(); d.innerHTML = '<form target=jsbutton><button formaction="javascript:parent.jsDoc10"></button></form>'; d.querySelector('button').click(); often(k + ', seen'); },
  'javascript: by SVG into a frame': function (k) { window.jsDoc11 = page(k); frame(function (f) { f.name = 'jssvg'; }); var d = div(); d.innerHTML = '<svg><a xlink:href="javascript:parent.jsDoc11" target=jssvg><text>x</text></a></svg>'; d.querySelector('text').dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true })); often(k + ', seen'); },
  'javascript: frame by setAttributeNode': function (k) { window.jsDoc3 = page(k); var a = document.createAttribute('src'); a.value = 'javascript:parent.jsDoc3'; frame(function (f) { f.setAttributeNode(a); }); },
  'javascript: form target': function (k) { window.jsDoc4 = page(k); frame(function (f) { f.name = 'jsform'; }); var f = document.createElement('form'); f.target = 'jsform'; f.setAttribute('action', 'javascript:parent.jsDoc4'); document.body.append(f); f.submit(); },
  'object to a page': function (k) { var o = document.createElement('object'); o.data = '/plain.html?5'; document.body.append(o); often(k); },
  'object, empty': function (k) { var o = document.createElement('object'); o.type = 'text/html'; o.data = 'about:blank'; document.body.append(o); see(last(), k); often(k + ', later'); },
  'embed to a page': function (k) { var o = document.createElement('embed'); o.src = '/plain.html?6'; document.body.append(o); often(k); },
  'object to SVG': function (k) { tried.push(k); var o = document.createElement('object'); o.data = '/s.svg'; document.body.append(o); setTimeout(function () { try { see(o.contentDocument.defaultView, k + ', seen'); } catch (e) { tried.push(k + ', seen'); } }, 1200); },
  'frame in a frameset': function (k) { var w = frame(function () {}).contentWindow; w.document.write('<frameset><frame></frameset>'); w.document.close(); see(w[0], k); },
  'fencedframe and portal': function (k) { tried.push(k); ['fencedframe', 'portal'].forEach(function (n) { var e = document.createElement(n); e.setAttribute('src', '/plain.html?7'); e.src = '/plain.html?7'; document.body.append(e); try { e.config = new FencedFrameConfig(K.live + '/fenced'); } catch (x) { /* not known */ } }); },
  'window.open': function (k) { var w = null; try { w = window['op' + 'en']('about:blank'); } catch (e) { /* refused */ } see(w, k); },
  'window.open of a frame': function (k) { frame(function () {}); var w = last(), o = null; try { o = w['op' + 'en']('about:blank'); } catch (e) { /* refused */ } see(o, k); },
  'worker of a blob': function (k) { var w = new Worker(URL.createObjectURL(new Blob([text(k, 'self.postMessage(did)')]))); w.onmessage = function (e) { here(k)(e.data); }; },
  'worker of data:': function (k) { var w = new Worker('data:text/javascript,' + encodeURIComponent(text(k, 'self.postMessage(did)'))); w.onmessage = function (e) { here(k)(e.data); }; },
  'worker, module of a blob': function (k) { var w = new Worker(URL.createObjectURL(new Blob([text(k, 'self.postMessage(did)')], { type: 'text/javascript' })), { type: 'module' }); w.onmessage = function (e) { here(k)(e.data); }; },
  'worker by the constructor behind ours': function (k) { var W = Object.getPrototypeOf(Worker), w = new (typeof W === 'function' && W !== Function.prototype && W.name ? W : Worker)(URL.createObjectURL(new Blob([text(k, 'self.postMessage(did)')]))); w.onmessage = function (e) { here(k)(e.data); }; },
  'worker in a worker': function (k) { var w = new Worker(URL.createObjectURL(new Blob(['var w = new Worker(URL.createObjectURL(new Blob([' + JSON.stringify(text(k, 'self.postMessage(did)')) + ']))); w.onmessage = function (e) { self.postMessage(e.data); }']))); w.onmessage = function (e) { here(k)(e.data); }; },
  'worker of the archive': function (k) { tried.push(k); var w = new Worker('/worker.js'); w.onmessage = function (e) { here(k)(e.data); }; w.postMessage(K); },
  'shared worker of a blob': function (k) { var w = new SharedWorker(URL.createObjectURL(new Blob(['onconnect = function (e) { var port = e.ports[0]; ' + text(k, 'port.postMessage(did)') + ' }']))); w.port.onmessage = function (e) { here(k)(e.data); }; },
  'service worker': function (k) { tried.push(k); navigator.serviceWorker.register('/worker.js').catch(function () {}); },
  'service worker by the real function': function (k) { tried.push(k); var w = frame(function () {}).contentWindow; w.navigator.serviceWorker.register('/worker.js').catch(function () {}); },
  'paint worklet': function (k) { tried.push(k); CSS.paintWorklet.addModule(K.live + '/worklet.js').catch(function () {}); },
  'audio worklet': function (k) { tried.push(k); new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule(URL.createObjectURL(new Blob(['try { fetch(' + JSON.stringify(K.live + '/audio') + ') } catch (e) {}; import(' + JSON.stringify(K.live + '/audio.js') + ')'], { type: 'text/javascript' }))).catch(function () {}); },
  'import of a blob': function (k) { import(URL.createObjectURL(new Blob([text(k, 'window.got.push(' + JSON.stringify(k + ': ') + ' + did)')], { type: 'text/javascript' }))).catch(function () {}); },
  'import of data:': function (k) { import('data:text/javascript,' + encodeURIComponent(text(k, 'window.got.push(' + JSON.stringify(k + ': ') + ' + did)'))).catch(function () {}); },
  'import map': function (k) { tried.push(k); var s = document.createElement('script'); s.type = 'importmap'; s.textContent = JSON.stringify({ imports: { away: K.live + '/mapped.js' } }); document.head.append(s); (0, eval)('import("away").catch(function () {})'); },
  'import by eval': function (k) { tried.push(k); (0, eval)('import(' + JSON.stringify(K.live + '/evaluated.js') + ').catch(function () {})'); },
  'link relations': function (k) {
    tried.push(k);
    ['prefetch', 'preload', 'prerender', 'preconnect', 'dns-prefetch', 'modulepreload', 'stylesheet', 'icon', 'manifest', 'expect', 'compression-dictionary', 'monetization', 'next', 'import'].forEach(function (r) {
      ['set', 'attr', 'list', 'node', 'html'].forEach(function (way) {
        var l = document.createElement('link'), to = K.live + '/link/' + way + '/' + r;
        if (way === 'set') { l.rel = r; l.as = 'script'; l.href = to; }
        if (way === 'attr') { l.setAttribute('href', to); l.setAttribute('rel', r); }
        if (way === 'list') { l.relList.add(r); l.href = to; }
        if (way === 'node') { var a = document.createAttribute('href'), b = document.createAttribute('rel'); a.value = to; b.value = r; l.setAttributeNode(a); l.setAttributeNode(b); }
        if (way === 'html') { document.head.insertAdjacentHTML('beforeend', '<link rel=' + r + ' href=' + to + '>'); return; }
        document.head.append(l);
      });
    });
  },
  'link changed in the document': function (k) { tried.push(k); var l = document.createElement('link'); l.rel = 'x'; l.href = '/x'; document.head.append(l); l.attributes.href.value = K.live + '/link/changed'; l.relList.add('preconnect'); l.attributes.rel.value = 'preconnect'; },
  'speculation rules': function (k) {
    tried.push(k);
    ['prefetch', 'prerender'].forEach(function (what) {
      var rules = {}; rules[what] = [{ source: 'list', urls: [K.live + '/speculation/' + what], eagerness: 'immediate' }];
      var s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify(rules); document.head.append(s);
      var t = document.createElement('script'), a = document.createAttribute('type'); a.value = 'speculationrules'; t.setAttributeNode(a); t.text = JSON.stringify(rules); document.head.append(t);
    });
  },
  'form into a frame': function (k) { tried.push(k); frame(function (f) { f.name = 'sink'; }); var f = document.createElement('form'), a = document.createAttribute('action'); f.method = 'POST'; f.target = 'sink'; a.value = K.live + '/form'; f.setAttributeNode(a); document.body.append(f); f.submit(); },
  'ping of a link': function (k) { tried.push(k); var a = document.createElement('a'), p = document.createAttribute('ping'); p.value = K.live + '/ping'; a.setAttributeNode(p); a.ping = K.live + '/ping2'; a.href = '#x'; document.body.append(a); a.click(); },
  'download': function (k) { tried.push(k); var a = document.createElement('a'), h = document.createAttribute('href'); h.value = K.live + '/download'; a.setAttributeNode(h); a.download = 'x'; document.body.append(a); a.click(); },
  'meta elements': function (k) {
    tried.push(k);
    [['Content-Security-Policy', "img-src 'none'; report-uri " + K.live + '/report'], ['x-dns-prefetch-control', 'on'], ['Link', '<' + K.live + '/meta>; rel=preconnect']].forEach(function (m) {
      var e = document.createElement('meta'); e.httpEquiv = m[0]; e.content = m[1]; document.head.append(e);
    });
    new Image().src = '/blocked.png';
  },
  'reports': function (k) { tried.push(k); try { new ReportingObserver(function () {}).observe(); fetch('/headers.html'); } catch (e) { /* not known */ } }
};

// races are frames that load a second document, one after the other, each looked at until it is there.
var races = {
  'race: iframe to a page': [null, function (f) { f.src = '/plain.html?r1'; }],
  'race: iframe to a second page': [function (f) { f.src = '/plain.html?r2'; }, function (f) { f.src = '/plain.html?r3'; }],
  'race: iframe to a second page, by real location': [function (f) { f.src = '/plain.html?r4'; }, function (f, w) { w['loca' + 'tion'] = K.base + '/plain.html?r5'; }],
  'race: iframe loaded again': [function (f) { f.src = '/plain.html?r6'; }, function (f, w) { w['loca' + 'tion'].reload(); }],
  'race: iframe to about:blank': [function (f) { f.src = '/plain.html?r7'; }, function (f, w) { w['loca' + 'tion'] = 'about:blank'; }],
  'race: iframe to about:blank, twice': [function (f) { f.src = 'about:blank'; }, function (f) { f.src = 'about:blank?2'; }],
  'race: iframe to a page by way of a text': [function (f) { f.src = '/plain.txt?r8'; }, function (f, w) { w['loca' + 'tion'] = K.base + '/plain.html?r9'; }],
  'race: srcdoc': [null, function (f) { f.srcdoc = '<p>1'; }],
  'race: srcdoc, twice': [function (f) { f.srcdoc = '<p>1'; }, function (f) { f.srcdoc = '<p>2'; }],
  'race: iframe back in its history': [function (f) { f.src = '/plain.html?r10'; }, function (f, w) { var once = f.onload; f.onload = function () { f.onload = once; w.history.back(); }; f.src = '/plain.html?r11'; }],
  'race: object to a second page': [function (o) { o.data = '/plain.html?r12'; }, function (f, w) { w['loca' + 'tion'] = K.base + '/plain.html?r13'; }, 'object']
};
function runRaces(names) {
  if (!names.length) { window.done = true; setTimeout(function () { pending.forEach(function (use) { use(); }); }, 1000); return; }
  var k = names.shift(), r = races[k], f = document.createElement(r[2] || 'iframe'), n = window.length, over = false;
  function next() { if (!over) { over = true; setTimeout(runRaces, 100, names); } }
  function second() {
    f.onload = function () { setTimeout(next, 300); };
    often(k);
    try { r[1](f, window[n]); } catch (e) { next(); }
    setTimeout(next, 3000);
  }
  if (r[0]) { f.onload = second; r[0](f); }
  document.body.append(f);
  if (!r[0]) second();
  setTimeout(next, 8000);
}

// run tries the kinds of a batch: K.batch of K.batches.
function run() {
  Object.keys(kinds).forEach(function (k, i) {
    if (i % K.batches !== K.batch || K.skip && K.skip.indexOf(k) >= 0) return;
    try { kinds[k](k); } catch (e) { tried.push(k); }
  });
  setTimeout(function () { window.done = true; }, 2500);
}
if (K.races) self.pending = [];
if (K.races) addEventListener('load', function () { runRaces(Object.keys(races)); });
else if (!K.parts) { if (document.readyState === 'complete') run(); else addEventListener('load', run); }
