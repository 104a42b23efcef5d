// The site's own player: reads HLS lists of fragmented MP4 and feeds a MediaSource, for what a browser does not play
// by itself. What it did stands in window.player.
'use strict';
window.player = {appended: 0, lists: 0, ended: false, error: '', variant: ''};

async function load(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(url + ': ' + answer.status);
  const list = {variants: [], segments: [], map: '', ended: false, sequence: 0};
  let variant = false;
  for (const line of (await answer.text()).split('\n').map(l => l.trim())) {
    const uri = /URI="([^"]*)"/.exec(line);
    if (line.startsWith('#EXT-X-STREAM-INF')) variant = true;
    else if (line.startsWith('#EXT-X-MAP') && uri) list.map = new URL(uri[1], answer.url).href;
    else if (line.startsWith('#EXT-X-MEDIA-SEQUENCE:')) list.sequence = Number(line.split(':')[1]);
    else if (line === '#EXT-X-ENDLIST') list.ended = true;
    else if (line && line[0] !== '#') {
      (variant ? list.variants : list.segments).push(new URL(line, answer.url).href);
      variant = false;
    }
  }
  window.player.lists++;
  return list;
}

function append(buffer, bytes) {
  return new Promise((done, failed) => {
    buffer.addEventListener('updateend', done, {once: true});
    buffer.addEventListener('error', () => failed(new Error('append')), {once: true});
    buffer.appendBuffer(bytes);
  });
}

async function play(video, url, pick) {
  let list = await load(url);
  if (list.variants.length) {
    url = list.variants[Math.min(pick, list.variants.length - 1)];
    window.player.variant = url;
    list = await load(url);
  }
  const source = new MediaSource();
  video.src = URL.createObjectURL(source);
  await new Promise(done => source.addEventListener('sourceopen', done, {once: true}));
  const buffer = source.addSourceBuffer('video/mp4; codecs="avc1.42C01E"');
  buffer.mode = 'sequence';
  const get = async u => {
    const a = await fetch(u);
    if (!a.ok) throw new Error(u + ': ' + a.status);
    return a.arrayBuffer();
  };
  if (list.map) await append(buffer, await get(list.map));
  let next = list.sequence;
  for (;;) {
    for (let i = Math.max(0, next - list.sequence); i < list.segments.length; i++) {
      await append(buffer, await get(list.segments[i]));
      window.player.appended++;
      next = list.sequence + i + 1;
    }
    if (list.ended) break;
    await new Promise(done => setTimeout(done, 1000));
    list = await load(url);
  }
  source.endOfStream();
  window.player.ended = true;
}

document.addEventListener('DOMContentLoaded', () => {
  const video = document.querySelector('video[data-list]');
  if (!video) return;
  video.muted = true;
  play(video, video.dataset.list, Number(video.dataset.pick || 0)).catch(e => { window.player.error = String(e); });
  video.play().catch(() => {});
});
