// The box at the top: while somebody types, what it may be is listed below. Arrows choose, Enter goes there; without a choice
// the form is sent as without scripts. The list follows the pattern of ARIA for a combobox.

import { say } from './say.js'

export function suggest() {
  const box = document.querySelector('input[data-suggest]')
  if (!box) return
  const list = document.createElement('div')
  list.id = 'suggestions'
  list.className = 'suggestions'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', say('Suggestions'))
  list.hidden = true
  box.form.append(list)
  for (const [k, v] of Object.entries({ role: 'combobox', 'aria-expanded': 'false', 'aria-controls': list.id, 'aria-autocomplete': 'list' })) box.setAttribute(k, v)
  let at = -1
  let due = 0
  let asked = 0
  const options = () => [...list.querySelectorAll('[role=option]')]
  const show = (on) => {
    list.hidden = !on
    box.setAttribute('aria-expanded', String(on))
    if (!on) choose(-1)
  }
  const choose = (i) => {
    at = i
    options().forEach((o, k) => o.setAttribute('aria-selected', String(k === i)))
    if (i < 0) return box.removeAttribute('aria-activedescendant')
    box.setAttribute('aria-activedescendant', options()[i].id)
    options()[i].scrollIntoView({ block: 'nearest' })
  }
  const fill = (groups) => {
    list.textContent = ''
    let n = 0
    for (const g of groups) {
      const group = document.createElement('div')
      group.setAttribute('role', 'group')
      group.setAttribute('aria-label', g.kind)
      const head = document.createElement('b')
      head.textContent = g.kind
      head.setAttribute('aria-hidden', 'true')
      group.append(head)
      for (const s of g.list) {
        const a = document.createElement('a')
        a.href = s.href
        a.id = 'suggestion-' + n++
        a.tabIndex = -1
        a.setAttribute('role', 'option')
        a.setAttribute('aria-selected', 'false')
        a.append(s.label)
        if (s.note) {
          const note = document.createElement('small')
          note.textContent = ' ' + s.note
          a.append(note)
        }
        group.append(a)
      }
      list.append(group)
    }
    show(n > 0)
  }
  const ask = async () => {
    const mine = ++asked
    const q = box.value.trim()
    if (q.length < 2) return show(false)
    const got = await fetch(box.dataset.suggest + '?' + new URLSearchParams({ q }))
    if (got.ok && mine === asked && document.activeElement === box) fill(await got.json())
  }
  box.addEventListener('input', () => { clearTimeout(due); due = setTimeout(() => ask().catch(() => {}), 180) })
  box.addEventListener('keydown', (e) => {
    if (list.hidden) return
    const n = options().length
    if (e.key === 'ArrowDown') choose((at + 1) % n)
    else if (e.key === 'ArrowUp') choose(at <= 0 ? n - 1 : at - 1)
    else if (e.key === 'Escape') show(false)
    else if (e.key === 'Enter' && at >= 0) options()[at].click()
    else return
    e.preventDefault()
  })
  box.addEventListener('blur', () => setTimeout(() => { if (!list.contains(document.activeElement)) show(false) }, 150))
}
