// The client shim of Varve's replay. See doc.go for what it stands in for.
(function () {
  'use strict';

  var started = typeof document !== 'undefined' ? document.currentScript : null;
  var given = started && started.dataset.varve ? JSON.parse(started.dataset.varve) : self.varve$settings;
  if (!given) return;
  if (started) started.remove();
  if (self.varve$self) { // given from outside while the frame was empty; the window stays when its first document comes
    if (self.varve$settle && started) self.varve$settle(given, function (to, args) { return self.varve$post_.apply(to, args); });
    return;
  }
  install(self, given);

  // install puts the shim into a window or worker W for the settings S. Everything is taken from W, so that frames
  // without a document of their own (about:blank) can be given the shim from outside.
  function install(W, S) {
    var D = W.document, O = W.Object, R = W.Reflect;
    var realTimeout = W.setTimeout;
    var natives = W.WeakMap ? new W.WeakMap() : null;
    var real = W.location; // the real one; scripts of the page see ours
    // A frame without an address of its own (srcdoc) has the origin of the page around it, though its location says "null".
    var host = [real.origin, self.location.origin, W.origin].filter(function (o) { return o && o !== 'null'; })[0] || new W.URL(W.document.baseURI).origin;
    var frame = W.top !== W ? W.top : null; // the frame page, if we are in it
    var isMain = S.mod === 'mp_' || !D || W.parent === W;

    function hide(o, name, value) { O.defineProperty(o, name, { value: value, enumerable: false, configurable: true, writable: true }); }
    function accessor(o, name, get, set) {
      var d = own(o, name);
      [[get, d && d.get, 'get '], [set, d && d.set, 'set ']].forEach(function (f) {
        if (!f[0]) return;
        native(f[0], f[1] ? f[2] + name : '');
        try { O.defineProperty(f[0], 'name', { value: f[2] + name, configurable: true }); } catch (e) { /* only looks */ }
      });
      try { O.defineProperty(o, name, { get: get, set: set, enumerable: !!d && d.enumerable, configurable: true }); } catch (e) { /* cannot be changed in this browser */ }
    }
    function proto(name) { return typeof W[name] === 'function' ? W[name].prototype : null; }
    var describe = O.getOwnPropertyDescriptor;
    function own(o, name) { return o && describe(o, name); }
    // swap replaces the method of an object by make(old).
    function swap(o, name, make) {
      if (o === W && !D) while (o && !own(o, name)) o = O.getPrototypeOf(o); // what a worker has is its prototype's
      var d = own(o, name);
      if (d && typeof d.value === 'function') { try { hide(o, name, named(make(d.value), d.value)); } catch (e) { /* frozen */ } }
    }
    function named(f, like) {
      try { O.defineProperty(f, 'name', { value: like.name, configurable: true }); O.defineProperty(f, 'length', { value: like.length, configurable: true }); } catch (e) { /* only looks */ }
      native(f, like.name);
      return f;
    }
    // native has a function of ours look like one of the browser.
    function native(f, name) { if (natives && f) natives.set(f, 'function ' + name + '() { [native code] }'); }

    // ---- addresses

    var inArchive = /^\/[^\/]+\/\d{0,17}(?:[a-z]{2,3}_)?\/((?:https?|wss?|ftp):\/\/[^]*)$/;

    // original gives what an address in the archive stands for; anything else comes back as it is.
    function original(u) {
      if (typeof u !== 'string' || u === '') return u;
      var path = u.indexOf(host + '/') === 0 ? u.slice(host.length) : u;
      var m = path[0] === '/' && inArchive.exec(path);
      return m ? m[1].replace(/#varve=.*$/, '') : u;
    }
    function pageURL() { var u = original(real.href); return u === real.href ? S.base || S.url : u; }
    // shown is the address that a document says it has: that of a made-up one is its own.
    function shown() { return /^about:/.test(S.url) && original(real.href) === real.href ? S.url : pageURL(); }
    var baseURI = D && own(W.Node.prototype, 'baseURI').get;
    function base() {
      if (!D) return pageURL();
      var b = baseURI.call(D), u = original(b);
      return u === b ? pageURL() : u;
    }
    var leadsNowhere = /^\s*(?:#|data:|blob:|about:|mailto:|tel:|sms:|urn:|[a-z-]+-extension:|chrome:|intent:|$)/i;

    // archived gives the address in the archive of a reference.
    function archived(u, mod) {
      if (u === null || u === undefined) return u;
      var s = String(u);
      if (leadsNowhere.test(s) || s.indexOf(S.prefix) === 0 && original(s) !== s) return s;
      if (/^\s*javascript:/i.test(s)) return s.replace(/^(\s*javascript:)([^]*)$/i, function (_, a, b) { return a + code(b); });
      var abs;
      try { abs = new W.URL(s, base()).href; } catch (e) { return s; }
      if (abs.indexOf(host + '/') === 0) {
        if (original(abs) !== abs || abs.indexOf(S.own) === host.length) return abs;
        abs = new W.URL(abs.slice(host.length), pageURL()).href;
      }
      if (!/^(?:https?|wss?|ftp):/.test(abs)) return s;
      return host + S.prefix + S.time + mod + '/' + abs;
    }
    function origin() { try { return new W.URL(pageURL()).origin; } catch (e) { return host; } }

    // scriptOf gives the code of a javascript: address, null if it is none. The browser runs no such address here (see
    // the policy of content): what it makes up would be a document without the shim.
    function scriptOf(u) {
      var s = String(u).replace(/^[\x00-\x20]+|[\t\n\r]/g, '');
      if (!/^javascript:/i.test(s)) return null;
      s = s.slice(11);
      try { return decodeURIComponent(s); } catch (e) { return s; }
    }
    // runIn runs the code of a javascript: address in a window of the page, after what happens now.
    function runIn(win, c) { realTimeout.call(W, function () { if (win.varve$url) win.varve$url(code(c)); }, 0); }

    // ---- code and styles that come as text

    // code rewrites a script by its words; what stands in quotation marks stays.
    function code(s) {
      if (typeof s !== 'string' || s.indexOf('location') < 0 && s.indexOf('top') < 0) return s;
      var kept_ = [];
      s = s.replace(/"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'/g, function (all) { return /location|top/.test(all) && !/^.(?:location|top).$/.test(all) ? '"varve$' + (kept_.push(all) - 1) + '"' : all; });
      s = words(s);
      return kept_.length ? s.replace(/"varve\$(\d+)"/g, function (all, n) { return n < kept_.length ? kept_[n] : all; }) : s;
    }
    function words(s) {
      s = s.replace(/\{([^{}]*)\}(?=\s*=\s*(?:window|self|globalThis|document|parent|this)\b)/g, function (all, inside) {
        return /\.\.\./.test(inside) ? all : '{' + inside.replace(/(^|,)(\s*)(location|top)(\s*)(:)?/g, function (_, a, b, k, c, colon) { return a + b + 'varve$' + k + c + (colon || ':varve$' + k); }) + '}';
      });
      return s.replace(/\.location\b(?=\s*(?:[.=;,)\]}\[?!<>&|+]|$))/g, '.varve$location')
        .replace(/(^|[^\w$.'"`\/\\-])location\b(?=\s*(?:[.=;,)\]}\[?!<>&|+]|$))/g, '$1varve$location')
        .replace(/\b(window|self|parent|globalThis)\.top\b/g, '$1.varve$top')
        .replace(/(^|[^\w$.'"`\/\\-])top\b(?=\.varve\$location|\s*[!=]==?)/g, '$1varve$top');
    }
    // uncode gives back what code and the rewriter of scripts were given, as far as that is known.
    function uncode(s) {
      if (typeof s !== 'string' || s.indexOf('varve$') < 0) return s;
      return s.replace(/\bvarve\$(location|top):varve\$\1\b/g, '$1').replace(/\b(location|top):varve\$\1\b/g, '$1').replace(/\bvarve\$post\(varve\$self,/g, 'postMessage(')
        .replace(/\bvarve\$(?:key|member)\(\(([^()]*)\)\)/g, '$1').replace(/\bvarve\$(?:code|import)\(([^()]*)\)/g, '$1').replace(/\bvarve\$meta\(import\.meta\)/g, 'import.meta')
        .replace(/\bvarve\$(location|top|eval)\b/g, '$1');
    }
    // marked is the address in the archive of a reference in a style, with what the page wrote in its fragment: browsers send none.
    function marked(u, mod) {
      var a = archived(u, mod);
      return a === u || a.indexOf('#') >= 0 || u.length > 512 ? a : a + '#varve=' + W.encodeURIComponent(u).replace(/['()*!]/g, function (c) { return '%' + c.charCodeAt(0).toString(16); });
    }
    function css(s) {
      if (typeof s !== 'string' || s.indexOf('attr(varve-') >= 0 || !/url\(|@import|\[|attr\(/i.test(s)) return s;
      s = selector(s, true).replace(/([;{]\s*)(content)\s*:([^;{}]*?\battr\(\s*(?:href|src|action|data|cite)\s*\)[^;{}]*)/gi, function (all, lead, name, v) { // said once more, as the page wrote it
        return /url\(|attr\(varve-/i.test(v) ? all : all + ';' + name + ':' + v.trim().replace(/\battr\(\s*(href|src|action|data|cite)\s*\)/gi, 'attr(varve-$1, attr($1))');
      });
      return s.replace(/(@import\s+)(["'])(.*?)\2/gi, function (_, at, q, u) { return at + q + marked(u, 'cs_') + q; })
        .replace(/(@import\s+)?(url\(\s*)(["']?)(.*?)\3(\s*\))/gi, function (_, at, open, q, u, close) { return (at || '') + open + q + marked(u, at ? 'cs_' : 'im_') + q + close; });
    }
    // selector has selectors go by what the page wrote, which is kept beside what stands in its place. As specific as they were: where() counts nothing.
    function selector(s, sheet) {
      if (typeof s !== 'string' || s.indexOf('[') < 0) return s;
      s = s.replace(/\[\s*(href|src|srcset|action|formaction|poster|data|target|cite|background|rel|http-equiv|integrity|crossorigin|on[a-z]+)\s*([~|^$*]?=\s*(?:"[^"\\\n]*"|'[^'\\\n]*'|[-\w.\/:\\]+)\s*(?:\s[is]\s*)?)\]/gi, function (all, attr, test) {
        return ':is([varve-' + attr + test + '],[' + attr + test + ']:where(:not([varve-' + attr + '])))';
      });
      return sheet ? s : s.replace(/\[\s*(integrity|crossorigin|http-equiv|rel)\s*\]/gi, ':is([$1],[varve-$1])').replace(/\[\s*nonce\s*\]/gi, '[nonce]:not([nonce="' + S.nonce + '"],[nonce=""])');
    }
    function srcset(s) {
      return String(s).replace(/(^|,\s+|,(?=https?:|\/))\s*([^\s,][^\s]*)/g, function (_, lead, u) {
        var comma = /,+$/.exec(u); comma = comma ? comma[0] : '';
        return lead + archived(comma ? u.slice(0, -comma.length) : u, 'im_').replace(/,/g, '%2C') + comma;
      });
    }

    // ---- where am I: location, top

    function isWindow(o) { return o === W || o && typeof o === 'object' && O.prototype.toString.call(o) === '[object Window]'; }
    function isDocument(o) { return D && o && typeof o === 'object' && (o === D || /Document\]$/.test(O.prototype.toString.call(o))) && 'defaultView' in o; }

    function makeLocation(win) {
      var theirs = win.location, loc = O.create(W.Location ? W.Location.prototype : O.prototype);
      function now() { var u = original(theirs.href); return u === theirs.href && win === W ? S.url : u; }
      function url() { try { return new W.URL(now()); } catch (e) { return new W.URL('about:blank'); } }
      function go(u, how) { var c = scriptOf(u); if (c !== null) return runIn(win, c); var to = archived(u, win === W ? (isMain ? 'mp_' : S.mod) : 'if_'); how ? theirs[how](to) : theirs.href = to; }
      // As live, all of it is the location's own and can be listed.
      function part(k, get, set) { O.defineProperty(loc, k, { get: get, set: set, enumerable: true, configurable: true }); }
      function does(k, n, f) {
        O.defineProperty(f, 'name', { value: k, configurable: true }); O.defineProperty(f, 'length', { value: n, configurable: true }); native(f, k);
        O.defineProperty(loc, k, { value: f, enumerable: true, configurable: true, writable: true });
      }
      part('ancestorOrigins', function () { return { length: 0, item: function () { return null; }, contains: function () { return false; } }; });
      part('href', now, function (v) { go(v); });
      part('origin', function () { return url().origin; });
      ['protocol', 'host', 'hostname', 'port', 'pathname', 'search'].forEach(function (k) {
        part(k, function () { return url()[k]; }, function (v) { var u = url(); u[k] = v; go(u.href); });
      });
      part('hash', function () { return theirs.hash; }, function (v) { theirs.hash = v; });
      does('assign', 1, function (u) { go(u, 'assign'); });
      does('reload', 0, function () { theirs.reload(); });
      does('replace', 1, function (u) { go(u, 'replace'); });
      does('toString', 0, now);
      hide(loc, 'valueOf', function () { return loc; });
      return loc;
    }
    var ours = D ? makeLocation(W) : workerLocation();
    function workerLocation() {
      var loc = {};
      ['href', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash', 'origin'].forEach(function (k) {
        accessor(loc, k, function () { return new W.URL(pageURL())[k]; });
      });
      loc.toString = pageURL;
      return loc;
    }
    hide(W, 'varve$self', W);
    hide(W, 'varve$ours', ours);
    hide(W, 'varve$main', isMain);
    function locationOf(win) { try { return win.varve$ours || makeLocation(win); } catch (e) { return ours; } }
    function topOf(win) {
      try { for (var w = win, n = 0; n < 64; n++) { if (w.varve$main || w === w.top) return w; w = w.parent; } } catch (e) { /* a window we may not see */ }
      return W;
    }
    // names defines what rewritten scripts call things by, for all objects of a realm.
    function names(o) {
      accessor(o, 'varve$location', function () {
        if (this === W || this === undefined) return ours;
        if (isWindow(this)) return locationOf(this);
        if (isDocument(this)) return this.defaultView ? locationOf(this.defaultView) : null;
        return this.location;
      }, function (v) {
        if (isWindow(this)) locationOf(this).href = v;
        else if (isDocument(this)) { if (this.defaultView) locationOf(this.defaultView).href = v; }
        else this.location = v;
      });
      accessor(o, 'varve$top', function () { return isWindow(this) ? topOf(this) : this.top; }, function (v) { if (!isWindow(this)) this.top = v; });
      hide(o, 'varve$post', sendTo);
    }
    names(O.prototype);
    // What handlers of attributes and 'with' see: a name of ours counts for an object that has what it stands for.
    var scoped = W.Symbol && W.Symbol.unscopables, NAMES = { varve$location: 'location', varve$top: 'top', varve$post: 'postMessage' };
    if (scoped) {
      var hides = function (o, list) {
        var out = list || O.create(null);
        for (var k in NAMES) out[k] = !(NAMES[k] in o);
        return out;
      };
      O.defineProperty(O.prototype, scoped, { get: function () { return hides(this); }, set: function (v) { O.defineProperty(this, scoped, { value: v, configurable: true, writable: true, enumerable: true }); }, enumerable: false, configurable: true });
      ['Array', 'Element', 'Document', 'DocumentFragment', 'CharacterData', 'DocumentType'].forEach(function (n) {
        var p = proto(n), list = p && own(p, scoped);
        if (list && list.value) for (var k in NAMES) list.value[k] = !(NAMES[k] in p) && n !== 'Document';
      });
    }
    var realEval = W.eval; // called by another name it has no scope of its caller
    hide(W, 'varve$eval', named(function (c) { return realEval(code(c)); }, realEval));
    // A name put together while a script runs may be one of those that stand for others.
    hide(W, 'varve$key', function (k) { return k === 'location' ? 'varve$location' : k === 'top' ? 'varve$top' : k === 'eval' ? 'varve$eval' : k; });
    hide(W, 'varve$member', function (k) { return k === 'location' ? 'varve$location' : k === 'top' ? 'varve$top' : k; });
    // What a module knows of itself says the addresses of then.
    hide(W, 'varve$meta', function (m) {
      if (m && typeof m.url === 'string' && original(m.url) !== m.url) {
        m.url = original(m.url);
        var resolve = m.resolve;
        if (typeof resolve === 'function') m.resolve = named(function (s) { return original(resolve.call(m, s)); }, resolve);
      }
      return m;
    });
    // The same by other ways: what is asked of a window or document is what stands in its place.
    function standsFor(o, k) { return (k === 'location' || k === 'top') && (isWindow(o) || k === 'location' && isDocument(o)); }
    swap(R, 'get', function (old) { return function (o, k) { return standsFor(o, k) ? o['varve$' + k] : old.apply(R, arguments); }; });
    swap(R, 'set', function (old) { return function (o, k, v) { if (!standsFor(o, k)) return old.apply(R, arguments); o['varve$' + k] = v; return true; }; });
    [O, R].forEach(function (from) {
      swap(from, 'getOwnPropertyDescriptor', function (old) {
        return function (o, k) {
          var d = old.apply(from, arguments);
          if (!d || !standsFor(o, k)) return d;
          if (d.get) d.get = named(function () { return this === undefined || this === null ? W['varve$' + k] : this['varve$' + k]; }, d.get);
          if (d.set) d.set = named(function (v) { (this || W)['varve$' + k] = v; }, d.set);
          if ('value' in d) d.value = o['varve$' + k];
          return d;
        };
      });
    });
    if (natives) {
      var sourceOf = W.Function.prototype.toString;
      swap(W.Function.prototype, 'toString', function () {
        var f = function () { return natives.get(this) || uncode(sourceOf.call(this)); };
        return f;
      });
    }
    if (W.Proxy) {
      // A trap sees the names that the page wrote.
      var RealProxy = W.Proxy, written_ = { varve$location: 'location', varve$top: 'top' };
      var traps = function (h) {
        if (!h || typeof h !== 'object') return h;
        var t = O.create(h);
        if (typeof h.get === 'function') t.get = function (o, k, r) { var as = written_.hasOwnProperty(k) ? written_[k] : k, v = h.get(o, as, r); return as !== k && v === real ? ours : v; };
        ['has', 'set', 'deleteProperty', 'defineProperty', 'getOwnPropertyDescriptor'].forEach(function (trap) {
          if (typeof h[trap] === 'function') t[trap] = function (o, k) { var args = Array.prototype.slice.call(arguments); if (written_.hasOwnProperty(k)) args[1] = written_[k]; return h[trap].apply(h, args); };
        });
        return t;
      };
      var Proxy_ = function (o, h) {
        if (!new.target) throw new W.TypeError("Constructor Proxy requires 'new'");
        return new RealProxy(o, traps(h));
      };
      Proxy_ = Proxy_.bind(null); // as live it has no prototype
      hide(Proxy_, 'revocable', function (o, h) { return RealProxy.revocable(o, traps(h)); });
      hide(W, 'Proxy', named(Proxy_, RealProxy));
    }
    hide(W, 'varve$code', function (c) { return code(c); });
    hide(W, 'varve$import', function (u) { return /^(?:\/|https?:)/.test(u) ? archived(u, 'js_') : u; });

    // ---- messages: sent by the window that calls, so that the receiver sees the right source

    var realPost = W.postMessage;
    hide(W, 'varve$post_', realPost);
    hide(W, 'varve$send', function (to, args) { return realPost.apply(to, args); });
    hide(W, 'varve$settle', function (settings, send) {
      O.assign(S, settings);
      hide(W, 'varve$send', send);
      D = W.document; // the first document took the place of the empty one, and the listeners went with that
      seed = S.seconds | 0;
      shift = S.seconds * 1000 - RealDate.now();
      attach();
    });
    function sendTo(from, message, target, transfer) {
      if (!D || !isWindow(this)) return this.postMessage.apply(this, Array.prototype.slice.call(arguments, 1));
      var wanted = target && typeof target === 'object' && !Array.isArray(target) ? target.targetOrigin : target;
      if (target && typeof target === 'object' && !Array.isArray(target)) transfer = target.transfer;
      if (typeof wanted === 'string' && wanted !== '*' && wanted !== '/') {
        try { if (new W.URL(wanted).origin !== locationOf(this).origin && this.varve$self) return; } catch (e) { return; }
      }
      return from.varve$send(this, transfer ? [message, '*', transfer] : [message, '*']);
    }
    if (D) {
      swap(W, 'postMessage', function (old) {
        return function (message, target, transfer) {
          var t = target && typeof target === 'object' ? O.assign({}, target, { targetOrigin: '*' }) : '*';
          return old.call(W, message, t, transfer);
        };
      });
      var eventOrigin = own(W.MessageEvent.prototype, 'origin');
      accessor(W.MessageEvent.prototype, 'origin', function () {
        var o = eventOrigin.get.call(this);
        if (o !== host) return o;
        try { if (this.source && isWindow(this.source)) return locationOf(this.source).origin; } catch (e) { /* gone */ }
        return origin();
      });
    }

    // ---- ask

    if (W.Request) {
      var RealRequest = W.Request;
      var Request = function (input, init) {
        if (init && init.integrity) init = O.assign({}, init, { integrity: '' });
        if (!(input instanceof RealRequest)) input = archived(input, 'mp_');
        return R.construct(RealRequest, init === undefined ? [input] : [input, init], new.target || Request);
      };
      Request.prototype = RealRequest.prototype;
      hide(Request.prototype, 'constructor', Request);
      hide(W, 'Request', named(Request, RealRequest));
      getter(RealRequest.prototype, 'url');
    }
    function getter(o, name) {
      var d = own(o, name);
      if (d && d.get) accessor(o, name, function () { return original(d.get.call(this)); }, d.set);
    }
    if (W.Response) getter(W.Response.prototype, 'url');
    swap(W, 'fetch', function (old) {
      return function (input, init) {
        if (init && init.integrity) init = O.assign({}, init, { integrity: '' });
        return old.call(W, input && typeof input === 'object' && input instanceof W.Request ? input : archived(input, 'mp_'), init);
      };
    });
    var realOpen = W.XMLHttpRequest && own(W.XMLHttpRequest.prototype, 'open').value;
    if (W.XMLHttpRequest) {
      swap(W.XMLHttpRequest.prototype, 'open', function (old) {
        return function (method, url) {
          var args = Array.prototype.slice.call(arguments);
          args[1] = archived(url, 'mp_');
          return old.apply(this, args);
        };
      });
      getter(W.XMLHttpRequest.prototype, 'responseURL');
    }
    // Scripts read the header fields that the server of then sent: ours are not theirs.
    var SHARED = /^content-(?:type|language|disposition|length|range)$/, ORIG = 'x-archive-orig-';
    if (W.Headers) {
      var HP = W.Headers.prototype, getField = HP.get, eachField = HP.forEach;
      var archivedFields = function (h) { return getField.call(h, 'memento-datetime') !== null; };
      var fieldOf = function (h, name) {
        var k = String(name).toLowerCase(), was = archivedFields(h) ? getField.call(h, ORIG + k) : null;
        return was !== null || archivedFields(h) && !SHARED.test(k) ? was : getField.call(h, name);
      };
      var fieldsOf = function (h) {
        var out = {};
        eachField.call(h, function (v, k) { if (!archivedFields(h)) out[k] = v; else if (k.indexOf(ORIG) === 0) out[k.slice(ORIG.length)] = v; else if (SHARED.test(k) && !(k in out)) out[k] = v; });
        return O.keys(out).sort().map(function (k) { return [k, out[k]]; });
      };
      swap(HP, 'get', function () { return function (name) { return fieldOf(this, name); }; });
      swap(HP, 'has', function (old) { return function (name) { return archivedFields(this) ? fieldOf(this, name) !== null : old.call(this, name); }; });
      swap(HP, 'forEach', function () { return function (f, self_) { var h = this; fieldsOf(h).forEach(function (p) { f.call(self_, p[1], p[0], h); }); }; });
      [['entries', null], ['keys', 0], ['values', 1]].forEach(function (p) {
        swap(HP, p[0], function () { return function () { return fieldsOf(this).map(function (e) { return p[1] === null ? e : e[p[1]]; })[W.Symbol.iterator](); }; });
      });
      hide(HP, W.Symbol.iterator, HP.entries);
    }
    if (W.XMLHttpRequest) {
      var XP = W.XMLHttpRequest.prototype, getLine = XP.getResponseHeader, allLines = XP.getAllResponseHeaders;
      swap(XP, 'getResponseHeader', function () {
        return function (name) {
          if (getLine.call(this, 'memento-datetime') === null) return getLine.call(this, name);
          var k = String(name).toLowerCase(), was = getLine.call(this, ORIG + k);
          return was !== null || !SHARED.test(k) ? was : getLine.call(this, name);
        };
      });
      swap(XP, 'getAllResponseHeaders', function () {
        return function () {
          var x = this, out = {}, text = allLines.call(x);
          if (getLine.call(x, 'memento-datetime') === null) return text;
          text.split('\r\n').forEach(function (line) { var k = line.split(':')[0].toLowerCase(); k = k.indexOf(ORIG) === 0 ? k.slice(ORIG.length) : k; if (k && x.getResponseHeader(k) !== null) out[k] = k + ': ' + x.getResponseHeader(k) + '\r\n'; });
          return O.keys(out).sort().map(function (k) { return out[k]; }).join('');
        };
      });
    }
    construct('EventSource', function (args) { args[0] = archived(args[0], 'mp_'); });
    construct('FontFace', function (args) { args[1] = css(args[1]); });
    construct('Audio', function (args) { if (args.length) args[0] = archived(args[0], 'oe_'); });
    construct('Worker', worker);
    construct('SharedWorker', worker);
    construct('BroadcastChannel', function (args) { args[0] = origin() + ' ' + args[0]; });
    // construct replaces a constructor by one that changes its arguments first.
    function construct(name, change) {
      var Old = W[name];
      if (typeof Old !== 'function') return;
      var New = function () {
        var args = Array.prototype.slice.call(arguments);
        change(args);
        return R.construct(Old, args, new.target && new.target !== New ? new.target : Old);
      };
      New.prototype = Old.prototype;
      O.setPrototypeOf(New, O.getPrototypeOf(Old)); // not Old itself: whoever asks for the prototype would have it
      O.getOwnPropertyNames(Old).forEach(function (k) { if (!(k in New)) try { O.defineProperty(New, k, own(Old, k)); } catch (e) { /* fixed */ } });
      hide(Old.prototype, 'constructor', New);
      hide(W, name, named(New, Old));
    }
    // worker leads to a script in the archive; code from a blob gets the shim before it.
    function worker(args) {
      var u = String(args[0]), module = args[1] && args[1].type === 'module', own_ = /^(?:blob|data):/.test(u);
      if (!own_ && !module) { args[0] = archived(u, 'wkr_'); return; }
      // Modules run after what they import: the shim goes before all of them. What is said to the worker meanwhile is said again.
      var at = own_ ? pageURL() : original(archived(u, 'js_'));
      if (!own_) u = archived(u, 'js_');
      var settings = 'self.varve$settings=' + JSON.stringify(O.assign({}, S, { mod: 'wkr_', url: at, base: '' })) + ';', shim = JSON.stringify(host + S.own + 'shim.js');
      var text = module
        ? settings + 'const q=[],h=e=>{q.push(e);e.stopImmediatePropagation()};addEventListener("message",h);await import(' + shim + ');await import(' + JSON.stringify(u) + ');removeEventListener("message",h);q.forEach(e=>dispatchEvent(new MessageEvent("message",{data:e.data,ports:[...e.ports],origin:e.origin})));'
        : settings + 'importScripts(' + shim + ');importScripts(' + JSON.stringify(u) + ');';
      args[0] = W.URL.createObjectURL(new W.Blob([text], { type: 'text/javascript' }));
    }
    swap(W, 'importScripts', function (old) {
      return function () { return old.apply(W, Array.prototype.map.call(arguments, function (u) { return archived(u, 'js_'); })); };
    });
    // Sockets have nobody to talk to: they close at once, as they do where the network is down.
    if (W.WebSocket) {
      var Socket = class WebSocket extends W.EventTarget {
        constructor(url, protocols) {
          super();
          var s = this;
          s.url = String(url); s.readyState = 0; s.protocol = ''; s.extensions = ''; s.bufferedAmount = 0; s.binaryType = 'blob';
          s.onopen = s.onmessage = s.onerror = s.onclose = null;
          W.setTimeout(function () {
            s.readyState = 3;
            [new W.Event('error'), W.CloseEvent ? new W.CloseEvent('close', { code: 1006, wasClean: false }) : new W.Event('close')].forEach(function (e) {
              s.dispatchEvent(e);
              if (typeof s['on' + e.type] === 'function') s['on' + e.type](e);
            });
          }, 0);
        }
        send() { if (this.readyState === 0) throw new W.DOMException('Still in CONNECTING state', 'InvalidStateError'); }
        close() { this.readyState = 3; }
      };
      [['CONNECTING', 0], ['OPEN', 1], ['CLOSING', 2], ['CLOSED', 3]].forEach(function (k) { Socket[k[0]] = Socket.prototype[k[0]] = k[1]; });
      hide(W, 'WebSocket', Socket);
    }
    ['RTCPeerConnection', 'webkitRTCPeerConnection', 'mozRTCPeerConnection', 'RTCDataChannel', 'RTCIceTransport', 'RTCDtlsTransport', 'RTCSctpTransport', 'RTCQuicTransport', 'WebTransport', 'WebSocketStream', 'PushManager', 'TCPSocket', 'UDPSocket', 'TCPServerSocket', 'PresentationRequest', 'fetchLater', 'FencedFrameConfig'].forEach(function (n) { try { delete W[n]; } catch (e) { /* stays, and the policy holds */ } });

    // ---- chance and time

    var seed = S.seconds | 0;
    function random() {
      seed = (seed + 0x6D2B79F5) | 0;
      var t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    }
    hide(W.Math, 'random', random);
    if (W.crypto && W.Crypto) {
      hide(W.Crypto.prototype, 'getRandomValues', function (a) {
        var b = new W.Uint8Array(a.buffer, a.byteOffset, a.byteLength);
        for (var i = 0; i < b.length; i++) b[i] = random() * 256;
        return a;
      });
      hide(W.Crypto.prototype, 'randomUUID', function () {
        return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, function () { return (random() * 16 | 0).toString(16); });
      });
    }
    var RealDate = W.Date, shift = S.seconds * 1000 - RealDate.now();
    var now = function () { return RealDate.now() + shift; };
    var ShiftedDate = function Date() {
      if (!new.target) return new RealDate(now()).toString();
      var args = arguments.length ? Array.prototype.slice.call(arguments) : [now()];
      return R.construct(RealDate, args, new.target === ShiftedDate ? RealDate : new.target);
    };
    ShiftedDate.prototype = RealDate.prototype;
    ['UTC', 'parse'].forEach(function (k) { hide(ShiftedDate, k, RealDate[k]); });
    hide(ShiftedDate, 'now', now);
    hide(RealDate.prototype, 'constructor', ShiftedDate);
    hide(W, 'Date', named(ShiftedDate, RealDate));

    // Modules that a page makes up import by absolute addresses.
    construct('Blob', function (args) {
      if (args[1] && /(?:java|ecma)script/i.test(args[1].type) && Array.isArray(args[0])) args[0] = args[0].map(function (part) {
        return typeof part !== 'string' ? part : part.replace(/((?:^|[;\s}])(?:import|export)\b[^;'"()]*|\bimport\s*\(\s*)(["'])(https?:\/\/[^"'\\\s]+)\2/g, function (_, lead, q, u) { return lead + q + archived(u, 'js_') + q; });
      });
    });
    construct('File', function (args) { if (args.length > 1 && !(args[2] && args[2].lastModified !== undefined)) args[2] = O.assign({}, args[2], { lastModified: now() }); });
    if (W.Intl && W.Intl.DateTimeFormat) {
      var FP = W.Intl.DateTimeFormat.prototype, formatter = own(FP, 'format');
      if (formatter) accessor(FP, 'format', function () { var f = formatter.get.call(this); return function (date) { return f(date === undefined ? now() : date); }; });
      swap(FP, 'formatToParts', function (old) { return function (date) { return old.call(this, date === undefined ? now() : date); }; });
    }

    // ---- code as text

    ['setTimeout', 'setInterval'].forEach(function (name) {
      swap(W, name, function (old) {
        return function (f) {
          var args = Array.prototype.slice.call(arguments);
          if (typeof f === 'string') args[0] = code(f);
          return old.apply(W, args);
        };
      });
    });
    construct('Function', function (args) {
      for (var i = 0; i < args.length - 1; i++) args[i] = code(String(args[i])); // names of arguments, of which the code speaks
      if (args.length) args[i] = code(String(args[i]));
    });

    // ---- keep: storage per site of then, in this tab only

    var realItem = W.Storage && W.Storage.prototype.getItem, realSet = W.Storage && W.Storage.prototype.setItem, realStore = null;
    try { realStore = D && W.sessionStorage; } catch (e) { /* not to be had in this frame */ }
    if (D) keep();
    function keep() {
      var store = null;
      try { store = W.sessionStorage; } catch (e) { /* not to be had in this frame */ }
      var mem = {}, SP = { getItem: W.Storage.prototype.getItem, setItem: W.Storage.prototype.setItem, removeItem: W.Storage.prototype.removeItem };
      var raw = {
        get: function (k) { return store ? SP.getItem.call(store, k) : (k in mem ? mem[k] : null); },
        set: function (k, v) { store ? SP.setItem.call(store, k, v) : mem[k] = v; },
        del: function (k) { store ? SP.removeItem.call(store, k) : delete mem[k]; },
        keys: function () { return store ? O.keys(store) : O.keys(mem); }
      };
      var boxes = new W.WeakMap();
      ['getItem', 'setItem', 'removeItem', 'clear', 'key'].forEach(function (m) {
        swap(W.Storage.prototype, m, function (old) { return function () { var api = boxes.get(this); return api ? api[m].apply(api, arguments) : old.apply(this, arguments); }; });
      });
      ['localStorage', 'sessionStorage'].forEach(function (name) {
        function lead() { return 'varve:' + name[0] + ':' + origin() + ':'; }
        function keys() { var l = lead(); return raw.keys().filter(function (k) { return k.indexOf(l) === 0; }).map(function (k) { return k.slice(l.length); }); }
        var api = {
          getItem: function (k) { return raw.get(lead() + k); },
          setItem: function (k, v) { raw.set(lead() + k, String(v)); },
          removeItem: function (k) { raw.del(lead() + k); },
          clear: function () { keys().forEach(function (k) { raw.del(lead() + k); }); },
          key: function (i) { var k = keys()[i]; return k === undefined ? null : k; }
        };
        var box = new W.Proxy(O.create(W.Storage.prototype), {
          get: function (t, k) { if (k === 'length') return keys().length; if (k in api) return api[k]; if (typeof k === 'symbol') return t[k]; var v = api.getItem(k); return v === null ? t[k] : v; },
          set: function (t, k, v) { api.setItem(k, v); return true; },
          deleteProperty: function (t, k) { api.removeItem(k); return true; },
          has: function (t, k) { return k in api || api.getItem(k) !== null; },
          ownKeys: function () { return keys(); },
          getOwnPropertyDescriptor: function (t, k) { var v = api.getItem(k); return v === null ? undefined : { value: v, enumerable: true, configurable: true, writable: true }; }
        });
        boxes.set(box, api);
        accessor(W, name, function () { return box; });
      });

      function jarKey() { return 'varve:cookie:' + origin(); }
      function jar() {
        if (raw.get(jarKey()) === null && S.cookies) { var fresh = S.cookies; S.cookies = null; fresh.forEach(bake); }
        try { return JSON.parse(raw.get(jarKey())) || {}; } catch (e) { return {}; }
      }
      function bake(text) {
        var parts = String(text).split(';'), pair = parts[0].split('='), name = pair.shift().trim(), all = jar();
        var gone = false, path = '', u = new W.URL(pageURL());
        parts.slice(1).forEach(function (p) {
          p = p.trim();
          if (/^max-age=(?:0|-)/i.test(p) || /^expires=/i.test(p) && RealDate.parse(p.slice(8)) < now()) gone = true;
          if (/^path=\//i.test(p)) path = p.slice(5);
          if (/^secure$/i.test(p) && u.protocol === 'http:') name = null;
        });
        if (name === null) return;
        // By name, and by path where that is not the whole site.
        var key = path && path !== '/' ? path + '\n' + name : name;
        if (gone) delete all[key]; else all[key] = pair.join('=').trim();
        raw.set(jarKey(), JSON.stringify(all));
      }
      function sees(key) {
        var path = key.indexOf('\n') < 0 ? '/' : key.split('\n')[0], at = new W.URL(pageURL()).pathname;
        return at === path || at.indexOf(path[path.length - 1] === '/' ? path : path + '/') === 0;
      }
      accessor(W.Document.prototype, 'cookie', function () { var all = jar(); return O.keys(all).filter(sees).map(function (k) { var n = k.split('\n').pop(); return n === '' ? all[k] : n + '=' + all[k]; }).join('; '); }, bake);
      try { delete W.cookieStore; accessor(W, 'cookieStore', function () { return undefined; }); } catch (e) { /* not there */ }
    }
    if (W.IDBFactory) ['open', 'deleteDatabase'].forEach(function (name) {
      swap(W.IDBFactory.prototype, name, function (old) {
        return function (db) { var args = Array.prototype.slice.call(arguments); args[0] = origin() + ' ' + db; return old.apply(this, args); };
      });
    });
    if (W.CacheStorage) ['open', 'delete', 'has'].forEach(function (name) {
      swap(W.CacheStorage.prototype, name, function (old) { return function (cache) { return old.call(this, origin() + ' ' + cache); }; });
    });

    if (W.navigator) {
      swap(O.getPrototypeOf(W.navigator), 'sendBeacon', function () { return function () { return true; }; });
      var inert = {
        scope: '', active: null, installing: null, waiting: null, navigationPreload: {}, pushManager: undefined, onupdatefound: null,
        update: function () { return W.Promise.resolve(inert); }, unregister: function () { return W.Promise.resolve(true); },
        addEventListener: function () {}, removeEventListener: function () {}, dispatchEvent: function () { return true; }, showNotification: function () { return W.Promise.resolve(); }, getNotifications: function () { return W.Promise.resolve([]); }
      };
      var swp = W.ServiceWorkerContainer && W.ServiceWorkerContainer.prototype;
      try { void W.navigator.serviceWorker; } catch (e) {
        // A document for itself must not even ask for it: it gets one that does nothing.
        swp = { addEventListener: function () {}, removeEventListener: function () {}, dispatchEvent: function () { return true; }, startMessages: function () {}, oncontrollerchange: null, onmessage: null };
        accessor(O.getPrototypeOf(W.navigator), 'serviceWorker', function () { return swp; });
      }
      if (swp) {
        hide(swp, 'register', function () { inert.scope = origin() + '/'; return W.Promise.resolve(inert); });
        hide(swp, 'getRegistration', function () { return W.Promise.resolve(undefined); });
        hide(swp, 'getRegistrations', function () { return W.Promise.resolve([]); });
        accessor(swp, 'ready', function () { return new W.Promise(function () {}); });
        accessor(swp, 'controller', function () { return null; });
      }
    }
    var entryName = W.PerformanceEntry && own(W.PerformanceEntry.prototype, 'name');
    if (W.PerformanceEntry) {
      getter(W.PerformanceEntry.prototype, 'name');
      swap(W.PerformanceEntry.prototype, 'toJSON', function (old) { return function () { var o = old.call(this); if (o && o.name) o.name = original(o.name); return o; }; });
    }
    if (W.Performance) {
      swap(W.Performance.prototype, 'getEntriesByName', function (old) {
        return function (name) {
          var args = Array.prototype.slice.call(arguments), list = old.apply(this, args);
          if (list.length || !/^https?:/.test(name)) return list;
          return this.getEntries().filter(function (e) { return e.name === String(name) && (args[1] === undefined || e.entryType === String(args[1])); });
        };
      });
      var timeOrigin = own(W.Performance.prototype, 'timeOrigin');
      if (timeOrigin) accessor(W.Performance.prototype, 'timeOrigin', function () { return timeOrigin.get.call(this) + shift; });
    }
    if (W.IDBDatabase) {
      var baseName = own(W.IDBDatabase.prototype, 'name');
      var ofPage = function (n) { var l = origin() + ' '; return n.indexOf(l) === 0 ? n.slice(l.length) : n; };
      if (baseName) accessor(W.IDBDatabase.prototype, 'name', function () { return ofPage(baseName.get.call(this)); });
      swap(W.IDBFactory.prototype, 'databases', function (old) {
        return function () { return old.call(this).then(function (list) { return list.filter(function (d) { return d.name.indexOf(origin() + ' ') === 0; }).map(function (d) { return { name: ofPage(d.name), version: d.version }; }); }); };
      });
    }
    if (W.CacheStorage) swap(W.CacheStorage.prototype, 'keys', function (old) {
      return function () { return old.call(this).then(function (list) { var l = origin() + ' '; return list.filter(function (n) { return n.indexOf(l) === 0; }).map(function (n) { return n.slice(l.length); }); }); };
    });
    if (W.EventSource) getter(W.EventSource.prototype, 'url');
    if (W.ErrorEvent) getter(W.ErrorEvent.prototype, 'filename');
    if (W.BroadcastChannel) {
      var channel = own(W.BroadcastChannel.prototype, 'name');
      if (channel) accessor(W.BroadcastChannel.prototype, 'name', function () { var n = channel.get.call(this), l = origin() + ' '; return n.indexOf(l) === 0 ? n.slice(l.length) : n; });
    }
    accessor(W, 'origin', origin, function () {});
    if (!D) return;
    ['NavigationHistoryEntry', 'NavigationDestination'].forEach(function (n) { if (proto(n)) getter(proto(n), 'url'); });
    if (W.HashChangeEvent) ['oldURL', 'newURL'].forEach(function (k) { getter(W.HashChangeEvent.prototype, k); });

    // ---- where am I: the document

    accessor(W.Node.prototype, 'baseURI', function () { return original(baseURI.call(this)); });
    ['URL', 'documentURI'].forEach(function (k) {
      var d = own(W.Document.prototype, k); // documents without a window have one of their own
      accessor(W.Document.prototype, k, function () { return this === W.document || !d ? shown() : original(d.get.call(this)); });
    });
    accessor(W.Document.prototype, 'domain', function () { try { return new W.URL(pageURL()).hostname; } catch (e) { return ''; } }, function () {});
    var referrer = own(W.Document.prototype, 'referrer').get;
    accessor(W.Document.prototype, 'referrer', function () { var r = referrer.call(this), u = original(r); return u === r || isMain && /^\/[^\/]+\/\d*\//.test(r.slice(host.length)) ? '' : u; });
    // Without a field about it, a document was last changed when it was opened.
    var lastModified = own(W.Document.prototype, 'lastModified'), opened = RealDate.now() - (W.performance ? W.performance.now() : 0) - 2000;
    if (lastModified) accessor(W.Document.prototype, 'lastModified', function () {
      var v = lastModified.get.call(this), t = RealDate.parse(v);
      if (!(t >= opened)) return v;
      var d = new RealDate(t + shift), two = function (n) { return (n < 10 ? '0' : '') + n; };
      return two(d.getMonth() + 1) + '/' + two(d.getDate()) + '/' + d.getFullYear() + ' ' + two(d.getHours()) + ':' + two(d.getMinutes()) + ':' + two(d.getSeconds());
    });
    if (isMain) {
      accessor(W, 'parent', function () { return W; }, function () {});
      accessor(W, 'frameElement', function () { return null; });
      // The page is in a frame with a name; what it says of its own stays in this tab.
      var name_ = own(W, 'name'), called = '';
      if (name_ && name_.get && name_.get.call(W) === S.frame) accessor(W, 'name', function () {
        return realStore ? realItem.call(realStore, 'varve:name') || '' : called;
      }, function (v) { called = String(v); try { if (realStore) realSet.call(realStore, 'varve:name', called); } catch (e) { /* full */ } });
      accessor(W, 'opener', function () { return null; }, function () {});
    }

    // ---- write: elements

    var MODS = { img: 'im_', image: 'im_', script: 'js_', iframe: 'if_', frame: 'fr_', video: 'oe_', audio: 'oe_', source: 'oe_', track: 'oe_', embed: 'oe_', object: 'oe_', use: 'im_', input: 'im_', feimage: 'im_' };
    var CARRIES = { href: 1, src: 1, action: 1, formaction: 1, poster: 1, data: 1, background: 1, 'xlink:href': 1, longdesc: 1, cite: 1, lowsrc: 1, manifest: 1, codebase: 1 };
    var DROPPED = { integrity: 1, nonce: 1, crossorigin: 1, ping: 1, attributionsrc: 1 };

    function modOf(tag, attr, el) {
      if (attr === 'poster' || attr === 'background') return 'im_';
      if (attr === 'manifest') return 'id_';
      if (tag === 'link') return linkMod(el);
      if (tag === 'a' || tag === 'area' || tag === 'form' || tag === 'base' || attr === 'formaction') return isMain ? 'mp_' : S.mod;
      return MODS[tag] || 'mp_';
    }
    function linkMod(el) {
      var rel = (getReal(el, 'rel') || '').toLowerCase(), as = (getReal(el, 'as') || '').toLowerCase();
      if (/\bstylesheet\b/.test(rel)) return 'cs_';
      if (/\bmodulepreload\b/.test(rel)) return 'js_';
      if (/icon|image/.test(rel)) return 'im_';
      return { script: 'js_', style: 'cs_', image: 'im_', font: 'oe_', audio: 'oe_', video: 'oe_', track: 'oe_', document: 'if_' }[as] || 'mp_';
    }
    // value gives what an attribute is set to; undefined takes it out.
    function value(el, tag, attr, v) {
      if (DROPPED[attr]) return undefined;
      if ((attr === 'rel' || attr === 'http-equiv') && /^varve-/.test(v)) return v;
      if (attr === 'srcset' || attr === 'imagesrcset') return srcset(v);
      if (attr === 'style') return css(v);
      if (attr === 'srcdoc') return made(v);
      if (/^(?:src|data)$/.test(attr) && /^(?:i?frame|embed|object)$/.test(tag) && scriptOf(v) !== null) { if (tag === tagOf(el)) fill(el, scriptOf(v)); return undefined; }
      if (attr === 'type' && tag === 'script' && /^\s*speculationrules\s*$/i.test(v)) return 'text/plain';
      if ((attr === 'http-equiv' || attr === 'httpequiv') && tag === 'meta' && /policy|refresh|dns|link|cookie/i.test(v)) return 'varve-' + v;
      if (attr === 'target' || attr === 'formtarget') return target(v);
      if (attr === 'rel' && tag === 'link' && /preconnect|dns-prefetch|prerender/i.test(v)) return 'varve-' + v;
      if (/^on[a-z]/.test(attr)) return code(String(v));
      if (!CARRIES[attr] || attr === 'data' && tag !== 'object' || tag.indexOf('-') > 0) return v;
      if (tag === 'a' && attr === 'href' && relative(String(v))) return v;
      return archived(v, modOf(tag, attr, el));
    }
    // relative tells references that the browser resolves by itself, from the address of the page in the archive.
    function relative(s) {
      if (!isMain || S.mod !== 'mp_' || !/^[!-~]+$/.test(s) || /^[\/?#]|\\|^[^?#]*:|^[^?#]*(?:^|\/)(?:\.|%2e){1,2}(?:[\/?#]|$)/i.test(s)) return false;
      var at = real.href.split('#')[0];
      return original(at) !== at && baseURI.call(D).split('#')[0] === at;
    }
    // fill gives a frame the code that fills it: at once if it has a window, else when that is adopted.
    function fill(el, c) {
      setReal_.call(el, 'data-varve-script', c);
      if (el.isConnected && el.contentWindow) runIn(el.contentWindow, c);
    }
    hide(W, 'varve$url', function (c) {
      var text = (0, W.eval)(c);
      if (typeof text !== 'string') return;
      W.document.open(); W.document.write(text); W.document.close();
    });
    function target(v) {
      var t = String(v).toLowerCase();
      if (t === '_top') return isMain ? '_self' : S.frame;
      if (t === '_parent' && isMain) return '_self';
      return v;
    }

    var E = W.Element.prototype, setReal_ = E.setAttribute, getReal_ = E.getAttribute, removeReal_ = E.removeAttribute;
    function getReal(el, name) { return getReal_.call(el, name); }

    // What the page wrote is kept beside what is put in its place, in an attribute that scripts do not see: varve-href beside href.
    var KEPT = { srcset: 1, imagesrcset: 1, srcdoc: 1, target: 1, formtarget: 1, type: 1, rel: 1, content: 1, value: 1, archive: 1, 'http-equiv': 1, integrity: 1, crossorigin: 1, referrerpolicy: 1, ping: 1, attributionsrc: 1, profile: 1, classid: 1, dynsrc: 1, icon: 1, code: 1 };
    O.keys(CARRIES).forEach(function (k) { KEPT[k] = 1; });
    function keeps(attr) { return KEPT[attr] || /^(?:on|hx-)/.test(attr); }
    function keptName(attr) { return 'varve-' + attr.replace(':', '-'); }
    function kept(el, attr) { return keeps(attr) ? getReal_.call(el, keptName(attr)) : null; }
    var hidden_ = /^(?:varve-|data-varve-(?:held|script))/;
    function hidden(el, name) { return hidden_.test(name) || name === 'nonce' && tagOf(el) === 'script' && ours_(getReal_.call(el, name)); }
    function ours_(nonce) { return nonce === S.nonce || nonce === ''; } // browsers hide what a policy names
    // putIn sets an attribute to w, where the page wrote v; undefined is not to be set at all.
    function putIn(el, attr, v, w, set) {
      v = String(v);
      if (attr !== 'style' && keeps(attr)) {
        if (w !== v) setReal_.call(el, keptName(attr), v);
        else if (getReal_.call(el, keptName(attr)) !== null) removeReal_.call(el, keptName(attr));
      }
      if (w !== undefined) return set(w);
    }
    // asWritten is what a script reads of an attribute.
    function asWritten(el, attr, v) {
      var k = kept(el, attr);
      if (k !== null) return k;
      if (typeof v !== 'string') return v;
      if (attr === 'style') return plainCSS(v);
      return CARRIES[attr] || attr === 'srcset' ? plain(v) : v;
    }
    // restore gives back the text of markup as the page wrote it.
    var tags = /<[a-zA-Z][^\s>\/]*(?:\s+[^\s=>"\/]+(?:="[^"]*")?|\/)*\s*>/g, attrs = /\s+([^\s=>"\/]+)(?:="([^"]*)")?/g;
    function restore(s) {
      if (typeof s !== 'string') return s;
      if (s.indexOf('varve-') >= 0 || s.indexOf(' nonce="') >= 0) s = s.replace(tags, function (tag) {
        if (tag.indexOf(' varve-') < 0 && tag.indexOf(' data-varve-') < 0 && tag.indexOf(' nonce="') < 0) return tag;
        var was = {}, seen = {}, m;
        attrs.lastIndex = 0;
        while ((m = attrs.exec(tag))) { seen[m[1].replace(':', '-')] = 1; if (/^varve-/.test(m[1])) was[m[1].slice(6)] = m[2] || ''; }
        return tag.replace(attrs, function (all, name, v) {
          var key = name.replace(':', '-');
          if (/^data-varve-(?:held|script)/.test(name) || name === 'nonce' && ours_(v)) return '';
          if (/^varve-/.test(name)) return seen[name.slice(6)] ? '' : ' ' + name.slice(6) + '="' + v + '"';
          return was.hasOwnProperty(key) ? ' ' + name + '="' + was[key] + '"' : all;
        });
      });
      return uncode(plainCSS(s));
    }
    function tagOf(el) { return String(el.localName || el.nodeName).toLowerCase(); }
    // madeUp gives the document of a frame that is made up by the page (blob:, data:): it gets the shim as srcdoc.
    var XHR = W.XMLHttpRequest;
    function madeUp(el, v) {
      if (!/^\s*(?:blob|data):/i.test(v) || !/^i?frame$/.test(tagOf(el))) return undefined;
      try {
        var x = new XHR();
        realOpen.call(x, 'GET', String(v).trim(), false);
        x.send();
        if (/^text\/html/i.test(x.getResponseHeader('content-type') || '')) return x.responseText;
      } catch (e) { /* gone, or too far */ }
      return undefined;
    }
    function setFrame(el, v) {
      var text = madeUp(el, v);
      if (text === undefined) return false;
      removeReal_.call(el, 'src');
      setReal_.call(el, 'srcdoc', made(text));
      hide(el, 'varve$src', String(v));
      return true;
    }
    ['setAttributeNode', 'setAttributeNodeNS'].forEach(function (name) {
      swap(E, name, function (old) { return function (a) { safe(this, a); return old.call(this, a); }; });
    });
    ['setNamedItem', 'setNamedItemNS'].forEach(function (name) {
      swap(W.NamedNodeMap.prototype, name, function (old) { return function (a) { var el = O.getOwnPropertyNames(this).length && this[0] && this[0].ownerElement; safe(el || null, a); return old.call(this, a); }; });
    });
    var attrValue = own(W.Attr.prototype, 'value');
    // safe rewrites an attribute before an element takes it over; without one it may be that of any frame.
    function safe(el, a) {
      if (!a || a.nodeType !== 2) return;
      var attr = String(a.name).toLowerCase(), v = attrValue.get.call(a), w = value(el || W.document.createElement(attr === 'srcdoc' ? 'iframe' : 'i'), el ? tagOf(el) : attr === 'srcdoc' ? 'iframe' : 'link', attr, v);
      if (attr === 'src' && (scriptOf(v) !== null || /^\s*(?:data|blob):/i.test(v)) && (!el || /^(?:i?frame|embed|object)$/.test(tagOf(el)))) w = 'about:blank';
      if (el && el.nodeType === 1) putIn(el, attr, v, w === undefined ? '' : w, function () {});
      attrValue.set.call(a, w === undefined ? '' : w);
    }
    function attrAsWritten(get) {
      return function () { var v = get.call(this); return this.nodeType === 2 && this.ownerElement ? asWritten(this.ownerElement, String(this.name).toLowerCase(), v) : v; };
    }
    function setAttr(set) {
      return function (v) {
        if (this.nodeType !== 2) return set.call(this, v);
        attrValue.set.call(this, v);
        if (this.ownerElement) { var el = this.ownerElement; if (this.name === 'src' && setFrame(el, v)) return; safe(el, this); sweep(); }
      };
    }
    accessor(W.Attr.prototype, 'value', attrAsWritten(attrValue.get), setAttr(null));
    var nodeValue = own(W.Node.prototype, 'nodeValue');
    accessor(W.Node.prototype, 'nodeValue', function () { return this.nodeType === 3 ? this.data : attrAsWritten(nodeValue.get).call(this); }, setAttr(nodeValue.set));
    swap(E, 'setAttribute', function (old) {
      return function (name, v) {
        if (String(name).toLowerCase() === 'src' && setFrame(this, v)) return;
        var el = this, attr = String(name).toLowerCase();
        return putIn(el, attr, v, value(el, tagOf(el), attr, v), function (w) { return old.call(el, name, w); });
      };
    });
    swap(E, 'setAttributeNS', function (old) {
      return function (ns, name, v) {
        var el = this, attr = String(name).toLowerCase();
        return putIn(el, attr, v, value(el, tagOf(el), attr, v), function (w) { return old.call(el, ns, name, w); });
      };
    });
    swap(E, 'getAttribute', function (old) {
      return function (name) {
        var attr = String(name).toLowerCase();
        return hidden(this, attr) ? null : asWritten(this, attr, arguments.length ? old.call(this, name) : old.call(this));
      };
    });
    swap(E, 'getAttributeNS', function (old) {
      return function (ns, name) { var v = old.apply(this, arguments); return asWritten(this, (/xlink$/.test(ns) ? 'xlink:' : '') + String(name).toLowerCase(), v); };
    });
    swap(E, 'hasAttribute', function (old) { return function (name) { var attr = String(name).toLowerCase(); return !hidden(this, attr) && (old.apply(this, arguments) || kept(this, attr) !== null); }; });
    swap(E, 'getAttributeNames', function (old) {
      return function () {
        var el = this, all = old.call(el);
        return all.filter(function (n) { return !hidden(el, n); }).concat(all.filter(function (n) { return /^varve-/.test(n) && keeps(n.slice(6)) && all.indexOf(n.slice(6)) < 0 && all.indexOf(n.slice(6).replace('-', ':')) < 0; }).map(function (n) { return n.slice(6); }));
      };
    });
    ['removeAttribute', 'toggleAttribute'].forEach(function (m) {
      swap(E, m, function (old) {
        return function (name) { var attr = String(name).toLowerCase(); if (keeps(attr)) removeReal_.call(this, keptName(attr)); return old.apply(this, arguments); };
      });
    });
    swap(E, 'removeAttributeNS', function (old) { return function (ns, name) { removeReal_.call(this, keptName((/xlink$/.test(ns) ? 'xlink:' : '') + String(name).toLowerCase())); return old.apply(this, arguments); }; });
    swap(W.NamedNodeMap.prototype, 'removeNamedItem', function (old) {
      return function (name) { var a = this.getNamedItem(name), el = a && a.ownerElement, k = String(name).toLowerCase(); if (el && keeps(k)) removeReal_.call(el, keptName(k)); return old.call(this, name); };
    });
    swap(E, 'removeAttributeNode', function (old) { return function (a) { var k = a && String(a.name).toLowerCase(); if (k && keeps(k)) removeReal_.call(this, keptName(k)); return old.call(this, a); }; });
    swap(W.Node.prototype, 'cloneNode', function (old) {
      return function () { var c = old.apply(this, arguments); if (this.nodeType === 2) attrValue.set.call(c, this.value); return c; };
    });
    // The list of attributes without those that are hidden.
    var attributesOf = own(E, 'attributes');
    if (attributesOf && W.Proxy) accessor(E, 'attributes', function () {
      var el = this, map = attributesOf.get.call(el);
      for (var i = 0; i < map.length && !hidden(el, map[i].name); i++);
      if (i === map.length) return map;
      function list() { return Array.prototype.filter.call(map, function (a) { return !hidden(el, a.name); }); }
      return new RealProxy(map, {
        get: function (t, k) {
          if (k === 'length') return list().length;
          if (k === 'item') return function (n) { return list()[n] || null; };
          if (k === W.Symbol.iterator) return function () { return list()[W.Symbol.iterator](); };
          if (typeof k === 'string' && /^\d+$/.test(k)) return list()[k];
          var v = t[k];
          return typeof v === 'function' ? v.bind(t) : v;
        },
        has: function (t, k) { return typeof k === 'string' && /^\d+$/.test(k) ? k < list().length : k in t; }
      });
    });
    // plain takes all addresses in the archive out of a text.
    var lead = new RegExp('(?:' + host.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + ')?' + S.prefix.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '\\d{14}[a-z]{2,3}_/(?=(?:https?|wss?|ftp)://)', 'g');
    function plain(s) { return s.indexOf(S.prefix) < 0 ? s : s.replace(lead, '').replace(/#varve=[^\s"')]*/g, ''); }
    // plainCSS gives addresses of styles, and selectors, as the page wrote them; others absolute.
    var marks = new RegExp(lead.source + '[^\\s"\')]*?#varve=([^\\s"\'),;]*)', 'g');
    function plainCSS(s) {
      if (typeof s !== 'string') return s;
      if (s.indexOf('varve-') >= 0) s = s.replace(/:is\(\[varve-[\w-]+[^\]]*\]\s*,\s*(\[[^\]]*\]):where\(:not\(\[varve-[\w-]+\]\)\)\)/g, '$1');
      if (s.indexOf('attr(varve-') >= 0) s = s.replace(/;[\w-]+:(?!\s)[^;{}]*attr\(varve-[^;{}]*/g, '').replace(/attr\(varve-[\w-]+, (attr\([\w-]+\))\)/g, '$1');
      if (s.indexOf('#varve=') >= 0) s = s.replace(marks, function (all, u) { try { return W.decodeURIComponent(u); } catch (e) { return plain(all); } });
      return plain(s);
    }

    var PROPS = [
      ['HTMLImageElement', 'src'], ['HTMLImageElement', 'srcset'], ['HTMLImageElement', 'lowsrc'], ['HTMLScriptElement', 'src'], ['HTMLLinkElement', 'href'], ['HTMLLinkElement', 'imageSrcset'],
      ['HTMLLinkElement', 'rel'], ['HTMLAnchorElement', 'href'], ['HTMLAnchorElement', 'target'], ['HTMLAreaElement', 'href'], ['HTMLAreaElement', 'target'], ['HTMLIFrameElement', 'src'], ['HTMLIFrameElement', 'srcdoc'],
      ['HTMLFrameElement', 'src'], ['HTMLFormElement', 'action'], ['HTMLFormElement', 'target'], ['HTMLInputElement', 'src'], ['HTMLInputElement', 'formAction'], ['HTMLButtonElement', 'formAction'],
      ['HTMLVideoElement', 'poster'], ['HTMLMediaElement', 'src'], ['HTMLSourceElement', 'src'], ['HTMLSourceElement', 'srcset'], ['HTMLTrackElement', 'src'], ['HTMLEmbedElement', 'src'], ['HTMLObjectElement', 'data'],
      ['HTMLBaseElement', 'href'], ['HTMLBaseElement', 'target'], ['HTMLBodyElement', 'background'], ['HTMLScriptElement', 'type'], ['HTMLMetaElement', 'httpEquiv'], ['HTMLMetaElement', 'content']
    ];
    PROPS.forEach(function (p) {
      var o = proto(p[0]), d = own(o, p[1]);
      if (!d || !d.set) return;
      var attr = p[1] === 'httpEquiv' ? 'http-equiv' : p[1].toLowerCase(), byText = /srcset|srcdoc|target|rel$|type|content|http-equiv/.test(attr);
      accessor(o, p[1], function () {
        var v = d.get.call(this), k;
        if (typeof v !== 'string') return v;
        if (byText) return (k = kept(this, attr)) !== null ? k : plain(v);
        if (/^javascript:/i.test(v)) return uncode(v);
        var u = original(v);
        // A document without a window takes the address of ours for its base.
        if (u === v && v.indexOf(host + '/') === 0 && (k = getReal(this, attr)) !== null) try { return new W.URL(k, base()).href; } catch (e) { /* none */ }
        return u === v && v === real.href ? pageURL() : u;
      }, function (v) {
        var el = this, w = value(el, tagOf(el), attr, v);
        if (w !== undefined && p[1] === 'src' && setFrame(el, v)) return;
        putIn(el, attr, v, w, function (x) { d.set.call(el, x); });
      });
    });
    [['HTMLScriptElement', 'integrity'], ['HTMLLinkElement', 'integrity'], ['HTMLScriptElement', 'crossOrigin'], ['HTMLLinkElement', 'crossOrigin'], ['HTMLImageElement', 'crossOrigin'], ['HTMLAnchorElement', 'ping']].forEach(function (p) {
      var o = proto(p[0]);
      var attr = p[1].toLowerCase();
      if (own(o, p[1])) accessor(o, p[1], function () { var k = kept(this, attr); return k === null ? (attr === 'crossorigin' ? null : '') : attr === 'crossorigin' && k !== 'use-credentials' ? 'anonymous' : k; },
        function (v) { if (v === null && attr === 'crossorigin') removeReal_.call(this, keptName(attr)); else setReal_.call(this, keptName(attr), v); });
    });
    ['HTMLAnchorElement', 'HTMLAreaElement'].forEach(function (n) {
      var o = proto(n);
      ['protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'origin', 'username', 'password'].forEach(function (k) {
        if (!own(o, k)) return;
        accessor(o, k, function () { try { return new W.URL(this.href)[k]; } catch (e) { return own(o, k) ? '' : ''; } }, function (v) {
          try { var u = new W.URL(this.href); u[k] = v; this.href = u.href; } catch (e) { /* no address to change */ }
        });
      });
      hide(o, 'toString', function () { return this.href; });
    });
    var sheet = proto('StyleSheet');
    if (sheet) getter(sheet, 'href');
    var currentSrc = proto('HTMLImageElement');
    if (currentSrc) getter(currentSrc, 'currentSrc');
    if (proto('HTMLMediaElement')) getter(proto('HTMLMediaElement'), 'currentSrc');

    if (W.MutationRecord) {
      var oldValue = own(W.MutationRecord.prototype, 'oldValue');
      if (oldValue) accessor(W.MutationRecord.prototype, 'oldValue', function () { var v = oldValue.get.call(this); return typeof v === 'string' ? plain(v) : v; });
    }
    // Observers are not told of what only we keep.
    if (W.MutationObserver) {
      var seenBy = function (list) { return list.filter(function (m) { return m.type !== 'attributes' || !hidden_.test(m.attributeName); }); };
      var RealObserver = W.MutationObserver;
      construct('MutationObserver', function (args) {
        var f = args[0];
        if (typeof f === 'function') args[0] = function (list, o) { var l = seenBy(list); if (l.length) return f.call(this, l, o); };
      });
      swap(RealObserver.prototype, 'takeRecords', function (old) { return function () { return seenBy(old.call(this)); }; });
    }

    // fix rewrites an element and all below it that did not come through us: parsed elsewhere, cloned, moved.
    var CARRIERS = '[src],[href],[srcset],[action],[formaction],[poster],[data],[background],[style*="url("],[integrity],[crossorigin],[ping],[srcdoc],[target],link,script,style,use,image';
    function fix(node) {
      if (!node || node.nodeType !== 1 && node.nodeType !== 11) return;
      if (node.nodeType === 1) fixOne(node);
      if (node.firstElementChild) { var all = node.querySelectorAll(CARRIERS); for (var i = 0; i < all.length; i++) fixOne(all[i]); }
    }
    function fixOne(el) {
      var tag = tagOf(el), attrs = attributesOf ? attributesOf.get.call(el) : el.attributes, i, a, v;
      for (i = attrs.length - 1; i >= 0; i--) {
        a = attrs[i];
        if (hidden_.test(a.name)) continue;
        var raw_ = attrValue.get.call(a);
        v = value(el, tag, a.name, raw_);
        if (v === raw_ || a.name === 'nonce' && tag === 'script' && raw_ === S.nonce) continue;
        if (a.name !== 'style' && keeps(a.name)) setReal_.call(el, keptName(a.name), raw_);
        if (v === undefined) removeReal_.call(el, a.name);
        else attrValue.set.call(a, v);
      }
      if (tag === 'script') setReal_.call(el, 'nonce', S.nonce);
      if (tag === 'script' && !el.varve$done && !el.hasAttribute('src') && el.firstChild) {
        hide(el, 'varve$done', true);
        v = getText.call(el);
        if (isScript(el) && code(v) !== v) setText.call(el, code(v));
      } else if (tag === 'style' && el.firstChild) {
        v = getText.call(el);
        if (css(v) !== v) setText.call(el, css(v));
      } else if (tag === 'template' && el.content) fix(el.content);
    }
    function isScript(el) { return !el.type || /javascript|ecmascript|^module$/.test(el.type); }

    var text = own(W.Node.prototype, 'textContent'), getText = text.get, setText = text.set;
    function setCode(set) {
      return function (v) {
        if (this.nodeType === 2) { setAttr(null).call(this, v); return; }
        if (this instanceof W.HTMLScriptElement && isScript(this)) v = code(String(v));
        else if (this instanceof W.HTMLStyleElement) v = css(String(v));
        return set.call(this, v);
      };
    }
    // getCode gives scripts and styles as the page wrote them, as far as that is known.
    function getCode(get) {
      return function () {
        var v = get.call(this);
        if (typeof v !== 'string') return v;
        if (this.nodeType === 1 && tagOf(this) === 'script') return uncode(v);
        if (this instanceof W.HTMLStyleElement) return plainCSS(v);
        return (this.nodeType === 1 || this.nodeType === 11) && (v.indexOf('varve') >= 0 || v.indexOf(S.prefix) >= 0) ? uncode(plainCSS(v)) : v; // scripts and styles below it
      };
    }
    // The text of a script or style is its own node, too.
    var characters = proto('CharacterData') && own(W.CharacterData.prototype, 'data');
    function ofCode(node) { var p = node.nodeType === 3 && node.parentNode; return p ? tagOf(p) : ''; }
    function nodeText(get) {
      return function () {
        var v = get.call(this), tag = typeof v === 'string' && (v.indexOf('varve') >= 0 || v.indexOf(S.prefix) >= 0) ? ofCode(this) : '';
        return tag === 'script' ? uncode(v) : tag === 'style' ? plainCSS(v) : v;
      };
    }
    if (characters) {
      accessor(W.CharacterData.prototype, 'data', nodeText(characters.get), characters.set);
      var lengthOf = own(W.CharacterData.prototype, 'length');
      accessor(W.CharacterData.prototype, 'length', function () { return ofCode(this) === 'script' || ofCode(this) === 'style' ? this.data.length : lengthOf.get.call(this); });
    }
    var ofElement = getCode(getText), ofText = nodeText(getText);
    accessor(W.Node.prototype, 'textContent', function () { return this.nodeType === 3 ? ofText.call(this) : this.nodeType === 2 ? this.value : ofElement.call(this); }, setCode(setText));
    ['text', 'textContent', 'innerText'].forEach(function (name) { // browsers with trusted types have all three here
      var d = own(W.HTMLScriptElement.prototype, name);
      if (d) accessor(W.HTMLScriptElement.prototype, name, getCode(d.get), setCode(d.set));
    });
    var inner = own(W.HTMLElement.prototype, 'innerText');
    if (inner) accessor(W.HTMLElement.prototype, 'innerText', getCode(inner.get), setCode(inner.set));

    [W.Element.prototype, W.Document.prototype, W.DocumentFragment.prototype].forEach(function (p) {
      ['querySelector', 'querySelectorAll', 'matches', 'closest'].forEach(function (name) {
        swap(p, name, function (old) { return function (s) { return arguments.length ? old.call(this, selector(s)) : old.call(this); }; });
      });
    });

    function prepared(proto, names) {
      names.forEach(function (name) {
        swap(proto, name, function (old) {
          return function () {
            var held = [];
            for (var i = 0; i < arguments.length; i++) if (arguments[i] && arguments[i].nodeType) { fix(arguments[i]); hold(arguments[i], held); }
            try { return old.apply(this, arguments); } finally { sweep(); release(held); }
          };
        });
      });
    }
    // hold keeps frames from loading while scripts or custom elements that are put in together with them could see
    // their empty windows before we do.
    var customs = false;
    if (W.CustomElementRegistry) swap(W.CustomElementRegistry.prototype, 'define', function (old) { return function () { customs = true; return old.apply(this, arguments); }; });
    function hold(node, held) {
      if (node.nodeType !== 1 && node.nodeType !== 11) return;
      var list = /^i?frame$/.test(node.localName || '') ? [node] : node.firstElementChild ? node.querySelectorAll('iframe[src],frame[src],iframe[srcdoc]') : [];
      if (!list.length || !customs && !(node.querySelector && node.querySelector('script'))) return;
      for (var i = 0; i < list.length; i++) ['src', 'srcdoc'].forEach(function (k) {
        var v = getReal(list[i], k);
        if (v !== null) { held.push([list[i], k, v]); hide(list[i], 'varve$held', true); removeReal_.call(list[i], k); }
      });
    }
    function release(held) { held.forEach(function (h) { h[0].varve$held = false; setReal_.call(h[0], h[1], h[2]); }); }
    prepared(W.Node.prototype, ['appendChild', 'insertBefore', 'replaceChild']);
    [W.Element.prototype, W.Document.prototype, W.DocumentFragment.prototype].forEach(function (p) { prepared(p, ['moveBefore']); });
    prepared(W.Range.prototype, ['insertNode', 'surroundContents']);
    var body = own(W.Document.prototype, 'body');
    accessor(W.Document.prototype, 'body', body.get, function (v) { if (v && v.nodeType) fix(v); body.set.call(this, v); sweep(); });
    [W.Element.prototype, W.Document.prototype, W.DocumentFragment.prototype].forEach(function (p) { prepared(p, ['append', 'prepend', 'replaceChildren']); });
    [W.Element.prototype, proto('CharacterData'), proto('DocumentType')].forEach(function (p) { if (p) prepared(p, ['before', 'after', 'replaceWith']); });
    prepared(W.Element.prototype, ['insertAdjacentElement']);

    // ---- write: markup as text

    var shell = D.implementation.createHTMLDocument('');
    var html = own(E, 'innerHTML');
    var needsCare = /\s(?:src|href|srcset|imagesrcset|action|formaction|poster|data|background|style|integrity|target|srcdoc|crossorigin|xlink:href|on[a-z]+)\s*=|<style/i;
    // markup rewrites a text that is parsed at once.
    function markup(s) {
      s = String(s);
      if (!needsCare.test(s)) return s;
      if (/<(?:html|head|body|frameset)[\s>]/i.test(s)) return written(s);
      var t = shell.createElement('template');
      html.set.call(t, s);
      fix(t.content);
      return html.get.call(t);
    }
    [['Element', 'innerHTML'], ['Element', 'outerHTML'], ['ShadowRoot', 'innerHTML']].forEach(function (p) {
      var o = proto(p[0]), d = own(o, p[1]);
      if (!d) return;
      accessor(o, p[1], function () { return restore(d.get.call(this)); }, function (v) {
        var tag = p[1] === 'innerHTML' && tagOf(this);
        v = v === null ? '' : tag === 'script' ? code(String(v)) : tag === 'style' ? css(String(v)) : markup(v);
        parse(this, v, function (text) { d.set.call(this, text); });
      });
    });
    if (proto('XMLSerializer')) swap(W.XMLSerializer.prototype, 'serializeToString', function (old) { return function () { return restore(old.apply(this, arguments)); }; });
    [E, proto('ShadowRoot')].forEach(function (p) { if (p) swap(p, 'getHTML', function (old) { return function () { return restore(old.apply(this, arguments)); }; }); });
    // parse lets the browser parse a text in place, with the frames in it held while custom elements could see them.
    function parse(el, text, set) {
      var held = customs && /<i?frame/i.test(text);
      if (held) text = text.replace(/(<i?frame\b[^>]*?\s)(src|srcdoc)(?=\s*=)/gi, '$1data-varve-held-$2');
      try { return set.call(el, text); } finally {
        sweep();
        if (held) letGo(el.isConnected ? D : el);
      }
    }
    function letGo(root) {
      var all = root.querySelectorAll ? root.querySelectorAll('[data-varve-held-src],[data-varve-held-srcdoc]') : [];
      for (var i = 0; i < all.length; i++) ['src', 'srcdoc'].forEach(function (k) {
        var v = getReal(all[i], 'data-varve-held-' + k);
        if (v !== null) { removeReal_.call(all[i], 'data-varve-held-' + k); setReal_.call(all[i], k, v); }
      });
    }
    swap(E, 'insertAdjacentHTML', function (old) { return function (where, s) { return parse(this, markup(s), function (text) { return old.call(this, where, text); }); }; });
    [E, proto('ShadowRoot')].forEach(function (p) {
      ['setHTMLUnsafe', 'setHTML'].forEach(function (name) { if (p) swap(p, name, function (old) { return function (s, o) { return parse(this, markup(s), function (text) { return old.call(this, text, o); }); }; }); });
    });
    // Attributes in paths are those that the page wrote.
    function xpath(s) {
      if (typeof s !== 'string' || s.indexOf('@') < 0) return s;
      return s.replace(/"[^"]*"|'[^']*'|@(href|src|srcset|action|formaction|poster|data|target|cite|background)(?![\w:.-])/g, function (all, attr) {
        return attr ? '@*[name()="varve-' + attr + '" or (name()="' + attr + '" and not(../@varve-' + attr + '))]' : all;
      });
    }
    ['evaluate', 'createExpression'].forEach(function (name) {
      [W.Document.prototype, proto('XPathEvaluator')].forEach(function (p) {
        if (p) swap(p, name, function (old) { return function (s) { var args = Array.prototype.slice.call(arguments); args[0] = xpath(s); return old.apply(this, args); }; });
      });
    });
    if (proto('XPathResult')) {
      var stringValue = own(W.XPathResult.prototype, 'stringValue');
      if (stringValue) accessor(W.XPathResult.prototype, 'stringValue', function () { return plain(stringValue.get.call(this)); });
    }
    swap(W.Document.prototype, 'execCommand', function (old) { return function (name, ui, v) { try { return old.call(this, name, ui, /^inserthtml$/i.test(name) ? markup(v) : v); } finally { sweep(); } }; });
    swap(W.Range.prototype, 'createContextualFragment', function (old) { return function (s) { return old.call(this, markup(s)); }; });

    // made gives a document that the page makes up (srcdoc) the shim, before anything of its own.
    function made(s) {
      s = String(s);
      if (s.indexOf(S.own + 'shim.js') >= 0 && /^\s*(?:<!doctype[^>]*>)?\s*<script src="[^"]*\/shim\.js"/i.test(s)) return s;
      var tag = '<script src="' + host + S.own + 'shim.js" data-varve="' + encode(JSON.stringify(O.assign({}, S, { mod: 'if_', url: 'about:srcdoc', base: base() }))) + '"></scr' + 'ipt>';
      var type = /^\s*<!doctype[^>]*>/i.exec(s);
      return type ? type[0] + tag + written(s.slice(type[0].length)) : tag + written(s);
    }

    // written rewrites a piece of a document that is still being written, tag by tag.
    var partial = /<([a-z][a-z0-9-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/gi;
    var attribute = /(\s)([a-z:-]+)(\s*=\s*)("[^"]*"|'[^']*'|[^\s"'>]+)/gi;
    var entity = shell.createElement('textarea');
    function decode(s) { if (s.indexOf('&') < 0) return s; html.set.call(entity, s); return entity.value; }
    function encode(s) { return String(s).replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;'); }
    function written(s) {
      s = s.replace(/(<script\b[^>]*>)([^]*?)(?=<\/script)/gi, function (all, open, body) { return body ? open + code(body) : all; });
      s = s.replace(/(<style\b[^>]*>)([^]*?)(?=<\/style)/gi, function (all, open, body) { return open + css(body); });
      return s.replace(partial, function (all, tag, rest) {
        tag = tag.toLowerCase();
        if (tag === 'script') rest = ' nonce="' + S.nonce + '"' + rest.replace(/\snonce\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)/gi, '');
        if (!/=/.test(rest)) return all;
        var rel = /\srel\s*=\s*["']?\s*([a-z -]+)/i.exec(rest), as = /\sas\s*=\s*["']?\s*([a-z]+)/i.exec(rest);
        var el = shell.createElement(tag === 'link' ? 'link' : 'i');
        if (rel) setReal_.call(el, 'rel', rel[1]);
        if (as) setReal_.call(el, 'as', as[1]);
        return '<' + tag + rest.replace(attribute, function (whole, space, name, eq, quoted) {
          var bare = /^["']/.test(quoted) ? quoted.slice(1, -1) : quoted, old = decode(bare), v;
          if (tag === 'script' && name === 'nonce') return whole;
          v = value(el, tag, name.toLowerCase(), old);
          if (v === undefined && scriptOf(old) !== null) return space + 'data-varve-script="' + encode(scriptOf(old)) + '"';
          if (v === undefined) return space;
          return v === old ? whole : space + name + '="' + encode(v) + '"' + (keeps(name.toLowerCase()) ? ' ' + keptName(name.toLowerCase()) + '="' + encode(old) + '"' : '');
        }) + '>';
      });
    }
    var realWrite = own(W.Document.prototype, 'write').value;
    ['write', 'writeln'].forEach(function (name) {
      swap(W.Document.prototype, name, function (old) {
        return function () {
          var text = (this.varve$rest || '') + Array.prototype.join.call(arguments, '') + (name === 'writeln' ? '\n' : ''), doc = this;
          // A tag in pieces waits for its end.
          var cut = /<[a-z\/!?](?:"[^"]*"|'[^']*'|[^'">])*$/i.exec(text);
          hide(doc, 'varve$rest', cut ? cut[0] : '');
          if (cut) {
            text = text.slice(0, cut.index);
            W.queueMicrotask(function () { if (doc.varve$rest === cut[0]) { hide(doc, 'varve$rest', ''); realWrite.call(doc, written(cut[0])); } });
          }
          text = written(text).replace(/(<i?frame\b[^>]*?\s)(src|srcdoc)(?=\s*=)/gi, '$1data-varve-held-$2');
          try { return realWrite.call(doc, text); } finally { if (doc === W.document) listen(); sweep(); letGo(doc); }
        };
      });
    });
    swap(W.Document.prototype, 'open', function (old) { return function () { try { return old.apply(this, arguments); } finally { if (this === W.document) listen(); } }; });

    // ---- write: styles

    if (proto('CSSStyleSheet')) {
      ['insertRule', 'replace', 'replaceSync'].forEach(function (name) {
        swap(W.CSSStyleSheet.prototype, name, function (old) { return function (rule) { var args = Array.prototype.slice.call(arguments); args[0] = css(rule); return old.apply(this, args); }; });
      });
    }
    swap(W.CSSStyleDeclaration.prototype, 'setProperty', function (old) { return function (name, v) { var args = Array.prototype.slice.call(arguments); args[1] = css(v); return old.apply(this, args); }; });
    var cssText = own(W.CSSStyleDeclaration.prototype, 'cssText');
    if (cssText) accessor(W.CSSStyleDeclaration.prototype, 'cssText', function () { return styleText(this, cssText.get.call(this)); }, function (v) { cssText.set.call(this, css(v)); });
    // A style that is computed has absolute addresses, others those that were written.
    function styleText(decl, v) {
      if (typeof v !== 'string' || v.indexOf(S.prefix) < 0) return v;
      return computed && computed.has(decl) ? plain(v) : plainCSS(v);
    }
    var computed = W.WeakSet ? new W.WeakSet() : null;
    // Properties of a style are its own and cannot be replaced, so what is computed is looked at through a proxy.
    if (computed) swap(W, 'getComputedStyle', function (old) {
      return function () {
        var d = old.apply(W, arguments);
        computed.add(d);
        return new RealProxy(d, {
          get: function (t, k) { var v = t[k]; return typeof v === 'string' ? styleText(t, v) : typeof v === 'function' ? v.bind(t) : v; },
          set: function (t, k, v) { t[k] = v; return true; }
        });
      };
    });
    swap(W.CSSStyleDeclaration.prototype, 'getPropertyValue', function (old) { return function () { return styleText(this, old.apply(this, arguments)); }; });
    [W.CSSStyleDeclaration.prototype, proto('CSSStyleProperties')].forEach(function (p) {
      if (p) ['background', 'backgroundImage', 'background-image', 'listStyle', 'listStyleImage', 'list-style-image', 'borderImage', 'borderImageSource', 'border-image-source', 'content', 'cursor', 'mask', 'maskImage', 'mask-image', 'filter', 'src', 'webkitMaskImage', 'clipPath', 'fill', 'stroke', 'markerEnd'].forEach(function (k) {
        var d = own(p, k);
        if (d && d.get && d.set) accessor(p, k, function () { return styleText(this, d.get.call(this)); }, function (v) { d.set.call(this, css(v)); });
      });
    });
    ['CSSRule', 'CSSStyleRule', 'CSSImportRule'].forEach(function (n) {
      ['cssText', 'selectorText', 'href'].forEach(function (k) {
        var d = own(proto(n), k);
        if (d && d.get) accessor(proto(n), k, function () { return plainCSS(d.get.call(this)); }, d.set && function (v) { d.set.call(this, css(v)); });
      });
    });
    if (proto('SVGAnimatedString')) {
      var baseVal = own(W.SVGAnimatedString.prototype, 'baseVal');
      if (baseVal) accessor(W.SVGAnimatedString.prototype, 'baseVal', function () { var v = baseVal.get.call(this); return typeof v === 'string' ? plain(v) : v; }, function (v) {
        baseVal.set.call(this, /^(?:https?:)?\/|^[\w.]+\.\w+(?:#|$)/.test(v) ? archived(v, 'im_') : v);
      });
    }
    // el.style.backgroundImage cannot be replaced; what it wrote is put right before the browser draws. Frames that the
    // parser made are seen before the next script runs.
    function changed(list) {
      sweep();
      list.forEach(function (m) {
        if (m.type !== 'attributes') return;
        var v = getReal(m.target, 'style');
        if (v && /url\(/i.test(v)) { var w = css(v); if (w !== v && plain(w) !== plain(v)) return setReal_.call(m.target, 'style', w); if (w !== v) setReal_.call(m.target, 'style', w); }
      });
    }

    // ---- windows of frames get the shim before anybody can see them without it

    function adopt(win) {
      try {
        if (win && !own(win, 'varve$self') && win.document) {
          install(win, O.assign({}, S, { mod: 'if_', url: 'about:blank' }));
          var c = win.frameElement && getReal(win.frameElement, 'data-varve-script');
          if (c !== null && c !== undefined) runIn(win, c);
        }
      } catch (e) { /* not ours to touch */ }
      return win;
    }
    // sweep goes over the windows of the document's frames, whichever way they came.
    function sweep() { for (var i = 0; i < W.length; i++) adopt(W[i]); }
    ['HTMLIFrameElement', 'HTMLFrameElement', 'HTMLObjectElement', 'HTMLEmbedElement'].forEach(function (n) {
      var o = proto(n), win = own(o, 'contentWindow'), doc = own(o, 'contentDocument');
      function inside(f) { return adopt(win.get.call(f)); }
      if (win) accessor(o, 'contentWindow', function () { return inside(this); });
      if (doc) accessor(o, 'contentDocument', function () { if (win) inside(this); var d = doc.get.call(this); if (d) adopt(d.defaultView); return d; });
      if (o) swap(o, 'getSVGDocument', function (old) { return function () { var d = old.call(this); if (d) adopt(d.defaultView); return d; }; });
    });

    // ---- move

    ['pushState', 'replaceState'].forEach(function (name) {
      swap(W.History.prototype, name, function (old) {
        return function (state, title, url) {
          if (arguments.length > 2 && url !== null && url !== undefined) {
            var to; // as live, a page cannot say that it is one of another site
            try { to = new W.URL(original(String(url)), base()); } catch (e) { to = null; }
            if (!to || to.origin !== origin()) throw new W.DOMException("Failed to execute '" + name + "' on 'History': A history state object with URL '" + (to ? to.href : url) + "' cannot be created in a document with origin '" + origin() + "' and URL '" + pageURL() + "'.", 'SecurityError');
          }
          var out = arguments.length > 2 && url !== null && url !== undefined ? old.call(this, state, title, archived(url, S.mod)) : old.call(this, state, title);
          tell({ page: 1 });
          return out;
        };
      });
    });
    swap(W, 'open', function (old) {
      return function (url, name, features) {
        var t = target(name === undefined ? '_blank' : String(name)), c = scriptOf(url);
        if (c !== null) { var w = windowOf(t); if (w) runIn(w, c); return w; }
        if (t === '_self' || t === '_parent' || t === S.frame || named_(t)) return old.call(W, archived(url, isMain ? 'mp_' : S.mod), t, features);
        newWindow(url);
        return null;
      };
    });
    function named_(t) { try { return t && t[0] !== '_' && topOf(W).frames[t] && topOf(W).frames[t] === topOf(W).frames[t].window; } catch (e) { return false; } }
    // newWindow asks the frame page, since a sandboxed page opens none.
    function newWindow(url) {
      var to = new W.URL(archived(url, 'mp_'), host).href;
      if (to.indexOf(host + '/') !== 0) return; // an empty window has nothing to show
      if (frame) post({ open: to }); else real.href = to;
    }
    // windowOf gives the window of the page that a target names; null if it would be a new one.
    function windowOf(t) {
      t = t || '';
      if (t === '' || t === '_self') return W;
      if (t === '_parent') return W.parent;
      return t === S.frame ? topOf(W) : named_(t) ? topOf(W).frames[t] : null;
    }
    // scripted runs what a link or form with a javascript: address stands for, unless the page prevents it. It is told of
    // each event twice: before the page and after it, which may have stopped the event.
    function scripted(e, u, t) {
      var c = scriptOf(u), w = c !== null && windowOf(target(t || ''));
      if (c === null) return false;
      if (e.eventPhase === 1) { // on its way down
        realTimeout.call(W, function () { if (!e.defaultPrevented && w) w.varve$url(code(c)); }, 0);
      } else if (!e.defaultPrevented) {
        e.preventDefault();
        if (w) runIn(w, c);
      }
      return true;
    }
    function linkOf(e) { return e.target && e.target.closest && e.target.closest('a,area'); }
    function pressed(e) { var a = linkOf(e); if (a) scripted(e, hrefOf(a), getReal(a, 'target')); }
    function hrefOf(a) { var h = getReal(a, 'href'); return h === null ? getReal(a, 'xlink:href') || '' : h; }
    function sent(e) { var b = e.submitter, f = e.target; scripted(e, b && getReal(b, 'formaction') || getReal(f, 'action') || '', b && getReal(b, 'formtarget') || getReal(f, 'target')); }
    function clicked(e) {
      var a = linkOf(e);
      if (a && scripted(e, hrefOf(a), getReal(a, 'target'))) return;
      a = e.target && e.target.closest && e.target.closest('a[href],area[href]');
      if (!a || e.defaultPrevented || a.hasAttribute('download')) return;
      fixOne(a);
      var t = (getReal(a, 'target') || (D.querySelector('base[target]') && getReal(D.querySelector('base[target]'), 'target')) || '').toLowerCase();
      var away = t && t !== '_self' && t !== '_parent' && t !== '_top' && t !== S.frame && !named_(t);
      if (away || e.ctrlKey || e.metaKey) {
        e.preventDefault();
        newWindow(a.href);
      }
    }
    function submitted(e) { fixOne(e.target); sent(e); }
    // An empty frame says that it is loaded while it is put in: before anything else can look at it.
    function loaded(e) {
      sweep();
      if (e.target && e.target.varve$held) e.stopImmediatePropagation();
    }
    ['submit', 'requestSubmit'].forEach(function (name) {
      swap(W.HTMLFormElement.prototype, name, function (old) { return function () {
        fixOne(this);
        var c = name === 'submit' ? scriptOf(getReal(this, 'action') || '') : null, w;
        if (c === null) return old.apply(this, arguments);
        if ((w = windowOf(target(getReal(this, 'target') || '')))) runIn(w, c);
      }; });
    });

    // ---- tell the banner

    function post(what) { try { frame.postMessage({ varve: what }, S.top); } catch (e) { /* the frame is not ours */ } }
    function tell(what) {
      if (!frame || S.url === 'about:blank') return;
      if (what.page && isMain) post({ page: { url: pageURL(), time: S.time, title: D.title } });
    }
    // ---- beside another capture: a screen that compares two has them scroll together and changes marked

    var asks = ''; // origin of that screen, once it asked
    var put = -1; // where it had us scroll to
    function room() { var e = D.scrollingElement || D.documentElement; return Math.max(1, e.scrollHeight - W.innerHeight); }
    function answer(what) { frame.postMessage({ varve$beside: what }, asks); }
    function beside(e) {
      var m = e.data && e.data.varve$beside;
      if (!m || e.source !== frame) return;
      e.stopImmediatePropagation(); // the page itself was not spoken to
      if (!asks) {
        asks = e.origin;
        W.addEventListener('scroll', function () {
          var at = W.scrollY / room();
          if (Math.abs(at - put) > 0.003) answer({ scroll: at });
          put = -1;
        }, { passive: true });
      }
      if (typeof m.scroll === 'number') { put = m.scroll; W.scrollTo({ top: m.scroll * room(), behavior: 'instant' }); }
      if (Array.isArray(m.marks)) answer({ marked: mark(m.marks) });
    }
    // mark finds lines in the text of the page, whatever blanks and tags lie in them, and lays colours over them. It changes nothing.
    function mark(list) {
      if (!W.CSS || !W.CSS.highlights || !W.Highlight || !D.body) return 0;
      var walker = D.createTreeWalker(D.body, 4), node, plain = '', nodes = [], begins = [], blanks = /\s+/g;
      while ((node = walker.nextNode()) && plain.length < 500000) {
        if (/^(?:script|style|noscript|template)$/i.test(node.parentNode.nodeName)) continue;
        nodes.push(node); begins.push(plain.length); plain += node.data.replace(blanks, '');
      }
      // place leads from a character of the text without blanks to its node and offset.
      function place(i) {
        var lo = 0, hi = nodes.length - 1;
        while (lo < hi) { var mid = (lo + hi + 1) >> 1; if (begins[mid] <= i) lo = mid; else hi = mid - 1; }
        var n = i - begins[lo], data = nodes[lo].data, k = 0;
        for (;; k++) if (/\S/.test(data[k])) { if (n === 0) break; n--; }
        return [nodes[lo], k];
      }
      var ranges = {}, from = 0, found = 0;
      list.forEach(function (m) {
        var want = String(m.text).replace(blanks, ''), i = want ? plain.indexOf(want, from) : -1;
        if (want && i < 0) i = plain.indexOf(want);
        if (i < 0 || !/^[a-z]+$/.test(m.kind)) return;
        from = i + want.length;
        var r = D.createRange(), a = place(i), b = place(from - 1);
        r.setStart(a[0], a[1]); r.setEnd(b[0], b[1] + 1);
        (ranges[m.kind] = ranges[m.kind] || []).push(r);
        found++;
      });
      for (var kind in ranges) { var h = new W.Highlight(); ranges[kind].forEach(function (r) { h.add(r); }); W.CSS.highlights.set('varve-' + kind, h); }
      var sheet = new W.CSSStyleSheet();
      sheet.replaceSync('::highlight(varve-added){background-color:#bfe8cd;color:#14532d}::highlight(varve-removed){background-color:#f8cfc3;color:#7c2d12}::highlight(varve-reworded){background-color:#f6e7b4;color:#4a3a05}::highlight(varve-moved){background-color:#cfe3f5;color:#123a5c}');
      D.adoptedStyleSheets = Array.prototype.concat.call(Array.prototype.slice.call(D.adoptedStyleSheets), sheet);
      return found;
    }
    var setTimeout = W.setTimeout;
    attach();
    // listen hears what the page does; again when document.open took all listeners away.
    function listen() {
      W.addEventListener('click', pressed, true);
      W.addEventListener('click', clicked);
      W.addEventListener('submit', submitted, true);
      W.addEventListener('submit', sent);
      W.document.addEventListener('load', loaded, true);
      if (frame && isMain) W.addEventListener('message', beside, true);
    }
    // attach listens to the document; again when another took its place.
    function attach() {
      listen();
      new W.MutationObserver(changed).observe(D, { childList: true, attributes: true, subtree: true, attributeFilter: ['style'] });
      sweep();
      if (!frame || /^about:/.test(S.url)) return;
      D.addEventListener('securitypolicyviolation', function (e) {
        if (/^(?:https?|wss?):/.test(e.blockedURI) && e.blockedURI.indexOf(host) !== 0) post({ leak: { url: e.blockedURI, directive: e.effectiveDirective } });
      });
      var seen = [];
      var flush = null;
      var note = function (entry) {
        var name = entryName.get.call(entry);
        if (name.indexOf(host + S.prefix) !== 0) return;
        var t = (entry.serverTiming || []).filter(function (s) { return s.name === 'varve'; })[0];
        var said = t ? t.description.split(' ') : ['', ''];
        seen.push([original(name), said[0], said[1], entry.responseStatus || 0]);
        if (!flush) flush = setTimeout(function () { flush = null; post({ parts: seen }); seen = []; }, 200);
      };
      try { new W.PerformanceObserver(function (list) { list.getEntries().forEach(note); }).observe({ type: 'resource', buffered: true }); } catch (e) { /* the banner will know less */ }
      tell({ page: 1 });
      W.addEventListener('DOMContentLoaded', function () { tell({ page: 1 }); });
      W.addEventListener('popstate', function () { tell({ page: 1 }); });
      W.addEventListener('hashchange', function () { tell({ page: 1 }); });
    }
  }
})();
