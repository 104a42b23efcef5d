// The only part that talks to the server. A page is read when its reader asks for it, by a click on the button or in the menu; nothing is sent by itself, and to no other machine.
'use strict'

const usual = 'http://127.0.0.1:8080'
const mostText = 200000 // characters of a page that are sent

// server is where Varve answers: on this machine.
async function server() {
	const { server } = await chrome.storage.local.get({ server: usual })
	return server
}

// analyse asks for the names of a text.
async function analyse({ text, lang }) {
	const base = await server()
	const url = new URL('/api/text/analyse', base)
	url.searchParams.set('units', 'entities,types')
	if (/^[a-z]{2}\b/.test(lang)) url.searchParams.set('lang', lang.slice(0, 2))
	let answer
	try {
		answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: text.slice(0, mostText), credentials: 'omit' })
	} catch {
		return { error: `No Varve answers at ${base}. Start it with: varve serve --allow-origin ${origin()}` }
	}
	if (answer.status === 403) return { error: `Varve does not allow this extension. Start it with: varve serve --allow-origin ${origin()}` }
	const body = await answer.json().catch(() => ({}))
	if (!answer.ok) return { error: body.detail || `Varve answered ${answer.status}` }
	return { base, mentions: body.mentions || [], entities: body.entities || [], types: body.types || [] }
}

function origin() { return `chrome-extension://${chrome.runtime.id}` }

// mark marks the names of a tab, or takes the marks away again.
async function mark(tab) {
	const target = { tabId: tab.id }
	await chrome.scripting.insertCSS({ target, files: ['marks.css'] })
	await chrome.scripting.executeScript({ target, files: ['content.js'] })
}

chrome.action.onClicked.addListener(mark)

chrome.runtime.onMessage.addListener((message, sender, reply) => {
	if (sender.id !== chrome.runtime.id || message?.do !== 'analyse' || typeof message.text !== 'string') return false
	analyse(message).then(reply, (e) => reply({ error: String(e) }))
	return true // the reply comes later
})

chrome.runtime.onInstalled.addListener(() => {
	chrome.contextMenus.create({ id: 'mark', title: 'Mark names on this page', contexts: ['page', 'selection'] })
	chrome.contextMenus.create({ id: 'types', title: 'What kinds of things are named here', contexts: ['selection'] })
	chrome.contextMenus.create({ id: 'statistics', title: 'Link to statistics', contexts: ['selection'] })
})

chrome.contextMenus.onClicked.addListener(async (info, tab) => {
	if (info.menuItemId === 'mark') return mark(tab)
	const url = new URL(info.menuItemId === 'types' ? '/types' : '/statistics', await server())
	url.searchParams.set('text', (info.selectionText || '').slice(0, 4000))
	chrome.tabs.create({ url: url.href })
})
