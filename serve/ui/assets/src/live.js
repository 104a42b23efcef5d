// A running crawl: its events as they come, and figures that are fetched again after them.

import { number, say } from './say.js'

const ordinary = new Set(['robots', 'refused', 'retry'])

function line(list, e) {
  const item = document.createElement('li')
  const time = document.createElement('time')
  time.textContent = String(e.time || '').slice(11, 19)
  const what = document.createElement('b')
  what.textContent = e.event
  const rest = document.createElement('span')
  rest.textContent = [e.url || e.host || e.authority || e.name || '', e.class || '', e.why || ''].filter(Boolean).join(' · ')
  item.append(time, ' ', what, ' ', rest)
  if (ordinary.has(e.event)) item.className = 'quiet'
  list.prepend(item)
  while (list.children.length > 60) list.lastChild.remove()
}

export function live() {
  const box = document.querySelector('[data-events]')
  if (!box || !window.EventSource) return
  const list = box.querySelector('ol')
  const state = box.querySelector('[data-state]')
  const figures = document.querySelector('[data-figures]')
  let due = 0
  const refresh = async () => {
    const got = await fetch(figures.dataset.figures, { headers: { Accept: 'application/json' } })
    if (!got.ok) return
    const p = await got.json()
    for (const el of figures.querySelectorAll('[data-field]')) {
      const v = p[el.dataset.field]
      if (v !== undefined) el.textContent = typeof v === 'number' ? number(v) : v
    }
    state.textContent = say('updated {0} UTC', new Date().toISOString().slice(11, 19))
  }
  const soon = () => {
    if (due) return
    due = setTimeout(() => { due = 0; refresh().catch(() => {}) }, 1000)
  }
  const source = new EventSource(box.dataset.events)
  source.onopen = () => { state.textContent = say('connected'); soon() }
  source.onerror = () => { state.textContent = source.readyState === 2 ? say('the crawl has ended or cannot be reached') : say('connection lost, trying again') }
  source.onmessage = (m) => {
    try { line(list, JSON.parse(m.data)) } catch { return }
    soon()
  }
  // Ordinary visits are no events: the figures are fetched in between, while somebody looks.
  const tick = setInterval(() => { if (!document.hidden && source.readyState === 1) soon() }, 3000)
  window.addEventListener('pagehide', () => { source.close(); clearInterval(tick) })
}
