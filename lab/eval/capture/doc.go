// Package capture measures how much of difficult sites is captured, and at what price.
//
// Terms. A *mode* is a way to crawl: parser (source is read, and guessed from), browser (every page is executed),
// routed (rules and measured gain say which). *Key elements*, *decoys* and *views* are those of lab/websim/difficult.
//
//	for each site, in each mode:
//	    serve the site on loopback; crawl it with a process of its own; wait for its end
//	    cost:      processor time of that process and of all it started (the browser), from /proc
//	    captured:  key elements with an answer of status 200 in the WARC files, of all key elements
//	    exact:     the digest of each record, rebuilt for revisits, is in the server's own log, and the other way round
//	    404s:      answers of the server with that status
//	    shown:     with the server stopped, the views in a browser on our own replay of these WARC files
//
// The elements are judged by the WARC files, never by the server's log: what was sent and not kept does not count.
//
// Cost: linear in the answers; the payloads of one crawl are held in memory to rebuild revisits.
package capture
