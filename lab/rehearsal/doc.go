// Package rehearsal crawls simulated webs with the real crawl engine in virtual time: frontier, politeness, records,
// plans and revisits are those of a crawl on the internet; only the network and the clock are not.
//
// A [Stage] is a simulated web, a virtual clock that begins at an instant of that web, and an engine on both. Its
// connections are made in memory: the client of package fetch writes a request, and the web answers for the instant at
// which the clock stands. Answers take no time; what a site costs is the rest that politeness gives it.
//
//	stage, err := rehearsal.New(web, rehearsal.Config{Start: web.Epoch().AddDate(0, 1, 0)})
//	result, err := stage.Crawl(ctx, dir, crawl.Definition{Seeds: seeds, Delay: &second, ...}, crawl.Options{Rates: oracle})
//	result.Looks   what the web was asked, with the versions it answered: the truth
//
// The same web, seed and definition give the same crawl. Cost: about 2 ms a fetch, whatever time goes by in between;
// memory is that of the crawl, and of its WARC files if they are kept in memory.
package rehearsal
