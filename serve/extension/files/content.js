// Runs in the page that is read, in a world of its own: collects its text, asks, and marks what is named. What it puts into the page is text and never markup.
'use strict'
;(() => {
	const element = 'varve-name'
	const mostText = 200000
	const mostMarks = 2000
	const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEXTAREA', 'INPUT', 'SELECT', 'OPTION', 'IFRAME', 'OBJECT', 'CANVAS', 'SVG', 'TEMPLATE', 'CODE', 'PRE', 'VARVE-NAME', 'VARVE-CARD'])

	// A second time takes the marks away.
	const old = document.querySelectorAll(element)
	document.querySelector('varve-card')?.remove()
	if (old.length > 0) {
		for (const m of old) m.replaceWith(...m.childNodes)
		document.body.normalize()
		return
	}

	// pieces are the parts of the text that a reader sees, in their order; blocks end a sentence.
	function pieces() {
		const out = []
		let text = ''
		let block = null
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, {
			acceptNode(n) {
				const p = n.parentElement
				if (!p || n.data.trim() === '' || p.isContentEditable) return NodeFilter.FILTER_REJECT
				for (let e = p; e; e = e.parentElement) if (skipped.has(e.tagName.toUpperCase())) return NodeFilter.FILTER_REJECT
				return p.checkVisibility?.({ visibilityProperty: true }) === false ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT
			},
		})
		for (let n = walk.nextNode(); n && text.length < mostText; n = walk.nextNode()) {
			const b = blockOf(n.parentElement)
			if (block && b !== block) text += '\n\n'
			block = b
			const words = n.data.replace(/[\s\u00a0]/g, ' ') // the same length: places stay
			out.push({ node: n, start: text.length })
			text += words
		}
		return { text, parts: out }
	}

	function blockOf(e) {
		while (e.parentElement && /^inline/.test(getComputedStyle(e).display)) e = e.parentElement
		return e
	}

	// places finds names in the text, one after the other as they were told.
	function places(text, names) {
		const out = []
		let from = 0
		for (const n of names) {
			const name = n.text.replace(/\s+/g, ' ')
			const at = name ? text.indexOf(name, from) : -1
			if (at < 0) continue
			out.push({ ...n, at, to: at + name.length })
			from = at + name.length
			if (out.length === mostMarks) break
		}
		return out
	}

	function put(parts, found, base) {
		for (const f of found.reverse()) { // from the end, so that places stay right
			const part = parts.findLast((p) => p.start <= f.at)
			if (!part || f.to > part.start + part.node.data.length) continue // over the border of elements
			const name = part.node.splitText(f.at - part.start)
			name.splitText(f.to - f.at)
			const m = document.createElement(element)
			m.className = f.entity ? 'known' : 'kind'
			m.tabIndex = 0
			m.title = [f.label, f.kinds.join(', ')].filter(Boolean).join(': ')
			name.replaceWith(m)
			m.append(name)
			const show = (e) => {
				e.preventDefault()
				e.stopPropagation()
				card(m, f, base)
			}
			m.addEventListener('click', show)
			m.addEventListener('keydown', (e) => { if (e.key === 'Enter') show(e) })
		}
	}

	// card shows what is known of a name; the page cannot look into it.
	function card(by, f, base) {
		const root = panel()
		add(root, 'b', f.label || f.text)
		if (f.entity) add(root, 'p', `${f.entity}, sure to ${Math.round(100 * f.confidence)} %`)
		else add(root, 'p', 'No base knows it.')
		if (f.kinds.length) add(root, 'p', f.kinds.join(', '))
		if (f.entity) {
			const a = add(root, 'a', 'In the archive')
			a.href = new URL('/entity/' + encodeURIComponent(f.entity), base).href
			a.target = '_blank'
			a.rel = 'noreferrer noopener'
		}
	}

	function panel() {
		document.querySelector('varve-card')?.remove()
		const host = document.createElement('varve-card')
		const root = host.attachShadow({ mode: 'closed' })
		const style = new CSSStyleSheet()
		style.replaceSync(':host{all:initial;position:fixed;right:16px;bottom:16px;z-index:2147483647}div{font:14px/1.5 system-ui,sans-serif;max-width:320px;padding:12px 16px;border-radius:8px;background:Canvas;color:CanvasText;border:1px solid;box-shadow:0 4px 20px #0006;color-scheme:light dark}p{margin:4px 0}button{float:right;margin-left:12px}')
		root.adoptedStyleSheets = [style]
		const box = document.createElement('div')
		box.setAttribute('role', 'dialog')
		const close = add(box, 'button', '×')
		close.setAttribute('aria-label', 'Close')
		close.addEventListener('click', () => host.remove())
		root.append(box)
		document.body.append(host)
		return box
	}

	function add(to, tag, text) {
		const e = document.createElement(tag)
		e.textContent = text
		to.append(e)
		return e
	}

	const { text, parts } = pieces()
	chrome.runtime.sendMessage({ do: 'analyse', text, lang: document.documentElement.lang || '' }, (answer) => {
		const broken = chrome.runtime.lastError?.message || answer?.error
		if (broken) {
			add(panel(), 'p', broken)
			document.documentElement.dataset.varve = 'failed'
			return
		}
		const kinds = new Map(answer.types.map((t) => [t.start, t.types.map((x) => x.label)]))
		const linked = new Map(answer.entities.map((e) => [e.start, e]))
		const names = answer.mentions.map((m) => {
			const e = linked.get(m.start) || {}
			return { text: m.text, entity: e.entity || '', label: e.label || '', confidence: e.confidence || 0, kinds: (kinds.get(m.start) || []).slice(-3).reverse() }
		}).filter((n) => n.entity || n.kinds.length)
		put(parts, places(text, names), answer.base)
		document.documentElement.dataset.varve = 'marked'
		if (names.length === 0) add(panel(), 'p', 'No names were found: they are found in English text.')
	})
})()
