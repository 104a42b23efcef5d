// The chart of trends, drawn from the table beside it. A click on a point follows the link of its cell.
import { number } from './say.js'
import uPlot from '../vendor/uPlot.esm.js'

const lengths = { day: 86400, month: 2629746, quarter: 7889238, 'half-year': 15778476, year: 31556952 }

function read(table, measure) {
  const terms = [...table.querySelectorAll('th[data-term]')].map((th) => th.dataset.term)
  const data = [[], ...terms.map(() => [])]
  const links = terms.map(() => [])
  const likely = terms.map(() => []) // [low, high] in percent
  const names = []
  for (const row of table.querySelectorAll('tr[data-at]')) {
    data[0].push(Number(row.dataset.at))
    names.push(row.cells[0].textContent)
    const cells = row.querySelectorAll('td.n')
    terms.forEach((_, i) => {
      const cell = cells[i]
      const known = cell && cell.dataset.of
      data[i + 1].push(!known ? null : measure === 'count' ? Number(cell.dataset.hits) : (100 * cell.dataset.hits) / cell.dataset.of)
      likely[i].push(known && measure !== 'count' ? [Number(cell.dataset.low), Number(cell.dataset.high)] : null)
      links[i].push(known ? cell.querySelector('a').href : '')
    })
  }
  return { terms, data, links, likely, names }
}

function draw(box, table) {
  const measure = box.dataset.measure
  const bucket = box.dataset.bucket
  const { terms, data, links, likely, names } = read(table, measure)
  const style = getComputedStyle(box)
  const color = (name) => style.getPropertyValue(name).trim()
  const name = (t) => names[data[0].indexOf(t)] || ''
  const value = (v) => (v === null || v === undefined ? '–' : measure === 'count' ? number(v) : number(v, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) + ' %')
  const axis = { stroke: color('--mute'), grid: { stroke: color('--hair'), width: 1 }, ticks: { stroke: color('--line'), width: 1 }, font: '12px system-ui, sans-serif' }
  const many = data[0].length > 80
  const opts = {
    width: Math.max(280, box.clientWidth), height: 330,
    tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), 'UTC'),
    scales: { x: { time: true, range: (_, lo, hi) => (lo === hi ? [lo - lengths[bucket], hi + lengths[bucket]] : [lo, hi]) }, y: { range: (_, __, hi) => [0, hi ? hi * 1.08 : 1] } },
    cursor: { focus: { prox: 40 }, points: { size: 9 } },
    focus: { alpha: 0.35 },
    axes: [axis, { ...axis, values: (_, list) => list.map((v) => (measure === 'count' ? v : v + ' %')), size: 56 }],
    series: [{ label: bucket, value: (_, v) => (v === null ? '–' : name(v)) }, ...terms.map((t, i) => ({
      label: t, stroke: color('--s' + ((i % 6) + 1)), width: 2, dash: i >= 6 ? [7, 4] : undefined, spanGaps: false,
      points: { show: !many, size: 6 }, value: (_, v) => value(v),
    }))],
  }
  // The bounds of each share, as upright lines in the colour of its term.
  opts.hooks = {
    draw: [(u) => {
      u.ctx.save()
      u.ctx.lineWidth = uPlot.pxRatio
      u.ctx.globalAlpha = 0.45
      likely.forEach((list, i) => {
        if (!u.series[i + 1].show) return
        u.ctx.strokeStyle = color('--s' + ((i % 6) + 1))
        list.forEach((b, k) => {
          if (!b) return
          const x = Math.round(u.valToPos(data[0][k], 'x', true)) + (i - (terms.length - 1) / 2) * 3
          u.ctx.beginPath()
          u.ctx.moveTo(x, u.valToPos(b[0], 'y', true))
          u.ctx.lineTo(x, u.valToPos(Math.min(b[1], u.scales.y.max), 'y', true))
          u.ctx.stroke()
        })
      })
      u.ctx.restore()
    }],
  }
  const chart = new uPlot(opts, data, box)
  chart.over.addEventListener('click', () => {
    const at = chart.cursor.idx
    if (at === null || at === undefined) return
    let best = -1
    let near = Infinity
    terms.forEach((_, i) => {
      const v = data[i + 1][at]
      if (v === null || !chart.series[i + 1].show) return
      const off = Math.abs(chart.valToPos(v, 'y') - chart.cursor.top)
      if (off < near) { near = off; best = i }
    })
    if (best >= 0 && links[best][at]) window.location.assign(links[best][at])
  })
  new ResizeObserver(() => chart.setSize({ width: Math.max(280, box.clientWidth), height: 330 })).observe(box)
  return chart
}

function start() {
  const box = document.querySelector('[data-chart]')
  const table = document.getElementById('trend-table')
  if (!box || !table) return
  let chart = draw(box, table)
  box.dataset.ready = 'true'
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { chart.destroy(); chart = draw(box, table) })
}

start()
