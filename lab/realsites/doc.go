// Package realsites holds Varve against software that others wrote: it installs web applications from Debian's packages, npm and PyPI, fills
// them, serves them on loopback by nginx and PHP, captures each with the product as a user would, and says what came of it. Our own
// simulated sites flatter us; these do not.
//
//	install   packages that are missing (apt where we are root, npm and PyPI into folders that are kept)
//	fill      sites/NAME/fill.sh makes the site in a folder and prints the truth, out of the site's own database or files:
//	              page PATH [NEEDED]    a page, and the address that must be in the archive for it, if that is another
//	              part PATH             an address without which a page is not whole
//	              film NAME PATH...     something that plays, with all that it needs
//	              told NAME ADDRESS     a stream that nobody gets over HTTP: the archive must name it
//	          and what people wrote on it, if somebody did, into objects.jsonl (as truth.jsonl of lab/eval/objects)
//	look      Chromium reads the text of each page, live, and takes its picture
//	crawl     varve crawl http://NAME.realsites.test/, nothing told but where the name leads
//	plain     of forums and wikis: the same once more, with a rule that lets in what shows nothing new, to count its requests
//	change    sites/NAME/edit.sh edits and deletes (change.go)
//	template  sites/NAME/template.sh gives it another template (template.go)
//	stop      nginx ends: from here on there is only the archive
//	derive    varve derive --units objects, held against objects.jsonl
//	replay    Chromium reads the text of each page in the archive, and takes its picture; whatever calls for others is noted
//
// Experiments that need thousands of pages of real software put them into a site and have it crawled (Capture); sites/NAME/load.sh, where there is one, takes
// them in.
//
// Truth about requests is the access log of nginx; about strangers, the crawl's own log. It is a drill, no test: it takes minutes, and
// where packages cannot be had a site is left out with the reason.
package realsites
