// The editor of queries: prefixes, classes, properties and words of SPARQL are offered while one types. Arrows choose, Enter or Tab takes, Escape leaves;
// taking a name whose prefix is not declared declares it. Ctrl+Enter asks. The list follows the pattern of ARIA for a combobox.
import { say } from './say.js'

const box = document.querySelector('textarea[data-words]')
if (box) editor(box, JSON.parse(box.dataset.words))

function editor(box, known) {
  const list = document.createElement('div')
  list.id = 'completions'
  list.className = 'suggestions'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', say('Completions'))
  list.hidden = true
  const place = document.createElement('div')
  place.style.position = 'relative'
  box.after(place)
  place.append(list)
  for (const [k, v] of Object.entries({ role: 'combobox', 'aria-expanded': 'false', 'aria-controls': list.id, 'aria-autocomplete': 'list' })) box.setAttribute(k, v)
  let at = -1
  const options = () => [...list.children]
  const choose = (i) => {
    at = i
    options().forEach((o, k) => o.setAttribute('aria-selected', String(k === i)))
    if (i < 0) return box.removeAttribute('aria-activedescendant')
    box.setAttribute('aria-activedescendant', options()[i].id)
    options()[i].scrollIntoView({ block: 'nearest' })
  }
  const show = (on) => {
    list.hidden = !on
    box.setAttribute('aria-expanded', String(on))
    choose(on ? 0 : -1)
  }
  const token = () => (box.value.slice(0, box.selectionStart).match(/[?$]?[\w-]*:?[\w-]*$/) || [''])[0]
  const candidates = (t) => {
    if (t.length < 2) return []
    if (t[0] === '?' || t[0] === '$') {
      const before = box.value.slice(0, box.selectionStart - t.length) + box.value.slice(box.selectionStart)
      return [...new Set(before.match(/[?$]\w+/g) || [])].filter((v) => v.startsWith(t) && v !== t).map((w) => ({ w, n: say('variable') }))
    }
    const low = t.toLowerCase()
    return known.words.filter((x) => x.w.toLowerCase().startsWith(low) && x.w !== t)
  }
  const take = (w) => {
    const t = token()
    const from = box.selectionStart - t.length
    box.setRangeText(w, from, box.selectionStart, 'end')
    const prefix = w.includes(':') ? w.slice(0, w.indexOf(':')) : ''
    if (prefix && known.prefixes[prefix] && !new RegExp('PREFIX\\s+' + prefix + ':', 'i').test(box.value)) {
      const line = 'PREFIX ' + prefix + ': <' + known.prefixes[prefix] + '>\n'
      const caret = box.selectionStart
      box.setRangeText(line, 0, 0, 'preserve')
      box.setSelectionRange(caret + line.length, caret + line.length)
    }
    show(false)
    box.focus()
  }
  box.addEventListener('input', () => {
    list.textContent = ''
    const some = candidates(token()).slice(0, 12)
    some.forEach((x, i) => {
      const a = document.createElement('a')
      a.id = 'completion-' + i
      a.tabIndex = -1
      a.setAttribute('role', 'option')
      a.append(x.w)
      if (x.n) {
        const note = document.createElement('small')
        note.textContent = ' ' + x.n
        a.append(note)
      }
      a.addEventListener('mousedown', (e) => { e.preventDefault(); take(x.w) })
      a.dataset.word = x.w
      list.append(a)
    })
    show(some.length > 0)
  })
  box.addEventListener('keydown', (e) => {
    if (e.key === 'Enter' && (e.ctrlKey || e.metaKey)) {
      e.preventDefault()
      return box.form.requestSubmit()
    }
    if (list.hidden) return
    const n = options().length
    if (e.key === 'ArrowDown') choose((at + 1) % n)
    else if (e.key === 'ArrowUp') choose(at <= 0 ? n - 1 : at - 1)
    else if (e.key === 'Escape') { show(false); e.stopPropagation() }
    else if ((e.key === 'Enter' || e.key === 'Tab') && at >= 0) take(options()[at].dataset.word)
    else return
    e.preventDefault()
  })
  box.addEventListener('blur', () => show(false))
}
