package api

import (
	"net/http"
	"reflect"

	"varve/coherence/graph"
	"varve/coherence/report"
	"varve/crawl"
	"varve/crawl/control"
	"varve/crawl/frontier"
	"varve/crawl/guide"
	"varve/crawl/relevance"
	"varve/curate/curation"
	"varve/curate/notes"
	"varve/curate/selection"
	"varve/derive/annotate"
	"varve/index/fulltext"
	"varve/serve/access"
	"varve/serve/compare"
	"varve/serve/crawls"
	"varve/serve/evolution"
	"varve/serve/health"
	"varve/serve/holdings"
	"varve/serve/pulse"
	"varve/serve/review"
	"varve/serve/search"
	"varve/serve/thread"
)

// route is one thing that can be asked.
type route struct {
	Method, Path string
	Role         access.Role // access.Nobody: open to all
	Summary      string
	Params       []param
	Answer       reflect.Type // of the JSON answer; nil: it streams
	Media        string       // of an answer that streams
	Body         reflect.Type // of the JSON that is sent; nil: none
	BodyMedia    string       // of a body that is no JSON
	Said         bool         // it tells what people wrote to run the archive: nothing of it is veiled from curators

	answer func(r *http.Request) (any, error)
	stream func(w http.ResponseWriter, r *http.Request) error
}

// param is a query parameter.
type param struct {
	Name, Type, About string // type: string, integer, date-time
	Required          bool
}

func of[T any]() reflect.Type { return reflect.TypeFor[T]() }

var (
	pageParams = []param{
		{"limit", "integer", "items of a page, 1 to 1000; 100 if not given", false},
		{"cursor", "string", "next of the page before", false},
	}
	stateParams = []param{{"state", "string", "only in this state: running, complete, stopped or interrupted", false}}
	urlParam    = param{"url", "string", "the address, as it stood in a browser", true}
	spanParams  = []param{
		{"from", "string", "captures from this time on: 4 to 14 digits, or RFC 3339", false},
		{"to", "string", "captures until this time, inclusive", false},
	}
)

