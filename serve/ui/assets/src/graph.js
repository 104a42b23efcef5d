// The site graph: the tree of a capture, drawn by sigma from a layout that the server made. Zooming
// in asks for more of what lies in the window; where the window is is kept in the address.
import { number, say } from './say.js'
import graphology from '../vendor/graphology.umd.min.js'
import Sigma from '../vendor/sigma.min.js'

const limit = 2000
const box = document.getElementById('graph')
const said = box && box.querySelector('.said')

function colours() {
  const css = getComputedStyle(document.documentElement)
  const get = (n) => css.getPropertyValue('--' + n).trim()
  return { coherent: get('coherent'), changed: get('content'), links: get('links'), missing: get('missing'), unknown: get('unknown'), line: get('line'), ink: get('ink'), panel: get('panel'), mute: get('mute') }
}

// look tells colour and ring of a state: the ring is for those who do not tell the colours apart.
function look(state, c) {
  switch (state) {
    case 'coherent': return { color: c.coherent, ring: 0.02, ringColor: c.panel }
    case 'changed': return { color: c.panel, ring: 0.55, ringColor: c.changed }
    case 'links': return { color: c.links, ring: 0.3, ringColor: c.ink }
    case 'missing': return { color: c.missing, ring: 0.02, ringColor: c.panel }
    case 'unknown': return { color: c.panel, ring: 0.35, ringColor: c.unknown }
  }
  return { color: c.mute, ring: 0.02, ringColor: c.panel }
}

const names = { coherent: say('coherent'), changed: say('content changed'), links: say('links changed'), missing: say('missing'), unknown: say('not proven') }

function words(n) {
  let out = n.label || (n.kind === 'capture' ? say('the capture') : n.kind)
  if (n.state) out += ' · ' + (names[n.state] || n.state)
  if (n.size > 1) out += ' · ' + say('{0} coherent addresses below', number(n.size))
  if (n.more) out += ' · ' + say('{0} more not shown: zoom in', number(n.more))
  return out
}

function fill(graph, view, c) {
  graph.clear()
  const most = Math.max(1, ...view.nodes.map((n) => (n.parent < 0 ? 1 : n.size)))
  for (const n of view.nodes) {
    const size = n.parent < 0 ? 6 : 2.2 + 9 * Math.sqrt(Math.min(n.size, most) / most)
    graph.addNode(n.id, { x: n.x, y: -n.y, size, label: n.label, node: n, type: 'border', ...look(n.state, c) })
  }
  for (const n of view.nodes) {
    if (n.parent >= 0 && graph.hasNode(n.parent)) graph.addEdge(n.parent, n.id, { size: 0.7, color: c.line })
  }
}

async function load(port) {
  const q = new URLSearchParams({ limit })
  for (const k in port || {}) q.set(k, port[k])
  const got = await fetch(box.dataset.graph + '?' + q, { headers: { Accept: 'application/json' } })
  if (!got.ok) {
    const p = await got.json().catch(() => ({}))
    throw new Error(p.detail || got.statusText)
  }
  return got.json()
}

async function open(id) {
  const got = await fetch(box.dataset.graph + '/' + id, { headers: { Accept: 'application/json' } })
  if (!got.ok) return
  const n = await got.json()
  if (!n.url) return
  said.textContent = ''
  const a = document.createElement('a')
  a.href = box.dataset.page + '?' + new URLSearchParams({ url: n.url })
  a.textContent = n.url
  said.append(a, ' · ' + (names[n.state] || n.state || ''))
}

// remember keeps the window in the address, so that it can be shared and back works.
function remember(state) {
  const u = new URL(location.href)
  if (state.ratio > 0.98) u.searchParams.delete('at')
  else u.searchParams.set('at', [state.x, state.y, state.ratio].map((v) => v.toFixed(4)).join(','))
  history.replaceState(null, '', u)
}

async function start() {
  said.textContent = say('Reading the graph… the first time this reads the WARC files of the collection.')
  const first = await load()
  said.textContent = first.total > first.nodes.length ? say('{0} of {1} nodes; zoom in for more', number(first.nodes.length), number(first.total)) : ''
  let c = colours()
  const graph = new graphology.Graph()
  fill(graph, first, c)
  const border = Sigma.rendering.createNodeBorderProgram({ borders: [{ size: { attribute: 'ring', defaultValue: 0.05 }, color: { attribute: 'ringColor' } }, { size: { fill: true }, color: { attribute: 'color' } }] })
  const sigma = new Sigma(graph, box, {
    nodeProgramClasses: { border }, defaultNodeType: 'border', defaultEdgeColor: c.line, labelColor: { color: c.ink }, labelSize: 11,
    labelRenderedSizeThreshold: 9, labelDensity: 0.6, zIndex: true, minCameraRatio: 0.002, maxCameraRatio: 1.6, allowInvalidContainer: true,
  })
  sigma.setCustomBBox(sigma.getBBox())
  box.dataset.ready = graph.order
  sigma.on('enterNode', ({ node }) => { said.textContent = words(graph.getNodeAttribute(node, 'node')) })
  sigma.on('clickNode', ({ node }) => open(node))

  const camera = sigma.getCamera()
  const at = (new URL(location.href).searchParams.get('at') || '').split(',').map(Number)
  if (at.length === 3 && at.every(Number.isFinite)) camera.setState({ x: at[0], y: at[1], ratio: at[2] })
  let due = 0
  const whole = document.querySelector('[data-zoom=out]')
  if (whole) {
    whole.hidden = false
    whole.addEventListener('click', () => camera.animatedReset())
  }
  camera.on('updated', () => {
    clearTimeout(due)
    due = setTimeout(async () => {
      remember(camera.getState())
      if (first.total <= first.nodes.length) return
      const size = sigma.getDimensions()
      const a = sigma.viewportToGraph({ x: 0, y: 0 })
      const b = sigma.viewportToGraph({ x: size.width, y: size.height })
      const port = { x0: Math.min(a.x, b.x), x1: Math.max(a.x, b.x), y0: Math.min(-a.y, -b.y), y1: Math.max(-a.y, -b.y) }
      const view = camera.ratio > 0.95 ? first : await load(port).catch(() => null)
      if (view) fill(graph, view, c)
    }, 350)
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    c = colours()
    graph.updateEachNodeAttributes((id, n) => ({ ...n, ...look(n.node.state, c) }))
    sigma.setSetting('labelColor', { color: c.ink })
  })
}

// drawn is the same as a picture, for browsers without WebGL.
function drawn(why) {
  const img = document.createElement('img')
  img.src = box.dataset.graph + '.svg'
  img.alt = say('The addresses of this capture as a tree, coloured by state')
  box.querySelectorAll('canvas').forEach((el) => el.remove())
  box.prepend(img)
  said.textContent = why
  box.dataset.ready = 0
}

if (box && said) {
  const gl = document.createElement('canvas').getContext('webgl2')
  if (!gl) drawn(say('drawn as a picture: this browser has no WebGL'))
  else start().catch((e) => { said.textContent = say('The graph could not be shown: {0}', e.message); box.dataset.ready = 0 })
}
