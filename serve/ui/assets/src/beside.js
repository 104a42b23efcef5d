// Two captures side by side: they scroll together, and what changed is marked in both. The pages are archived ones on
// another origin; replay's own script in them does as it is asked, and can do no more to this page than to tell a number.

import { say } from './say.js'

export function beside() {
  const box = document.querySelector('.frames[data-beside]')
  if (!box) return
  const frames = [...box.querySelectorAll('iframe')]
  const said = document.getElementById('beside-said')
  const together = document.getElementById('together')
  if (frames.length !== 2) return
  const marked = [null, null]
  // Replay leads a frame to an origin of its collection. What is sent are lines of the page itself, and a number.
  const send = (i, what) => frames[i].contentWindow.postMessage({ varve$beside: what }, '*')
  const ask = (i) => { if (marked[i] === null) send(i, { marks: JSON.parse(frames[i].dataset.marks || '[]') }) }
  frames.forEach((f, i) => f.addEventListener('load', () => { marked[i] = null; ask(i) }))
  // The frame may have been loaded before this script, or its own script may be late.
  let tries = 0
  const timer = setInterval(() => {
    frames.forEach((_, i) => ask(i))
    if (marked.every((n) => n !== null)) return clearInterval(timer)
    if (++tries === 20) {
      clearInterval(timer)
      said.textContent = say('Changes are not marked here: the scripts of archived pages do not run in this browser, or a page has none of its own text. The tab Text shows them.')
    }
  }, 500)
  window.addEventListener('message', (e) => {
    const i = frames.findIndex((f) => f.contentWindow === e.source)
    const m = e.data && e.data.varve$beside
    if (i < 0 || !m) return
    if (typeof m.marked === 'number') {
      marked[i] = m.marked
      if (marked.every((n) => n !== null)) {
        said.textContent = say('{0} lines are marked before, {1} after.', marked[0], marked[1])
        box.dataset.ready = 'true'
      }
    }
    if (typeof m.scroll === 'number' && together.checked) send(1 - i, { scroll: Math.min(1, Math.max(0, m.scroll)) })
  })
}
