// Package shim holds the script that runs in a replayed page before the page's own.
//
// A rewriter sees the addresses that are written in documents; scripts make others while they run. The shim stands in
// for what scripts use to ask, to move and to know where they are:
//
//	where am I       location, document.URL, baseURI, domain, referrer, top, parent, opener, frameElement: as then
//	ask              fetch, XMLHttpRequest, WebSocket, EventSource, sendBeacon, Worker, SharedWorker, importScripts, FontFace
//	write            setAttribute, src and href of elements, innerHTML and kin, insertAdjacentHTML, document.write, style
//	move             location, history, open, forms, links that open windows
//	keep             cookies, localStorage, sessionStorage: per page and site, gone with the tab
//	chance and time  Math.random, crypto's random numbers and Date follow the time of capture
//	frames           every window that a script can get hold of gets the shim before; made-up documents (srcdoc, blob:) too
//	leave            service workers, WebRTC, WebTransport, beacons: inert
//
// Scripts read of attributes and styles what the page wrote, which is kept beside what stands in its place (see package rewrite), and selectors
// go by that. Known differences are listed with their reasons in probes_test.go of the package above.
//
// Written addresses become addresses in the archive, read ones become again what they were. What the shim misses the
// Content-Security-Policy of replay stops, and the shim counts it for the banner.
//
// The script is plain: it is served as it is written, once per browser (its address holds its digest).
package shim
