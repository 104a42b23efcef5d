package collect

import (
	"time"

	"varve/web/links"
	"varve/web/markup"
)

// Evidence is what a route decides by: an answer, what the parser found in it, and how far the crawl is.
type Evidence struct {
	Answer            // Content is valid during the call
	Info   links.Info // what the parser learned

	Truncated bool // the answer did not come whole

	Look markup.Subscriber // the reader of the route that was there when the page was read; nil if none was

	Pages   int64         // HTML answers of the crawl so far
	Elapsed time.Duration // of the run
	Again   bool          // the choice was tentative, and now is the time to decide
}

// Choice is what a route decides. Its reason is kept with the page.
type Choice struct {
	Collector string        // who goes further with the answer, several joined by +; "": the parser was enough
	Why       string        // for people; "" where there is nothing to say
	Section   string        // the part of the site whose gain is measured; "": none
	Time      time.Duration // that the collector may take; 0: the engine's default
	Wait      bool          // ask again when a collector has come back: what it brings decides
	Look      []string      // script files to be shown to the route before it is asked again; nobody collects yet
}

// Yield is what a collector brought beyond what the crawl knew and the parser found.
type Yield struct {
	Links   int // in scope and new to the crawl
	Parts   int // answers with success, fetched through the Net, of URLs new to the crawl
	Missing int // answers 4xx and 5xx among those fetched
	Failed  bool
	Cost    Cost
}
