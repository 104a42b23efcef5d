// Puts the film of a page, got by an external program, where the page's own player is dead.
//
//   a video or audio that cannot play (no source, an error, nothing loaded) gets the film as its source;
//   else a plug-in, a frame or a box named like a player is replaced by one;
//   else the film stands at the top of the page.
'use strict';
(() => {
  const settings = JSON.parse(document.currentScript.dataset.varveFilm);
  // It runs before the shim, which would take addresses in the archive for those of the page.
  const source = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'src').set;
  let placed = false;

  const dead = v => v.error || v.networkState === 3 || v.readyState === 0;
  const area = e => { const r = e.getBoundingClientRect(); return r.width * r.height; };
  const largest = list => [...list].filter(e => area(e) > 0).sort((a, b) => area(b) - area(a))[0];

  function load(v) {
    for (const s of v.querySelectorAll('source')) s.remove();
    source.call(v, settings.address);
    v.controls = true;
    v.load();
    mark(v);
  }

  function mark(v) {
    placed = true;
    v.dataset.varveFilm = settings.time;
    v.title = 'Recorded ' + settings.time + ', shown in place of the player of then';
  }

  function make(width, height) {
    const v = document.createElement(settings.sound ? 'audio' : 'video');
    source.call(v, settings.address);
    v.controls = true;
    v.style.cssText = 'display:block;max-width:100%;background:#000;' + (width ? `width:${width}px;height:${height}px` : 'width:640px');
    mark(v);
    return v;
  }

  function place() {
    if (placed || !document.body) return;
    const players = [...document.querySelectorAll('video, audio')];
    if (players.some(v => !dead(v))) { placed = true; return; } // it plays by itself
    if (players.length) { load(largest(players) || players[0]); return; }
    const box = largest(document.querySelectorAll('object, embed, [id*=player i], [class*=player i]'));
    if (box) {
      const r = box.getBoundingClientRect();
      const v = make(Math.round(r.width), Math.round(r.height));
      if (box.matches('object, embed')) box.replaceWith(v); else box.replaceChildren(v);
      return;
    }
    document.body.prepend(make());
  }

  // Players are made by scripts, some time after the page; one that is alive has begun to load by then.
  window.addEventListener('load', () => setTimeout(place, 1500), {once: true});
})();
