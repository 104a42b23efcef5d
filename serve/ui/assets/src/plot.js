// Every drawing with a table beside it can be taken along: its data as CSV, made of the table, and its picture as it is
// drawn. A box with data-plot names it; the buttons are added here, since without scripts the table is what there is.

import { say } from './say.js'

function save(name, blob) {
  const a = document.createElement('a')
  a.href = URL.createObjectURL(blob)
  a.download = name
  document.body.append(a)
  a.click()
  a.remove()
  setTimeout(() => URL.revokeObjectURL(a.href), 10000)
}

// csv writes a table; a cell that a spreadsheet would take for a formula is quoted as text.
export function csv(table) {
  const cell = (c) => {
    let text = c.textContent.trim().replace(/\s+/g, ' ')
    if (/^[=+\-@]/.test(text) && !/^[+-]?[\d.,]+( ?%)?$/.test(text)) text = "'" + text
    return '"' + text.replace(/"/g, '""') + '"'
  }
  return [...table.rows].map((r) => [...r.cells].map(cell).join(',')).join('\r\n') + '\r\n'
}

const looks = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font', 'text-anchor', 'visibility']

// drawing makes one SVG of those in a box, one below the other, with the looks that the style sheet gives them.
function drawing(box) {
  const all = [...box.querySelectorAll('svg')].filter((s) => s.getBoundingClientRect().height > 0 && !s.closest('.legend, button, details'))
  const outer = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  const whole = box.getBoundingClientRect()
  let y = 0
  for (const svg of all) {
    const place = svg.getBoundingClientRect()
    const copy = svg.cloneNode(true)
    const from = [svg, ...svg.querySelectorAll('*')]
    const to = [copy, ...copy.querySelectorAll('*')]
    from.forEach((el, i) => {
      const style = getComputedStyle(el)
      for (const k of looks) to[i].style.setProperty(k, style.getPropertyValue(k))
    })
    for (const [k, v] of Object.entries({ x: place.x - whole.x, y, width: place.width, height: place.height })) copy.setAttribute(k, String(v))
    outer.append(copy)
    y += place.height + 6
  }
  const ground = getComputedStyle(box.closest('.card') || document.body).backgroundColor
  outer.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  outer.setAttribute('viewBox', `0 0 ${whole.width} ${y}`)
  outer.setAttribute('width', String(whole.width))
  outer.setAttribute('height', String(y))
  outer.style.background = ground
  return new XMLSerializer().serializeToString(outer)
}

function picture(box, name) {
  const canvas = box.querySelector('canvas')
  if (!canvas) return save(name + '.svg', new Blob([drawing(box)], { type: 'image/svg+xml' }))
  const out = document.createElement('canvas')
  out.width = canvas.width
  out.height = canvas.height
  const ink = out.getContext('2d')
  ink.fillStyle = getComputedStyle(box.closest('.card') || document.body).backgroundColor
  ink.fillRect(0, 0, out.width, out.height)
  ink.drawImage(canvas, 0, 0)
  out.toBlob((b) => save(name + '.png', b))
}

export function plots(root) {
  const boxes = [...root.querySelectorAll('[data-plot]:not([data-offered])')]
  if (root.matches && root.matches('[data-plot]:not([data-offered])')) boxes.push(root)
  for (const box of boxes) {
    box.dataset.offered = ''
    const table = [...box.querySelectorAll('table')].pop() // a picture in a table has its data in another, behind it
    const line = document.createElement('p')
    line.className = 'actions takeaway'
    const button = (label, act) => {
      const b = document.createElement('button')
      b.type = 'button'
      b.textContent = label
      b.addEventListener('click', act)
      line.append(b)
    }
    if (table && !box.querySelector('a[href*="format=csv"]')) button(say('Data (CSV)'), () => save(box.dataset.plot + '.csv', new Blob([csv(table)], { type: 'text/csv' })))
    button(say('Picture'), () => picture(box, box.dataset.plot))
    box.append(line)
  }
}
