// Play: walks through the intervals of rising words. Each step is the page of the next interval; only its cloud
// is put in place, and the address follows.

import { say } from './say.js'

const pause = 2600 // ms that an interval stays

let timer = 0

async function step(href) {
  const got = await fetch(href, { headers: { Accept: 'text/html' } })
  if (!got.ok) throw new Error(String(got.status))
  const page = new DOMParser().parseFromString(await got.text(), 'text/html')
  const next = page.getElementById('cloud')
  const here = document.getElementById('cloud')
  if (!next || !here) throw new Error('no cloud')
  const open = here.querySelector('details')
  if (open) { const d = next.querySelector('details'); if (d) d.open = open.open }
  here.replaceWith(next)
  document.title = page.title
  const title = page.querySelector('main h1')
  if (title) document.querySelector('main h1').textContent = title.textContent
  window.history.replaceState(window.history.state, '', href)
  window.htmx.process(next)
  cloud(document)
}

function stop() {
  clearTimeout(timer)
  timer = 0
  const play = document.getElementById('play')
  if (play) { play.textContent = say('▶ Play'); play.setAttribute('aria-pressed', 'false') }
}

function run() {
  const box = document.getElementById('cloud')
  if (!box || !box.dataset.after) return stop()
  timer = setTimeout(async () => {
    const had = document.activeElement && document.activeElement.id === 'play'
    try { await step(box.dataset.after) } catch { return stop() }
    if (!timer) return
    playing()
    if (had) document.getElementById('play').focus()
    run()
  }, pause)
}

function playing() {
  const play = document.getElementById('play')
  play.textContent = say('❚❚ Stop')
  play.setAttribute('aria-pressed', 'true')
}

export function cloud(root) {
  const play = root.querySelector('#play')
  if (!play || play.dataset.ready) return
  play.hidden = false
  play.dataset.ready = 'true'
  play.addEventListener('click', async () => {
    if (timer) return stop()
    const box = document.getElementById('cloud')
    timer = 1 // somebody plays
    if (!box.dataset.after) { // at the end: again from the begin
      const first = box.querySelector('.bars a')
      try { await step(first.getAttribute('href')) } catch { return stop() }
      document.getElementById('play').focus()
    }
    playing()
    run()
  })
}

window.addEventListener('pagehide', stop)
