// Runs in a world of its own beside the page: sees the same document, but none of the page's changes
// to the language. Go calls the functions of globalThis.varve one step at a time.
(() => {
  'use strict';
  if (globalThis.varve) return;
  const cfg = VARVE_CONFIG;
  const now = () => performance.now();
  let slow = 1; // how many times longer than usual everything takes
  const pace = f => { slow = f; };
  const pause = ms => new Promise(done => setTimeout(done, ms * slow));
  // drawn waits until the page was drawn twice: what watches scrolling has been told by then.
  const drawn = () => Promise.race([new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))), pause(300)]);
  const linkish = 'a[href],area[href],iframe,frame,img,source,video,audio,[data-src],[data-href],[style*="url("]';

  // ---- What limits kept out: links, counted, and kinds of things that were not looked at, each at least one.
  let lost = 0;
  const beyond = new Set();

  // ---- What changed. Removed parts are kept as text: their links were there.
  let changes = 0, last = now(), partsSize = 0, partsTaken = 0;
  const parts = new Set();
  const keep = html => {
    if (parts.has(html)) return;
    if (partsSize + html.length > cfg.parts) { lost++; return; }
    parts.add(html);
    partsSize += html.length;
  };
  const gone = node => {
    if (node.nodeType !== 1) return;
    if (node.localName === 'script' || node.localName === 'style') return;
    if (partsTaken >= 3000) { lost++; return; }
    partsTaken++;
    if (!node.matches(linkish) && !node.querySelector(linkish)) return;
    const html = node.outerHTML;
    if (html.length > 262144) lost++;
    keep(html.slice(0, 262144));
  };
  // News is what was never shown before: text, or an address. Going back and forth brings none.
  let acting = false, news = 0;
  const shown = new Set();
  const look = node => {
    if (!acting || shown.size > 20000) return;
    const where = node.nodeType === 1 ? node.getAttribute('href') || node.getAttribute('src') || node.querySelector('[href],[src]')?.getAttribute('href') : '';
    const sign = (node.textContent || '').slice(0, 200).trim() + '|' + (where || '');
    if (sign !== '|' && !shown.has(sign)) { shown.add(sign); news++; }
  };
  const observer = new MutationObserver(records => {
    for (const r of records) {
      if (r.type === 'attributes') {
        if (r.target.getAttribute(r.attributeName) === r.oldValue) continue;
        if (r.oldValue && partsTaken >= 3000) lost++;
        else if (r.oldValue) {
          partsTaken++;
          const copy = r.target.cloneNode(false);
          copy.setAttribute(r.attributeName, r.oldValue);
          const html = copy.outerHTML;
          if (html.length > 4096) lost++;
          keep(html.slice(0, 4096));
        }
      } else {
        r.removedNodes.forEach(gone);
        r.addedNodes.forEach(look);
      }
      changes++;
      last = now();
    }
  });
  const watched = new WeakSet();
  const watch = root => {
    if (watched.has(root)) return;
    watched.add(root);
    observer.observe(root, {subtree: true, childList: true, attributes: true, attributeOldValue: true, attributeFilter: ['href', 'src', 'srcset', 'poster', 'action', 'data-src']});
  };
  watch(document);

  // roots gives the document and all shadow roots in it, watched from now on.
  const roots = () => {
    const found = [document];
    for (let i = 0; i < found.length && i < 500; i++) {
      let n = 0;
      for (const el of found[i].querySelectorAll('*')) {
        if (n++ >= cfg.elements * 4) { beyond.add('elements of a root'); break; }
        if (el.shadowRoot) { found.push(el.shadowRoot); watch(el.shadowRoot); }
      }
    }
    if (found.length > 500) beyond.add('shadow roots');
    return found;
  };
  const all = selector => roots().flatMap(root => { try { return [...root.querySelectorAll(selector)]; } catch { return []; } });

  // Scripts that wait for an answer are told by the hook.
  let busy = 0;
  addEventListener(cfg.key + '-busy', () => { busy = now(); }, true);
  addEventListener(cfg.key + '-idle', () => { busy = 0; last = now(); }, true);

  // waiting is 1 while a script waits for an answer: what was done has an effect, though none is seen yet.
  const waiting = () => busy ? 1 : 0;

  // quiet resolves when nothing changed for ms and no script waits for an answer, or after cap. One that
  // waits for long, as for an event stream, is not waited for.
  const quiet = (ms, cap) => new Promise(done => {
    const began = now();
    const look = () => {
      const until = busy && now() - busy < cfg.stale ? now() + 20 : last + ms;
      const rest = Math.min(until, began + cap) - now();
      rest <= 0 ? done(changes) : setTimeout(look, rest + 1);
    };
    roots();
    look();
  });

  // ---- What may be clicked.
  const compile = words => {
    const good = (words || []).filter(w => { try { return new RegExp(w, 'iu'); } catch { return false; } });
    return good.length ? new RegExp(good.join('|'), 'iu') : /(?!)/;
  };
  const never = compile(cfg.never), more = compile(cfg.more), accept = compile(cfg.accept), banner = compile(cfg.banner);
  const label = el => [el.getAttribute('aria-label'), el.title, (el.textContent || '').slice(0, 120), el.value, el.id, el.getAttribute('name'), typeof el.className === 'string' ? el.className : '', el.getAttribute('data-action')].filter(Boolean).join(' ').replace(/[_\-\s]+/g, ' ').trim();
  const said = el => (el.getAttribute('aria-label') || el.textContent || el.title || el.value || '').replace(/\s+/g, ' ').trim().slice(0, 60);
  const visible = el => el.isConnected && (!el.checkVisibility || el.checkVisibility({visibilityProperty: true})) && el.getClientRects().length > 0;
  const realLink = a => { const h = a.getAttribute('href'); return h !== null && h !== '' && !h.startsWith('#') && !/^javascript:/i.test(h); };
  const leads = el => { const a = el.closest('a[href]'); return a !== null && realLink(a) && !more.test(said(el)); };
  const sends = el => {
    if (el.form && (el.type === 'submit' || el.type === 'image' || el.type === 'reset')) return !(el.form.method === 'get' || cfg.submit);
    return el.localName === 'input' && !['button', 'checkbox', 'radio'].includes(el.type) || ['textarea', 'select', 'option', 'label'].includes(el.localName);
  };
  const harmless = el => !el.disabled && el.getAttribute('aria-disabled') !== 'true' && !never.test(label(el)) && !sends(el) && !leads(el) && !el.closest('[contenteditable=""],[contenteditable=true]');
  const place = el => {
    let s = '';
    for (let e = el, i = 0; e && e.localName && i < 4; e = e.parentElement, i++) s += '<' + e.localName + (i > 0 && e.id ? '#' + e.id : '') + (e.getAttribute('role') || '');
    return s;
  };
  // Elements that scripts listen to are told by the hook, as events: all that both worlds see.
  const pressed = new WeakSet(), chooses = new WeakSet();
  addEventListener(cfg.key + '-press', e => pressed.add(e.composedPath()[0]), true);
  addEventListener(cfg.key + '-choose', e => chooses.add(e.composedPath()[0]), true);
  const usual = 'button,[role=button],[role=tab],[role=menuitem],[role=link],[role=treeitem],[role=switch],[role=combobox],summary,[onclick],[aria-expanded=false],[aria-haspopup],a:not([href]),a[href^="javascript:" i],a[href="#"],a[href=""],[data-toggle],[data-bs-toggle],input[type=button],input[type=checkbox],input[type=radio]';

  let candidates = null, candidatesAt = -1;
  // clickable lists what looks as if it did something, in the order of the document.
  const clickable = () => {
    if (candidates && candidatesAt === changes) return candidates;
    const found = [];
    let n = 0;
    for (const root of roots()) {
      for (const el of root.querySelectorAll('*')) {
        if (++n > cfg.elements) { beyond.add('elements to press'); break; }
        if (el === document.body || el === document.documentElement || el.localName === 'script') continue;
        const hash = el.localName === 'a' && /^#[!/]/.test(el.getAttribute('href') || '');
        if (!(hash || el.matches(usual) || pressed.has(el) || pointer(el))) continue;
        if (harmless(el) && visible(el)) found.push(el);
      }
    }
    candidates = found;
    candidatesAt = changes;
    return found;
  };
  const pointer = el => {
    if (getComputedStyle(el).cursor !== 'pointer') return false;
    const up = el.parentElement;
    return !up || getComputedStyle(up).cursor !== 'pointer';
  };

  const press = el => {
    const box = el.getBoundingClientRect();
    const at = {bubbles: true, cancelable: true, composed: true, view: window, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2, button: 0};
    for (const [type, down] of [['pointerdown', 1], ['mousedown', 1], ['pointerup', 0], ['mouseup', 0]]) {
      const Event = type.startsWith('pointer') ? PointerEvent : MouseEvent;
      el.dispatchEvent(new Event(type, {...at, buttons: down, pointerId: 1, isPrimary: true, pointerType: 'mouse'}));
    }
    typeof el.click === 'function' ? el.click() : el.dispatchEvent(new MouseEvent('click', at));
  };

  // ---- One step of exploring. What had no effect is not tried for its like many more times.
  // What brought something from the server and is still there is pressed again, whatever it says on it: a list may go on. Where that brings
  // nothing twice, its like are not (tabs); nor are the arrows of a calendar, which has no end.
  const endless = '[class*=calend i],[class*=kalend i],[class*=datepick i],[class*=month i],[id*=calend i],[id*=kalend i]';
  const done = new Set(), groups = new Map();
  let before = null, mores = 0;
  const judge = asked => {
    if (!before) return;
    const group = groups.get(before.group) || {tries: 0, barren: 0, ends: 0};
    if (!before.again) group.tries++;
    else if (asked === 0) group.ends++;
    if (asked > 0 && !before.more && !before.moved && before.el.isConnected && group.ends < 2 && !before.el.closest(endless)) {
      if (mores < cfg.mores) {
        mores++;
        done.delete(before.sign);
        again.add(before.sign);
      } else beyond.add('more');
    }
    const effect = asked > 0 || news > before.news;
    group.barren = effect ? 0 : group.barren + 1;
    groups.set(before.group, group);
    if (before.more && (before.moved || !effect)) done.add(before.sign);
    before = null;
  };
  const again = new Set(); // signs that are pressed once more
  const choose = () => {
    const counts = new Map();
    let first = null;
    for (const el of clickable()) {
      const group = place(el), text = said(el);
      const base = group + '|' + text;
      const k = counts.get(base) || 0;
      counts.set(base, k + 1);
      const isMore = more.test(text) && text.length < 60;
      const sign = base + '|' + (isMore ? 0 : k);
      if (done.has(sign)) continue;
      const g = groups.get(group);
      if (again.has(sign)) return {el, sign, group, more: false, text};
      if (g && (g.barren >= cfg.barren || g.tries >= cfg.alike)) continue;
      if (isMore && mores >= cfg.mores) beyond.add('more');
      if (isMore && mores < cfg.mores) return {el, sign, group: sign, more: true, text};
      if (!isMore && !first) first = {el, sign, group, more: false, text};
    }
    return first;
  };
  const explore = async asked => {
    acting = true;
    judge(asked);
    const c = choose();
    if (!c) return null;
    if (c.more) mores++; else done.add(c.sign);
    before = {el: c.el, group: c.group, sign: c.sign, changes, news, more: c.more, moved: false, again: again.delete(c.sign)};
    try { press(c.el); } catch { /* gone meanwhile */ }
    await pause(cfg.settle);
    return {did: c.more ? 'more' : 'click', what: c.el.localName + ' ' + c.text, changes: changes - before.changes + waiting()};
  };

  // ---- The other behaviours.
  const consent = () => {
    for (const el of all((cfg.consent || []).join(',') || 'none')) if (visible(el)) { press(el); return said(el) || el.localName; }
    for (const box of all('[id],[class],dialog,[role=dialog]')) {
      const name = box.id + ' ' + (typeof box.className === 'string' ? box.className : '') + ' ' + (box.getAttribute('aria-label') || '');
      if (!banner.test(name) || !visible(box)) continue;
      for (const b of box.querySelectorAll('button,[role=button],a,input[type=button],input[type=submit]')) {
        if (accept.test(said(b)) && visible(b) && !(b.localName === 'a' && realLink(b))) { press(b); return said(b); }
      }
    }
    return '';
  };
  const unfold = () => {
    let n = 0;
    for (const d of all('details:not([open])')) { d.open = true; n++; }
    for (const el of all('nav li,[aria-haspopup],[class*="menu" i] > li,[class*="dropdown" i],[data-hover]').slice(0, 60)) {
      for (const type of ['pointerover', 'pointerenter', 'mouseover', 'mouseenter']) el.dispatchEvent(new MouseEvent(type, {bubbles: type.endsWith('over'), composed: true}));
      n++;
    }
    return n;
  };
  const play = () => {
    let n = 0;
    for (const m of all('video,audio')) {
      m.muted = true;
      m.preload = 'auto';
      if (m.readyState === 0 && (m.currentSrc || m.querySelector('source'))) m.load();
      m.play().catch(() => {});
      n++;
    }
    return n;
  };
  const hush = () => { for (const m of all('video,audio')) m.pause(); };

  let scroller = null;
  const tallest = () => {
    const page = document.scrollingElement || document.documentElement;
    if (!page) return null;
    let best = page.scrollHeight > page.clientHeight + 8 ? page : null;
    if (!best) {
      let n = 0;
      for (const el of document.querySelectorAll('main,section,div,ul,ol,article')) {
        if (++n > 2000) break;
        if (el.scrollHeight > el.clientHeight + 40 && el.clientHeight > 100 && /auto|scroll/.test(getComputedStyle(el).overflowY) && (!best || el.scrollHeight > best.scrollHeight)) best = el;
      }
    }
    return best;
  };
  const scroll = async () => {
    scroller = scroller && scroller.isConnected ? scroller : tallest();
    if (!scroller) return {bottom: true, height: 0, changes: 0};
    const was = changes;
    scroller.scrollBy({top: Math.max(200, scroller.clientHeight * 0.9), behavior: 'instant'});
    await drawn();
    await pause(cfg.frame);
    return {bottom: scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 4, height: scroller.scrollHeight, changes: changes - was + waiting()};
  };
  const top = () => { if (scroller) scroller.scrollTo({top: 0, behavior: 'instant'}); };

  // options sets the next value of a select that some script listens to.
  const chosen = new Set();
  const option = async () => {
    for (const s of all('select')) {
      if (!visible(s) || s.disabled || never.test(label(s))) continue;
      if (s.form && !s.hasAttribute('onchange') && !chooses.has(s)) continue;
      if (s.options.length > 60) { beyond.add('options'); continue; }
      for (const o of s.options) {
        const sign = place(s) + s.name + s.id + '|' + o.value;
        if (chosen.has(sign) || o.disabled) continue;
        chosen.add(sign);
        if (o.index === s.selectedIndex) continue;
        if (chosen.size > cfg.options) { beyond.add('options'); continue; }
        const was = changes;
        s.selectedIndex = o.index;
        for (const type of ['input', 'change']) s.dispatchEvent(new Event(type, {bubbles: true}));
        await pause(cfg.settle);
        return {did: 'select', what: (s.name || s.id) + '=' + o.value, changes: changes - was + waiting()};
      }
    }
    return null;
  };

  // site runs one step of a site's own behaviour.
  const site = async step => {
    const was = changes;
    const found = all(step.selector).filter(visible);
    if (step.hide) for (const el of found) el.remove();
    else if (step.hover) for (const el of found) el.dispatchEvent(new MouseEvent('mouseover', {bubbles: true}));
    else for (const el of step.each ? found : found.slice(0, 1)) press(el);
    await pause(cfg.settle);
    return {did: 'site', what: step.selector, changes: found.length ? changes - was + 1 : 0};
  };

  // ---- Routers. The page is left at the entry of the history where it was found.
  const home = globalThis.navigation?.currentEntry?.key;
  const back = async () => {
    const n = globalThis.navigation;
    if (!n || !home || !n.currentEntry || n.currentEntry.key === home) return false;
    if (before) before.moved = true;
    try { await Promise.race([n.traverseTo(home).finished, pause(500)]); } catch { return false; }
    return true;
  };

  // ---- What there is to take.
  const formLinks = () => {
    const found = new Set();
    let left = 0;
    for (const f of all('form')) {
      if (f.method !== 'get' || never.test(label(f))) continue;
      const selects = [...f.elements].filter(e => e.name && e.localName === 'select');
      const choices = selects.filter(e => e.options.length <= 60);
      for (const s of selects) if (s.options.length > 60) left += s.options.length;
      const radios = new Map();
      for (const e of f.elements) if (e.type === 'radio' && e.name) radios.set(e.name, [...(radios.get(e.name) || []), e.value]);
      const sets = [...choices.map(s => [s.name, [...s.options].filter(o => !o.disabled).map(o => o.value)]), ...radios];
      if (!sets.length) continue;
      let urls = [new URLSearchParams(new FormData(f))];
      for (const [name, values] of sets) {
        const next = [];
        for (const u of urls) for (const v of values) { const c = new URLSearchParams(u); c.set(name, v); next.push(c); }
        if (next.length > cfg.options) left += next.length - values.length;
        urls = next.length <= cfg.options ? next : urls.concat(next.slice(0, values.length));
      }
      left += Math.max(0, urls.length - cfg.options);
      for (const u of urls.slice(0, cfg.options)) {
        try { const t = new URL(f.getAttribute('action') || location.href, document.baseURI); t.search = u; found.add(t.href); } catch { /* not an address */ }
      }
    }
    return {urls: [...found], left};
  };
  const harvest = () => {
    const found = roots();
    let room = cfg.html;
    const take = s => { const t = s.slice(0, room); room -= t.length; return t; };
    const main = document.documentElement ? take(document.documentElement.outerHTML) : '';
    const inner = found.slice(1).map(r => take(r.innerHTML)).filter(Boolean);
    observer.takeRecords();
    const forms = formLinks();
    const cut = lost + beyond.size + forms.left + (room <= 0 ? 1 : 0);
    return {url: location.href, base: document.baseURI, title: document.title.slice(0, 1000), html: main, parts: inner.concat([...parts]), forms: forms.urls, cut, beyond: [...beyond], elements: document.getElementsByTagName('*').length};
  };
  const text = limit => {
    const bits = [document.body ? document.body.innerText : ''];
    for (const r of roots().slice(1)) for (const el of r.children) if (el.innerText && el.localName !== 'style' && el.localName !== 'script') bits.push(el.innerText);
    return bits.join('\n').slice(0, limit);
  };

  // end stops what the page is doing: nobody looks any more.
  const end = () => {
    hush();
    window.stop();
    observer.disconnect();
    for (let i = Math.min(setTimeout(() => {}, 0), 100000); i > 0; i--) clearTimeout(i);
    for (let i = Math.min(requestAnimationFrame(() => {}), 100000), n = 0; i > 0 && n < 1000; i--, n++) cancelAnimationFrame(i);
  };

  Object.defineProperty(globalThis, 'varve', {value: {pace, quiet, explore, consent, unfold, play, hush, scroll, top, option, site, back, harvest, text, end}});
})();
