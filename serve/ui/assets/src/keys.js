// Keys: / search, j k move, Enter or o open, ? help, Escape leave. A link with data-focus leads to a field.

function typing(el) {
  return el && (el.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(el.tagName))
}

function rows() {
  return [...document.querySelectorAll('[data-row]')].filter((r) => r.offsetParent !== null)
}

function move(step) {
  const all = rows()
  if (!all.length) return
  const now = all.findIndex((r) => r.classList.contains('at'))
  const next = Math.min(all.length - 1, Math.max(0, now < 0 ? (step > 0 ? 0 : all.length - 1) : now + step))
  for (const r of all) r.classList.remove('at')
  const row = all[next]
  row.classList.add('at')
  const link = row.querySelector('a[href]')
  if (link) link.focus({ preventScroll: true })
  row.scrollIntoView({ block: 'nearest' })
}

export function keys() {
  const help = document.getElementById('keys')
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return
    if (e.key === 'Escape' && typing(document.activeElement)) return document.activeElement.blur()
    if (typing(e.target)) return
    if (e.key === '/') {
      const box = document.getElementById('words') || document.getElementById('q')
      if (box) { e.preventDefault(); box.focus(); box.select() }
    } else if (e.key === '?') {
      if (help && help.showModal) help.open ? help.close() : help.showModal()
    } else if (e.key === 'j') {
      move(1)
    } else if (e.key === 'k') {
      move(-1)
    } else if (e.key === 'o') {
      const link = document.querySelector('[data-row].at a[href]')
      if (link) link.click()
    } else {
      const key = CSS.escape(e.key)
      const to = `button[data-key="${key}"], a[data-key="${key}"]`
      const link = document.querySelector(`[data-row].at :is(${to})`) || document.querySelector(to) // of the row one is at, if rows have it
      if (!link) return
      link.click()
      const box = link.dataset.focus && document.getElementById(link.dataset.focus)
      if (box) { e.preventDefault(); box.focus() }
    }
  })
}
