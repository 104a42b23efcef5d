// Package serve brings an archive to people: screens, programming interface, replay, each on its
// own host, with login and access rules where the archive is not only for oneself.
//
// Reading order:
//
//	holdings   what the archive holds, as screens and interface show it: collections, crawls, captures, versions
//	compare    what differs between two captures: text and links
//	access     who may see what: users, sessions, tokens, rules, audit
//	coherence  reports and graphs of crawls, measured when asked
//	crawls     planned crawls, started and resumed as processes of their own
//	api        REST under /api/ with its OpenAPI document
//	ui         screens: server-rendered, every view state in the URL
//	replay cdx memento   archived content and the protocols of web archives, on the second host
//	servetest  small archives for tests and pictures
//
// Two hosts, because cookies ignore ports and archived scripts run with the rights of the host
// they are shown on:
//
//	127.0.0.1:8080   screens, /api/, /metrics     sessions live here; archived bytes are never sent from here as documents
//	localhost:8081   replay, CDX, Memento, raw    no session, no state to change; its own CSP
//
// A request passes, in this order: recovery and log, host check (a name that is not ours could be a
// rebound one), limits, security headers, who is asking (access), the handler. A Server reloads
// nothing by command: holdings look at the directory when they are asked, and the watcher indexes
// WARC files that appeared.
//
// Cost: a list screen reads one small file per crawl, once; later only its date is looked at.
package serve
