'use strict'

const field = document.getElementById('server')
const said = document.getElementById('said')
document.getElementById('command').textContent = `varve serve --allow-origin chrome-extension://${chrome.runtime.id}`
chrome.storage.local.get({ server: 'http://127.0.0.1:8080' }).then(({ server }) => { field.value = server })

document.getElementById('form').addEventListener('submit', async (e) => {
	e.preventDefault()
	const url = new URL(field.value)
	if (url.protocol !== 'http:' || !['127.0.0.1', 'localhost'].includes(url.hostname)) {
		said.textContent = 'It must be on this machine: http://127.0.0.1:PORT or http://localhost:PORT'
		return
	}
	await chrome.storage.local.set({ server: url.origin })
	field.value = url.origin
	said.textContent = 'kept'
})