func with(lists ...[]param) []param {
	var out []param
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// routes is the whole interface.
func (a *API) routes() []route {
	const c, k = "/api/collections/{collection}", "/api/collections/{collection}/crawls/{crawl}"
	return []route{
		{Method: "GET", Path: "/api/openapi.json", Summary: "This description.", Media: "application/json", stream: a.openAPI},
		{Method: "GET", Path: "/api/whoami", Summary: "Who asks, by what right.", Answer: of[Me](), answer: a.whoami},
		{Method: "GET", Path: "/api/pulse", Role: access.Viewer, Summary: "What the archive holds and how it lives, at a glance: totals, months, crawls, plans, changes, rising words; for curators alerts and disk.", Params: pulseParams, Answer: of[pulse.Pulse](), answer: a.pulse},
		{Method: "GET", Path: "/api/health", Said: true, Role: access.Admin, Summary: "How nodes of crawls and uploads stand: nodes, partitions, what the log has for them, leases, files that wait to be sent, and what needs a look.", Answer: of[health.Health](), answer: a.health},
		{Method: "GET", Path: "/api/collections", Role: access.Viewer, Summary: "All collections.", Params: pageParams, Answer: of[List[CollectionItem]](), answer: a.collections},
		{Method: "GET", Path: c, Role: access.Viewer, Summary: "One collection.", Answer: of[CollectionItem](), answer: a.collection},
		{Method: "GET", Path: c + "/crawls", Role: access.Viewer, Summary: "Crawls of a collection, newest first.", Params: with(stateParams, pageParams), Answer: of[List[*holdings.Crawl]](), answer: a.crawls},
		{Method: "GET", Path: "/api/crawls", Role: access.Viewer, Summary: "Crawls of all collections, newest first.", Params: with([]param{{"collection", "string", "only of this collection", false}}, stateParams, pageParams), Answer: of[List[*holdings.Crawl]](), answer: a.allCrawls},
		{Method: "GET", Path: c + "/plan", Said: true, Role: access.Viewer, Summary: "Planned crawls: rhythm, last start, when due, and what runs or is unfinished.", Answer: of[crawls.Plan](), answer: a.plan},
		{Method: "POST", Path: c + "/crawls", Role: access.Curator, Summary: "Start a crawl of the plan, or resume the unfinished one. It goes on in the background.", Body: of[NewCrawl](), Answer: of[crawls.Job](), answer: a.startCrawl},
		{Method: "GET", Path: c + "/plan/{definition}/scope", Said: true, Role: access.Viewer, Summary: "Which rule of a planned crawl decides about an address, and what the others say.", Params: []param{
			urlParam, {"hops", "string", "the way from the seed, a letter each: L link, S form, M sitemap, E embed, R redirect, X speculative; L if not given", false}, {"via", "string", "the page it was found on", false},
		}, Answer: of[crawl.ScopeTest](), answer: a.scopeTest},
		{Method: "GET", Path: k, Role: access.Viewer, Summary: "One crawl with its definition and report.", Answer: of[CrawlDetail](), answer: a.crawl},
		{Method: "GET", Path: k + "/progress", Role: access.Viewer, Summary: "How far a running crawl is.", Answer: of[crawl.Progress](), answer: a.progress},
		{Method: "GET", Path: k + "/events", Role: access.Viewer, Summary: "Events of a running crawl as they happen.", Media: "text/event-stream", stream: a.events},
		{Method: "GET", Path: k + "/log", Role: access.Viewer, Summary: "Events of a crawl that runs or is over, newest first, by name, words and time; with how many there are of each name and over time.", Params: eventParams, Answer: of[review.Events](), answer: a.happened},
		{Method: "GET", Path: k + "/fetched", Role: access.Viewer, Summary: "What a crawl fetched, from its begin and as it goes on: an event for each visit, whose id is where to go on (Last-Event-ID); the event end is the last.", Params: []param{{"from", "string", "the id of the last event one has; the header Last-Event-ID goes before", false}}, Media: "text/event-stream", stream: a.fetched},
		{Method: "POST", Path: "/api/crawls/{crawl}/urls", Role: access.Curator, Summary: "Give addresses to a running crawl, each with a score from 0 to 1 that says how early it comes, or take them out for good (blacklist).", Params: []param{{"collection", "string", "needed where crawls of this name run in several collections", false}}, Body: of[[]control.URLUpdate](), Answer: of[frontier.Report](), answer: a.giveURLs},
		{Method: "GET", Path: k + "/about", Said: true, Role: access.Curator, Summary: "What a running guided crawl is about.", Answer: of[relevance.About](), answer: a.about},
		{Method: "PUT", Path: k + "/about", Said: true, Role: access.Curator, Summary: "Change what a running guided crawl is about. What waits is scored again in the background; the plan stays as it is.", Body: of[relevance.About](), Answer: of[relevance.About](), answer: a.setAbout},
		{Method: "GET", Path: k + "/why", Role: access.Curator, Summary: "Why an address of a running guided crawl has its score: what each module says, with its weight and the passage.", Params: []param{urlParam}, Answer: of[guide.Why](), answer: a.why},
		{Method: "POST", Path: k + "/pause", Role: access.Curator, Summary: "Pause a running crawl.", Answer: of[crawl.Progress](), answer: a.command("pause")},
		{Method: "POST", Path: k + "/resume", Role: access.Curator, Summary: "Go on with a paused crawl.", Answer: of[crawl.Progress](), answer: a.command("resume")},
		{Method: "POST", Path: k + "/stop", Role: access.Curator, Summary: "Stop a running crawl; what is queued stays queued.", Answer: of[crawl.Progress](), answer: a.command("stop")},
		{Method: "GET", Path: k + "/review", Role: access.Curator, Summary: "What a crawl lacks, worst first, and what later crawls mended.", Answer: of[review.Quality](), answer: a.review},
		{Method: "POST", Path: k + "/recrawl", Role: access.Curator, Summary: "Start a crawl of what this one lacks: of the addresses that are named, or of all that another attempt may bring.", Body: of[Again](), Answer: of[crawls.Job](), answer: a.recrawl},
		{Method: "GET", Path: k + "/coherence", Role: access.Viewer, Summary: "How well a crawl hangs together.", Answer: of[report.Report](), answer: a.coherence},
		{Method: "POST", Path: k + "/coherence", Role: access.Curator, Summary: "Measure it: reads the WARC files of the collection.", Answer: of[report.Report](), stream: a.measure},
		{Method: "GET", Path: k + "/coherence/graph", Role: access.Viewer, Summary: "The pages of a crawl as a tree with layout: the part that fits a viewport.", Params: []param{
			{"x0", "number", "left edge of the viewport; all four or none", false},
			{"y0", "number", "top edge", false},
			{"x1", "number", "right edge", false},
			{"y1", "number", "bottom edge", false},
			{"limit", "integer", "nodes at most; 2000 if not given, at most 5000", false},
		}, Answer: of[graph.View](), answer: a.graph},
		{Method: "GET", Path: k + "/coherence/graph/{node}", Role: access.Viewer, Summary: "One node of the tree, with its whole address.", Answer: of[GraphNode](), answer: a.graphNode},
		{Method: "GET", Path: k + "/coherence/graph.svg", Role: access.Viewer, Summary: "The tree as a picture.", Media: "image/svg+xml", stream: a.graphSVG},
		{Method: "GET", Path: k + "/coherence/graph.graphml", Role: access.Viewer, Summary: "The whole tree as GraphML, for visone, Gephi and yEd.", Media: "application/graphml+xml", stream: a.graphFile("graphml")},
		{Method: "GET", Path: k + "/coherence/graph.gexf", Role: access.Viewer, Summary: "The whole tree as GEXF, for Gephi.", Media: "application/gexf+xml", stream: a.graphFile("gexf")},
		{Method: "GET", Path: k + "/coherence/worst.csv", Role: access.Viewer, Summary: "Pages with defects, the most serious first, as a table.", Media: "text/csv", stream: a.worstCSV},
		{Method: "GET", Path: c + "/pages", Role: access.Viewer, Summary: "Addresses of a collection with a summary of their captures, by key.", Params: with([]param{
			{"url", "string", "only addresses that begin so; a bare host takes its subdomains too", false}, {"type", "string", "page: only HTML", false},
		}, pageParams), Answer: of[List[holdings.HeldPage]](), answer: a.pages},
		{Method: "GET", Path: c + "/captures", Role: access.Viewer, Summary: "Captures of an address, oldest first.", Params: with([]param{urlParam, {"match", "string", "exact, prefix, host or domain; exact if not given", false}}, spanParams, pageParams), Answer: of[List[holdings.IndexedCapture]](), answer: a.captures},
		{Method: "GET", Path: c + "/versions", Role: access.Viewer, Summary: "Distinct versions of an address with their nominal validity.", Params: []param{urlParam}, Answer: of[List[holdings.HeldVersion]](), answer: a.versions},
		{Method: "GET", Path: c + "/valid", Role: access.Viewer, Summary: "Versions of all pages by when they were valid: at an instant (at), or inside, containing or intersecting a span (relation, from, to).", Params: []param{
			{"at", "string", "alive at this time", false},
			{"relation", "string", "inside, contains or intersects", false},
			{"from", "string", "begin of the span", false},
			{"to", "string", "end of the span", false},
			{"validity", "string", "nominal, inferred or proven; nominal if not given", false},
			{"url", "string", "only of this address", false},
			{"matchType", "string", "exact, prefix, host or domain", false},
			{"mime", "string", "only of this type", false},
			{"status", "string", "only with this status", false},
			{"limit", "integer", "1000 if not given, at most 10,000", false},
			{"start", "string", "next of the answer before", false},
			{"count", "string", "true: only count", false},
		}, Media: "application/json", stream: a.valid},
		{Method: "GET", Path: c + "/compare", Role: access.Viewer, Summary: "What differs between two captures: text and links.", Params: []param{
			urlParam, {"a", "string", "time of the first capture, 14 digits; the nearest is taken", true}, {"b", "string", "time of the second", true},
		}, Answer: of[Comparison](), answer: a.compare},
		{Method: "GET", Path: c + "/thread", Role: access.Viewer, Summary: "What people wrote on a page of a forum, blog or wiki: its posts with their authors, and what was added, edited or deleted between captures.", Params: []param{
			urlParam, {"at", "string", "as of this time; the last capture if not given", false},
		}, Answer: of[thread.Thread](), answer: a.thread},
		{Method: "GET", Path: c + "/analyse", Role: access.Viewer, Summary: "What the text of a capture says: sentences, words with tags and lemmas, names, each with its place and confidence.", Params: with([]param{
			urlParam, {"at", "string", "the capture nearest to this time; the last if not given", false},
		}, analyseParams), Answer: of[annotate.Analysis](), stream: a.analyseCapture},
		{Method: "POST", Path: "/api/text/analyse", Summary: "What the text in the body says (text/plain or text/html, at most 256 KiB).", Params: analyseParams, BodyMedia: "text/plain", Answer: of[annotate.Analysis](), stream: a.analysePosted},
		{Method: "GET", Path: c + "/facts", Role: access.Viewer, Summary: "The facts of a capture, found in its sentences, tables and lists while it is asked for.", Params: []param{
			urlParam, {"at", "string", "the capture nearest to this time; the last if not given", false}, {"date", "string", "date of the document: 4 to 14 digits, or RFC 3339; what it says of itself if not given", false},
		}, Answer: of[search.LiveFacts](), stream: a.captureFacts},
		{Method: "POST", Path: "/api/text/facts", Summary: "The facts of the text in the body (text/plain or text/html, at most 256 KiB): who was what, and when.", Params: []param{{"date", "string", "date of the document", false}}, BodyMedia: "text/plain", Answer: of[search.LiveFacts](), stream: a.postedFacts},
		{Method: "POST", Path: "/api/text/statistics", Role: access.Viewer, Summary: "The articles of statistics that the text in the body has to do with (text/plain or text/html, at most 256 KiB), and why: names, their kinds, and the themes that these stand for.", Params: statisticsParams, BodyMedia: "text/plain", Answer: of[search.LinkedStatistics](), stream: a.statistics},
		{Method: "GET", Path: c + "/map", Role: access.Viewer, Summary: "The temporal site map: captures by depth and time.", Params: with([]param{{"url", "string", "only this site or path", false}}, spanParams), Answer: of[holdings.SiteMap](), answer: a.siteMap},
		{Method: "GET", Path: c + "/terms", Role: access.Viewer, Summary: "Words through time: the years of a collection, its most frequent terms, and the senses that held longest. Refused where rules withhold a part of the collection.", Answer: of[evolution.Terms](), answer: a.terms},
		{Method: "GET", Path: c + "/terms/{term}", Role: access.Viewer, Summary: "A term through time: how often it is said each year, its senses as paths, the words beside it, and what it stands in lists with in a year.", Params: termParams, Answer: of[evolution.Term](), answer: a.term},
		{Method: "GET", Path: c + "/names", Role: access.Viewer, Summary: "Pairs of names that texts use for one thing, one after the other, as far as filters tell.", Answer: of[evolution.Names](), answer: a.renamings},
		{Method: "GET", Path: c + "/names/{called}", Role: access.Viewer, Summary: "A name through time: in which years texts have it, and what the same thing may have been called before and since, with what speaks for it.", Answer: of[evolution.Name](), answer: a.formerName},
		{Method: "GET", Path: c + "/phrases", Role: access.Viewer, Summary: "Phrases that begin to be used and will probably go on, each told from the texts up to its year, with the texts that have it first.", Params: phrasesParams, Answer: of[evolution.Phrases](), answer: a.phrases},
		{Method: "GET", Path: c + "/record", Role: access.Viewer, Summary: "The collection as a record for library catalogues, from [metadata] of collection.toml: Dublin Core (oai_dc) or MARC 21, both in XML.", Params: []param{
			{"format", "string", "dc or marc; dc if not given", false},
		}, Media: "application/xml", stream: a.record},
		{Method: "GET", Path: c + "/wacz", Role: access.Viewer, Summary: "A package of the collection, of one crawl, or of the captures of a URL prefix.", Params: with([]param{
			{"crawl", "string", "only the files of this crawl", false},
			{"url", "string", "only captures of addresses that begin so", false},
			{"notModified", "string", "true: index revisits by which a server said that nothing changed (304) too; other players show blank pages for them", false},
			{"parts", "string", "false: pages without their pictures, style sheets, scripts and fonts", false},
		}, spanParams), Media: "application/wacz", stream: a.exportWACZ},
		{Method: "POST", Path: c + "/wacz", Role: access.Curator, Summary: "Unpack the WARC files of a package into the collection.", BodyMedia: "application/wacz", Answer: of[List[Imported]](), stream: a.importWACZ},
		{Method: "POST", Path: c + "/files", Role: access.Curator, Summary: "Bring a file into the collection: WARC, ARC, CDX or WACZ; what it is, its content says.", Params: []param{{"name", "string", "the name of the file", true}}, BodyMedia: "application/octet-stream", Answer: of[List[Imported]](), stream: a.importFile},
		{Method: "GET", Path: c + "/media", Role: access.Curator, Summary: "Films and sounds of a collection: what pages show, what is archived, asked for, noted.", Params: mediaParams, Answer: of[MediaPage](), answer: a.media},
		{Method: "POST", Path: c + "/media/queue", Role: access.Curator, Summary: "Ask for a film to be got by 'varve media fetch', or take that back.", Body: of[MediaWish](), Answer: of[curation.Entry](), answer: a.wishMedia},
		{Method: "POST", Path: c + "/media/notes", Said: true, Role: access.Curator, Summary: "Note something about a film: a label, a text, or both.", Body: of[MediaNote](), Answer: of[curation.Entry](), answer: a.noteMedia},
		{Method: "GET", Path: c + "/notes", Said: true, Role: access.Viewer, Summary: "Notes, decisions and questions about a collection, its crawls, pages and captures, newest word first; readers get what is public.", Params: noteParams, Answer: of[List[notes.Thread]](), answer: a.notes},
		{Method: "POST", Path: c + "/notes", Said: true, Role: access.Curator, Summary: "Write a note.", Body: of[NewNote](), Answer: of[notes.Thread](), answer: a.addNote},
		{Method: "POST", Path: c + "/notes/{note}", Said: true, Role: access.Curator, Summary: "Answer, close or reopen a note, show it to readers or hide it from them.", Body: of[NoteAct](), Answer: of[notes.Thread](), answer: a.actOnNote},
		{Method: "GET", Path: c + "/selections", Role: access.Curator, Summary: "Selections of versions for a final archive.", Answer: of[List[SelectionItem]](), answer: a.selections},
		{Method: "POST", Path: c + "/selections", Role: access.Curator, Summary: "Define a selection by a topic and compute what it proposes; one of the same name is replaced, its decisions stay.", Body: of[NewSelection](), Answer: of[Proposed](), answer: a.defineSelection},
		{Method: "GET", Path: c + "/selections/{selection}", Role: access.Curator, Summary: "What a selection proposes and what was decided, the most relevant first.", Params: selectionParams, Answer: of[SelectionPage](), answer: a.showSelection},
		{Method: "POST", Path: c + "/selections/{selection}/decisions", Role: access.Curator, Summary: "Include, exclude or reset pages, or single versions of them.", Body: of[[]selection.Decision](), Answer: of[SelectionItem](), answer: a.decide},
		{Method: "GET", Path: c + "/selections/{selection}/export", Role: access.Curator, Summary: "All captures of the chosen versions.", Params: []param{{"format", "string", "warc or wacz", true}, {"undecided", "string", "take: with what is proposed and undecided; leave if not given", false}, {"parts", "string", "false: pages without their pictures, style sheets, scripts and fonts", false}}, Media: "application/warc", stream: a.exportChosen},
		{Method: "GET", Path: "/api/search", Role: access.Viewer, Summary: "Versions of pages by text, time and facets.", Params: searchParams, Answer: of[fulltext.Answer](), answer: a.search},
		{Method: "GET", Path: "/api/search/export", Role: access.Viewer, Summary: "All results of a search as a table (csv), JSON lines (jsonl), or the records of all their captures (warc, wacz).", Params: with([]param{{"format", "string", "csv, jsonl, warc or wacz", true}, {"parts", "string", "false: pages without their pictures, style sheets, scripts and fonts", false}}, searchParams), Media: "text/csv", stream: a.exportSearch},
		{Method: "GET", Path: "/api/facets/{facet}", Role: access.Viewer, Summary: "Names of a facet, the commonest first: those that begin as was typed, of versions that fit the conditions of a search.", Params: namesParams, Answer: of[search.Completion](), answer: a.names},
		{Method: "GET", Path: "/api/trends", Role: access.Viewer, Summary: "How often terms were there over time, by when versions were first seen, beside all versions of the time.", Params: trendParams, Answer: of[search.Trends](), answer: a.trends},
		{Method: "GET", Path: "/api/cloud", Role: access.Viewer, Summary: "Terms that rise in an interval against all other times, by log-likelihood ratio; without function words.", Params: cloudParams, Answer: of[search.Cloud](), answer: a.cloud},
		{Method: "GET", Path: "/api/clouds", Role: access.Viewer, Summary: "Terms, or values of a facet, that the time before a day and the time since have more often than the other.", Params: cloudsParams, Answer: of[search.Clouds](), answer: a.clouds},
		{Method: "GET", Path: "/api/rising", Role: access.Viewer, Summary: "Values of facets (persons, places, terms) that versions first seen in a time have more often than those of the time before, by log-likelihood ratio.", Params: risingParams, Answer: of[search.Rising](), answer: a.rising},
		{Method: "GET", Path: "/api/beside", Role: access.Viewer, Summary: "What two collections say beside one thing: persons, places or terms of the versions that have it, by month or year on one axis, and how much the two differ, with intervals.", Params: besideParams, Answer: of[search.Beside](), answer: a.beside},
		{Method: "GET", Path: "/api/opinions", Role: access.Viewer, Summary: "How versions judge, over time, whom, and by language and country of the host, as an analysis found it.", Params: opinionParams, Answer: of[search.Opinions](), answer: a.opinions},
		{Method: "GET", Path: "/api/entities", Role: access.Viewer, Summary: "Entities that versions name and that a text may mean: those whose label begins so, and those of just this name.", Params: entitiesParams, Answer: of[List[search.Companion]](), answer: a.entities},
		{Method: "GET", Path: "/api/types/{taxonomy}", Summary: "The kinds of things that names can be (wordnet or figer), parents before children. /api/text/analyse?units=types says of which the names of a text are.", Answer: of[List[TypeOfNames]](), answer: a.types},
		{Method: "GET", Path: "/api/entities/{entity}", Role: access.Viewer, Summary: "What versions say of an entity: how many name it, over time, under which names, together with what, passages; and what the base knows.", Params: entityParams, Answer: of[search.Entity](), answer: a.entity},
		{Method: "GET", Path: "/api/facts", Role: access.Viewer, Summary: "Who was what, and when: facts of a name with the time in which they hold, as texts tell them; what contradicts them are alternatives. Without a name, those of which most is said.", Params: factsParams, Answer: of[search.Facts](), answer: a.facts},
		{Method: "GET", Path: "/api/facts/{relation}", Role: access.Viewer, Summary: "One fact with the versions and sentences that state it, what else is told of its names, and what of it stands against the fact.", Params: factParams, Answer: of[search.FactPage](), answer: a.fact},
		{Method: "GET", Path: "/api/document", Role: access.Viewer, Summary: "A version of a page: what is known of it, its text, its other versions, links in and out.", Params: documentParams, Answer: of[search.Document](), answer: a.document},
		{Method: "GET", Path: "/api/searches", Role: access.Viewer, Summary: "Saved searches.", Params: []param{{"collection", "string", "of these collections, by comma; of all if not given", false}}, Answer: of[List[search.Saved]](), answer: a.searches},
		{Method: "POST", Path: "/api/searches", Role: access.Viewer, Summary: "Save a search; one of the same name is replaced.", Body: of[SavedSearch](), Answer: of[search.Saved](), answer: a.saveSearch},
		{Method: "DELETE", Path: "/api/searches/{search}", Role: access.Viewer, Summary: "Forget a saved search: one's own, or any as a curator.", Params: []param{{"collection", "string", "its collection", true}}, Answer: of[List[search.Saved]](), answer: a.deleteSearch},
		{Method: "GET", Path: "/api/tray", Role: access.Curator, Summary: "What somebody has to look at, worst first: open, and put aside.", Params: trayParams, Answer: of[TrayPage](), answer: a.tray},
		{Method: "POST", Path: "/api/tray/{alert}", Role: access.Curator, Summary: "Put an alert aside (done, snooze) or back (open).", Body: of[TrayDecision](), Answer: of[review.Alert](), answer: a.decideTray},
		{Method: "GET", Path: "/api/access/rules", Said: true, Role: access.Curator, Summary: "Access rules in force.", Answer: of[List[access.Rule]](), answer: a.rules},
		{Method: "POST", Path: "/api/access/rules", Said: true, Role: access.Curator, Summary: "Add an access rule. Level blocked is a takedown and needs the role admin.", Body: of[access.Rule](), Answer: of[access.Rule](), answer: a.addRule},
		{Method: "POST", Path: "/api/access/preview", Said: true, Role: access.Curator, Summary: "What an access rule would withhold or open, and from whom; nothing is changed.", Body: of[access.Rule](), Answer: of[access.Effect](), answer: a.previewRule},
		{Method: "DELETE", Path: "/api/access/rules/{rule}", Said: true, Role: access.Admin, Summary: "Lift an access rule.", Params: []param{{"reason", "string", "why", true}}, Answer: of[List[access.Rule]](), answer: a.liftRule},
		{Method: "GET", Path: "/api/access/audit", Said: true, Role: access.Admin, Summary: "The audit log, newest first.", Params: pageParams, Answer: of[List[access.Entry]](), answer: a.auditLog},
	}
}

// Comparison is what differs between two captures.
type Comparison struct {
	A      holdings.IndexedCapture `json:"a"`
	B      holdings.IndexedCapture `json:"b"`
	Result *compare.Result         `json:"result"`
}
