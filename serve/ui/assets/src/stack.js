// Tables on a phone: each row a block of its own, each cell with the head of its column before it. The heads are copied
// here, once; what is done with them is in screen.css. Without scripts wide tables scroll in their frame.

// A table that is a drawing (calendar, site map, comparison) or a list of facts keeps its form.
const kept = '.diff, .map, .facts, .month table, .u-legend'

function label(table) {
  if (table.matches(kept) || table.closest('.month') || !table.tHead) return
  const heads = []
  for (const th of table.tHead.rows[0].cells) {
    const text = th.textContent.trim().replace(/\s+/g, ' ')
    for (let i = 0; i < th.colSpan; i++) heads.push(text)
  }
  for (const body of [...table.tBodies, ...(table.tFoot ? [table.tFoot] : [])]) {
    for (const row of body.rows) {
      row.setAttribute('role', 'row')
      let at = 0
      for (const cell of row.cells) {
        if (at > 0 && heads[at] && cell.colSpan === 1) cell.dataset.label = heads[at]
        if (!cell.hasAttribute('role')) cell.setAttribute('role', cell.tagName === 'TH' ? 'rowheader' : 'cell')
        at += cell.colSpan
      }
    }
    body.setAttribute('role', 'rowgroup')
  }
  // The layout of a phone takes their meaning from tables, so it is said.
  table.setAttribute('role', 'table')
  table.tHead.setAttribute('role', 'rowgroup')
  for (const row of table.tHead.rows) {
    row.setAttribute('role', 'row')
    for (const th of row.cells) th.setAttribute('role', 'columnheader')
  }
  table.classList.add('stacks')
}

export function stack(root) {
  if (root.matches && root.matches('table')) label(root)
  for (const table of root.querySelectorAll('table:not(.stacks)')) label(table)
}

// menu hides the main links of a phone behind a button.
export function menu() {
  const button = document.getElementById('menu')
  if (!button) return
  button.hidden = false
  document.documentElement.classList.add('scripted')
  button.addEventListener('click', () => {
    const open = button.getAttribute('aria-expanded') !== 'true'
    button.setAttribute('aria-expanded', String(open))
  })
}
