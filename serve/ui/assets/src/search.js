// The time slider of the search: two handles below the bars, and dragging across them. Both fill the
// fields of the form and send it; without scripts the fields and the bars, which are links, do the same.

import { say } from './say.js'

const day = 86400000
const wait = 450 // ms of quiet before a key press on a handle is sent

let held = '' // the handle that had the focus before its timeline was put in place anew
let left = null // a move of a handle that was not sent when that happened

const dayBefore = (date) => new Date(Date.parse(date + 'T00:00:00Z') - day).toISOString().slice(0, 10)

// slider makes one timeline move.
function slider(figure) {
  const form = document.getElementById('ask')
  const svg = figure.querySelector('.bars')
  const handles = figure.querySelector('.handles')
  if (!form || !svg || !handles || figure.dataset.ready) return
  const edges = figure.dataset.edges.split(',')
  const n = edges.length - 1
  // The place of an edge, in percent of the axis: months are not equally long.
  const at = edges.map((e) => Date.parse(e))
  const place = (i) => (100 * (at[i] - at[0])) / (at[n] - at[0])
  const under = (x) => { let i = 0; while (i < n - 1 && place(i + 1) <= x) i++; return i } // the bucket of a place
  const [lo, hi] = handles.querySelectorAll('input')
  const brush = figure.querySelector('.brush')
  const said = figure.querySelector('output')
  let due = 0

  // show draws the part between two edges.
  const show = (a, b) => {
    const all = a === 0 && b === n
    brush.setAttribute('x', place(a) + '%')
    brush.setAttribute('width', place(b) - place(a) + '%')
    brush.setAttribute('visibility', all ? 'hidden' : 'visible')
    lo.setAttribute('aria-valuetext', say('from {0}', edges[a]))
    hi.setAttribute('aria-valuetext', say('until {0}', dayBefore(edges[b])))
    said.textContent = all ? say('all times') : say('{0} to {1}', edges[a], dayBefore(edges[b]))
    const bars = svg.querySelectorAll('a')
    for (const bar of bars) {
      const i = under(parseFloat(bar.querySelector('.hot').getAttribute('x')) + 0.01)
      bar.classList.toggle('out', i < a || i >= b)
    }
  }

  // send asks for the part between two edges.
  const send = (a, b) => {
    clearTimeout(due)
    left = null
    const all = a === 0 && b === n
    form.elements.from.value = all ? '' : edges[a]
    form.elements.to.value = all ? '' : dayBefore(edges[b])
    form.elements.asof.value = ''
    form.requestSubmit()
  }

  const values = () => [Number(lo.value), Number(hi.value)]
  const moved = (e) => {
    let [a, b] = values()
    if (b <= a && e.target === lo) a = Math.max(0, b - 1)
    else if (b <= a) b = Math.min(n, a + 1)
    lo.value = a
    hi.value = b
    show(a, b)
  }
  for (const h of [lo, hi]) {
    h.addEventListener('input', moved)
    h.addEventListener('change', () => later())
  }
  // later sends a move when nothing follows it. An answer may come in between and bring another timeline, which goes on with it.
  const later = () => {
    left = { edges: figure.dataset.edges, values: values() }
    clearTimeout(due)
    due = setTimeout(() => { if (figure.isConnected) send(...values()) }, wait)
  }

  // Dragging across the bars.
  let from = -1
  let dragged = false
  const bucket = (e) => {
    const box = svg.getBoundingClientRect()
    return under((100 * (e.clientX - box.left)) / box.width)
  }
  svg.addEventListener('dragstart', (e) => e.preventDefault())
  svg.addEventListener('pointerdown', (e) => {
    if (e.button !== 0) return
    from = bucket(e)
    dragged = false
  })
  svg.addEventListener('pointermove', (e) => {
    if (from < 0) return
    const at = bucket(e)
    if (!dragged && at === from) return
    if (!dragged) svg.setPointerCapture(e.pointerId)
    dragged = true
    show(Math.min(from, at), Math.max(from, at) + 1)
  })
  svg.addEventListener('pointerup', (e) => {
    if (from < 0) return
    const at = bucket(e)
    const [a, b] = [Math.min(from, at), Math.max(from, at) + 1]
    from = -1
    if (!dragged) return
    lo.value = a
    hi.value = b
    send(a, b)
  })
  svg.addEventListener('pointercancel', () => { from = -1; dragged = false; show(...values()) })
  svg.addEventListener('click', (e) => {
    if (e.ctrlKey || e.metaKey || e.shiftKey) return // a new tab is the browser's business
    e.preventDefault()
    if (dragged) dragged = false
    else if (e.target.closest('a')) send(bucket(e), bucket(e) + 1)
  })

  handles.hidden = false
  said.hidden = false
  show(...values())
  if (held) document.getElementById(held).focus({ preventScroll: true })
  held = ''
  if (left && left.edges === figure.dataset.edges) {
    lo.value = left.values[0]
    hi.value = left.values[1]
    show(...values())
    later()
  }
  figure.dataset.ready = 'true'
}

export function search(root) {
  for (const figure of root.querySelectorAll('[data-timeline]')) slider(figure)
}

// At once, not when all has settled: a key that is pressed until then would be lost.
document.addEventListener('htmx:afterSwap', () => search(document))

// Whoever asks for something else does not wait for a handle any more.
document.addEventListener('htmx:beforeRequest', () => { left = null })

// Fields that are empty are no part of an address.
document.addEventListener('htmx:configRequest', (e) => {
  if (e.detail.verb !== 'get' || e.detail.elt.id !== 'ask') return
  const data = e.detail.formData
  for (const [k, v] of [...data.entries()]) if (v === '') data.delete(k)
})

// A question that cannot be answered is told in its place.
document.addEventListener('htmx:beforeSwap', (e) => {
  const d = e.detail
  const on = document.activeElement
  held = d.target.id === 'search' && on && on.closest('.handles') ? on.id : ''
  if (d.target.id === 'search' && d.xhr.status >= 400 && d.serverResponse.includes('id="search"')) {
    d.shouldSwap = true
    d.isError = false
  }
})
