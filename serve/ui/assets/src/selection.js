// Deciding by keyboard: i and e on the current row, u takes it back, capitals decide on all versions of the page.
// A decision is the row's form; the page that it leads to gives the new row and the counts.

import { number, say } from './say.js'

const does = { i: 'include', e: 'exclude', u: 'reset', I: 'include-page', E: 'exclude-page' }

function current(table) {
  return table.querySelector('tr.at') || table.querySelector('tr[data-row]')
}

// step marks the row after one.
function step(row) {
  const next = row.nextElementSibling
  if (!next) return
  for (const r of row.parentNode.querySelectorAll('.at')) r.classList.remove('at')
  next.classList.add('at')
  const link = next.querySelector('a[href]')
  if (link) link.focus({ preventScroll: true })
  next.scrollIntoView({ block: 'nearest' })
}

async function decide(form, what) {
  const row = form.closest('tr')
  const data = new FormData(form)
  data.set('do', what)
  row.setAttribute('aria-busy', 'true')
  const got = await fetch(form.action, { method: 'POST', body: new URLSearchParams(data) })
  const page = new DOMParser().parseFromString(await got.text(), 'text/html')
  const counts = page.getElementById('counts')
  if (!got.ok || !counts) {
    row.removeAttribute('aria-busy')
    row.querySelector('.tag').textContent = say('not saved')
    return
  }
  document.getElementById('counts').replaceWith(counts)
  for (const old of document.querySelectorAll('#choices tr[data-row]')) {
    const fresh = page.getElementById(old.id)
    if (old !== row && !fresh) continue
    if (!fresh) { row.classList.add('done'); row.removeAttribute('aria-busy'); row.querySelector('.tag').textContent = what.startsWith('include') ? say('included') : what.startsWith('exclude') ? say('excluded') : ''; continue }
    if (old.classList.contains('at')) fresh.classList.add('at')
    old.replaceWith(fresh)
  }
}

function threshold() {
  const slide = document.getElementById('threshold')
  const says = document.getElementById('threshold-says')
  if (!slide || !says) return
  const above = slide.dataset.above.split(',').map(Number)
  const least = Number(slide.dataset.least)
  const tell = () => {
    const t = Number(slide.value)
    const n = above[Math.round(t * 100)]
    says.textContent = t.toFixed(2) + ': ' + (t < least ? say('more than {0} versions, not counted yet', number(above[0])) : say('about {0} versions', number(n)))
  }
  slide.addEventListener('input', tell)
  tell()
}

export function selection() {
  threshold()
  const table = document.getElementById('choices')
  if (!table) return
  table.addEventListener('submit', (e) => {
    e.preventDefault()
    decide(e.target, e.submitter ? e.submitter.value : 'include')
  })
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return
    if (e.target.closest('input, textarea, select')) return
    const row = current(table)
    if (!row) return
    if (e.key === 'n') { e.preventDefault(); row.querySelector('input[name=note]').focus(); return }
    const what = does[e.key]
    if (!what) return
    e.preventDefault()
    const form = row.querySelector('form.decide')
    if (what !== 'reset') step(row)
    decide(form, what)
  })
}
