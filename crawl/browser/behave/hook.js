// Runs in the page's own world before any script of it: makes what follows repeatable and visible.
(() => {
  'use strict';
  const cfg = VARVE_CONFIG;
  const timers = new Map();
  const state = {scrolls: 0, opened: [], unopened: 0, timers: () => timers.size, hurry: () => {
    const due = [...timers].sort((x, y) => x[1].due - y[1].due);
    timers.clear();
    for (const [id, t] of due) {
      forget(id);
      try { t.run(); } catch (e) { set(() => { throw e; }); }
    }
    return due.length;
  }};
  const key = Symbol.for(cfg.key);
  if (globalThis[key]) return;
  Object.defineProperty(globalThis, key, {value: state});

  // Math.random from a seed (sfc32), so that a second run asks for the same.
  let a = cfg.seed | 0, b = 0x9e3779b9 | 0, c = 0x243f6a88 | 0, d = 1;
  const random = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  for (let i = 0; i < 12; i++) random();
  Math.random = random;

  // What a page means to do in some seconds can be done at once when it is quiet.
  const set = globalThis.setTimeout, forget = globalThis.clearTimeout;
  globalThis.setTimeout = function setTimeout(fn, delay, ...args) {
    if (typeof fn !== 'function' || !(delay > 60) || delay > cfg.late || timers.size >= 500) return set(fn, delay, ...args);
    const run = () => fn.apply(globalThis, args);
    const id = set(() => { timers.delete(id); run(); }, delay);
    timers.set(id, {run, due: performance.now() + delay});
    return id;
  };
  globalThis.clearTimeout = function clearTimeout(id) { timers.delete(id); forget(id); };

  // Nobody answers dialogs.
  globalThis.alert = () => {};
  globalThis.confirm = () => false;
  globalThis.prompt = () => null;
  globalThis.print = () => {};

  // New windows are links.
  globalThis.open = url => {
    if (url !== undefined) {
      try {
        const to = new URL(url, document.baseURI).href;
        if (state.opened.length < 200) state.opened.push(to); else state.unopened++;
      } catch { /* not an address */ }
    }
    return null;
  };

  // Closed shadow roots hide links.
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) { return attach.call(this, {...init, mode: 'open'}); };

  // Does anything wait for scrolling?
  const Observer = globalThis.IntersectionObserver;
  if (Observer) {
    globalThis.IntersectionObserver = class extends Observer {
      constructor(...args) { super(...args); state.scrolls++; }
    };
  }
  // Who listens? Elements are kept until our other world asks; it is told by events on them.
  const presses = new Set(['click', 'mousedown', 'pointerdown', 'mouseup', 'pointerup', 'touchstart', 'touchend']);
  let heard = [];
  const hear = (target, type) => {
    if (heard.length >= 5000 || !(target instanceof Element)) return;
    if (presses.has(type)) heard.push([target, '-press']);
    else if (type === 'change' || type === 'input') heard.push([target, '-choose']);
  };
  const listen = EventTarget.prototype.addEventListener, dispatch = EventTarget.prototype.dispatchEvent;
  EventTarget.prototype.addEventListener = function addEventListener(type, ...rest) {
    if (type === 'scroll' || type === 'wheel' || type === 'touchmove' || type === 'scrollend') state.scrolls++;
    if (type === 'beforeunload') return undefined; // nobody asks whether to stay
    hear(this, type);
    return listen.call(this, type, ...rest);
  };
  for (const type of ['click', 'mousedown', 'mouseup', 'pointerdown', 'pointerup', 'change', 'input', 'scroll']) {
    for (const proto of [HTMLElement.prototype, SVGElement.prototype, Window.prototype, Document.prototype]) {
      const d = Object.getOwnPropertyDescriptor(proto, 'on' + type);
      if (!d || !d.set || !d.configurable) continue;
      Object.defineProperty(proto, 'on' + type, {...d, set(fn) {
        if (type === 'scroll') state.scrolls++;
        else hear(this, type);
        d.set.call(this, fn);
      }});
    }
  }
  Object.defineProperty(globalThis, 'onbeforeunload', {get: () => null, set: () => {}});
  const onscroll = Object.getOwnPropertyDescriptor(globalThis, 'onscroll');
  if (onscroll && onscroll.set && onscroll.configurable) {
    Object.defineProperty(globalThis, 'onscroll', {...onscroll, set(fn) { state.scrolls++; onscroll.set.call(this, fn); }});
  }
  // Is a request of a script under way, or its answer being read? Our other world is told by events.
  let pending = 0;
  const say = what => { dispatch.call(document, new Event(cfg.key + what)); };
  const begin = () => { if (pending++ === 0) say('-busy'); };
  const finish = () => set(() => { if (--pending === 0) say('-idle'); }, 0);
  const during = promise => { begin(); promise.then(finish, finish); return promise; };
  const fetching = globalThis.fetch;
  if (fetching) globalThis.fetch = function fetch(...args) { return during(fetching.apply(this, args)); };
  for (const name of ['text', 'json', 'blob', 'arrayBuffer', 'formData', 'bytes']) {
    const read = Response.prototype[name];
    if (read) Response.prototype[name] = {[name]() { return during(read.call(this)); }}[name];
  }
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = {send(...args) {
    begin();
    listen.call(this, 'loadend', finish, {once: true});
    try { return send.apply(this, args); } catch (e) { finish(); throw e; }
  }}.send;

  state.tell = () => {
    const tell = heard;
    heard = [];
    for (const [target, what] of tell) {
      if (!target.isConnected) continue;
      dispatch.call(target, new Event(cfg.key + what, {composed: true}));
    }
    return tell.length;
  };
})();
