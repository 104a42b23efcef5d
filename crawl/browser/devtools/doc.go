// Package devtools speaks the Chrome DevTools Protocol over the two pipes of a browser that was
// started with --remote-debugging-pipe. No port is opened, so no page can reach it.
//
// The commands and events are the typed ones of chromedp/cdproto. The client is our own because a
// crawler needs less and stricter: chromedp mirrors the whole DOM of each page and queues events
// without bound, and a hostile page decides how many there are. Here an event is handed to the
// handler of its session as it is read, nothing is queued, and an answer over the limit fails its
// command and no other.
//
//	message  = JSON NUL
//	command  {"id":7,"sessionId":"…","method":"Page.navigate","params":{…}}
//	answer   {"id":7,"sessionId":"…","result":{…}}     -> the caller who waits for 7
//	event    {"sessionId":"…","method":"Page.…","params":{…}} -> the handler of the session
//
// Terms: a *session* is a conversation with one target (the browser, a page, a worker). The root
// session speaks with the browser.
//
// Cost: one goroutine per connection; per message one copy of its bytes.
package devtools
