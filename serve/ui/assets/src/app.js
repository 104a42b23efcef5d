// What every screen needs beyond HTML: filters without a full load (htmx), keys, live crawls.
// Lists and forms work without it.
import { say } from './say.js'
import htmx from '../vendor/htmx.esm.js'
import { keys } from './keys.js'
import { live } from './live.js'
import { search } from './search.js'
import { beside } from './beside.js'
import { cloud } from './cloud.js'
import { selection } from './selection.js'
import { plots } from './plot.js'
import { uploads } from './upload.js'
import { suggest } from './suggest.js'
import { menu, stack } from './stack.js'

// Strict CSP: nothing is evaluated, no style element is added, nothing leaves this origin.
Object.assign(htmx.config, { allowEval: false, includeIndicatorStyles: false, selfRequestsOnly: true, scrollIntoViewOnBoost: false, historyCacheSize: 0 })
window.htmx = htmx

// chosen sends a form as soon as one of its choices is changed; its button is for those without scripts.
function chosen(root) {
  for (const form of root.querySelectorAll('form[data-auto]')) {
    form.addEventListener('change', () => form.requestSubmit())
    const button = form.querySelector('button[data-noscript]')
    if (button) button.hidden = true
  }
}

// copies puts what a button names into the clipboard.
document.addEventListener('click', (e) => {
  const b = e.target.closest('button[data-copy]')
  if (!b || !navigator.clipboard) return
  navigator.clipboard.writeText(b.dataset.copy).then(() => {
    const was = b.textContent
    b.textContent = say('copied')
    setTimeout(() => { b.textContent = was }, 1200)
  })
})

// Questions before what cannot be undone.
document.addEventListener('submit', (e) => {
  const ask = e.target.dataset.confirm
  if (ask && !window.confirm(ask)) e.preventDefault()
})

// A picture that is still being drawn is asked for again; one that there is not takes no room.
document.addEventListener('error', (e) => {
  const img = e.target
  if (!img.matches?.('img[data-thumb]')) return
  const n = +img.dataset.thumb
  if (n === 2) { (img.closest('.looks li') ?? img).hidden = true; return }
  img.dataset.thumb = n + 1
  setTimeout(() => { img.src = img.src.replace(/&n=.*/, '') + '&n=' + n }, 3000)
}, true)

menu()
stack(document)
plots(document)
uploads(document)
chosen(document)
search(document)
cloud(document)
document.addEventListener('htmx:load', (e) => { stack(e.detail.elt); plots(e.detail.elt); chosen(e.detail.elt); search(e.detail.elt); cloud(e.detail.elt) })
keys()
selection()
beside()
suggest()
live()
