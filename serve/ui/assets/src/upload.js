// Files that a curator brings in, one after the other, each with its progress and what became of it.
import { number, say } from './say.js'

function send(form, file, line, begun) {
  return new Promise((done) => {
    const x = new XMLHttpRequest()
    const at = (share) => { line.querySelector('progress').value = share; line.querySelector('span').textContent = say('{0} %', number(Math.round(100 * share))) }
    const end = (text, bad) => { line.querySelector('progress').remove(); line.querySelector('span').textContent = text; line.classList.toggle('bad', bad); done(!bad) }
    x.upload.onprogress = (e) => { if (e.lengthComputable) at(e.loaded / e.total) }
    x.upload.onload = () => { line.querySelector('span').textContent = say('received; it is looked at') }
    x.onerror = () => end(say('The connection broke. Nothing of it was taken.'), true)
    x.onabort = () => end(say('cancelled'), true)
    x.onload = () => {
      let answer = {}
      try { answer = JSON.parse(x.responseText) } catch { /* no JSON: the status says it */ }
      if (x.status !== 200) return end(answer.detail || x.statusText, true)
      const words = { added: say('taken'), there: say('was there already') }
      end(answer.items.map((f) => f.name + ': ' + (words[f.outcome] || f.outcome)).join(', '), false)
    }
    x.open('POST', form.dataset.upload + '?name=' + encodeURIComponent(file.name))
    x.setRequestHeader('X-CSRF-Token', form.dataset.csrf)
    x.setRequestHeader('Content-Type', 'application/octet-stream')
    begun(x)
    x.send(file)
  })
}

function upload(form) {
  const list = form.parentElement.querySelector('.uploads')
  const cancel = form.querySelector('[data-cancel]')
  form.addEventListener('submit', async (e) => {
    e.preventDefault()
    let stopped = false, now
    cancel.hidden = false
    cancel.onclick = () => { stopped = true; now?.abort() }
    for (const file of form.elements.file.files) {
      if (stopped) break
      const line = document.createElement('li')
      line.append(file.name + ' ', Object.assign(document.createElement('progress'), { max: 1, value: 0, ariaLabel: file.name }), ' ', document.createElement('span'))
      list.append(line)
      await send(form, file, line, (x) => { now = x })
    }
    cancel.hidden = true
    form.reset()
  })
}

export const uploads = (root) => root.querySelectorAll('form[data-upload]').forEach(upload)
