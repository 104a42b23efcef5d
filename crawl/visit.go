package crawl

import (
	"net/netip"
	"strings"
	"time"

	"varve"
	"varve/archive/history"
	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/crawl/polite"
	"varve/crawl/scope"
	"varve/text/layer"
	"varve/web/canon"
)

// Visit is one URL taken from the frontier and what came of it.
type Visit struct {
	item     frontier.Item
	url      canon.URL
	settings scope.Settings
	started  time.Time

	verdict   frontier.Verdict
	reason    string    // of a refusal
	notBefore time.Time // of a retry

	class     fetch.Class // why there is no whole answer
	status    int         // of HTTP; 0 without an answer
	mime      string
	size      int64 // of the answer as received
	payload   int64 // of its body, without chunks
	digest    string
	strong    string // sha256 of the payload
	duration  time.Duration
	fetched   time.Time
	ip        netip.Addr
	notes     []string
	known     *history.Entry // what the collection knew of the URL
	revisit   *revisitOf     // the record refers to an earlier one
	truncated bool

	cutLinks   int      // links that a limit kept out
	cutContent bool     // it was longer than what is looked at for links
	gaps       []string // further causes for which something is missing
	stranger   bool     // a part of a page that lies beyond the domains of all seeds

	recordID string
	redirect string // where the answer sends us
	title    string
	nofollow bool // the page asks not to follow its links
	remarks  []remark
	rulings  []ruling // what scope rules did to it and to links found on it

	gaveUp *failing // what it was settled with, without being asked for

	validators [2]string // ETag, Last-Modified
	links      []frontier.Item
	ahead      int            // links of a sitemap that were queued before its commit
	weight     int            // of its links, while they wait for their commit
	soft       bool           // the page says that there is nothing at its address
	overBudget int64          // entries of a sitemap that were not queued: the budget of their host was used up
	earlier    *Earlier       // of a second look
	fields     [][2]string    // that stages add to the metadata record
	layers     *layer.Digests // where they are asked for
	ticket     *warc.Ticket
	part       bool   // fetched for a collector, while its page is under way
	special    bool   // its answer depends on more than its URL: method, range or body
	collector  string // who went further with the answer
	where      varve.Location
}

// remark is what a stage keeps with a visit.
type remark struct {
	by    Stage
	value any
}

// Remark returns what a stage keeps with the visit; nil if that is nothing.
func (v *Visit) Remark(by Stage) any {
	for i := range v.remarks {
		if v.remarks[i].by == by {
			return v.remarks[i].value
		}
	}
	return nil
}

// SetRemark keeps a value of a stage with the visit.
func (v *Visit) SetRemark(by Stage, value any) {
	for i := range v.remarks {
		if v.remarks[i].by == by {
			v.remarks[i].value = value
			return
		}
	}
	v.remarks = append(v.remarks, remark{by, value})
}

// Item returns the URL as the frontier has it.
func (v *Visit) Item() *frontier.Item { return &v.item }

// URL returns the address that is visited.
func (v *Visit) URL() canon.URL { return v.url }

// Status returns that of HTTP; 0 without an answer.
func (v *Visit) Status() int { return v.status }

// Fetched returns when the request was sent.
func (v *Visit) Fetched() time.Time { return v.fetched }

// IsPage reports whether the answer is HTML with a status of success.
func (v *Visit) IsPage() bool { return v.isPage() }

// NoFollow reports whether the page asks not to follow its links.
func (v *Visit) NoFollow() bool { return v.nofollow }

// IsProbe reports whether the visit asks for a page that cannot exist, or for one twice, to see how its host answers that.
func (v *Visit) IsProbe() bool { return v.isProbe() }

// Answered reports whether an answer with a head came, whole or not.
func (v *Visit) Answered() bool { return v.answered() }

// Truncated reports whether the answer is not whole.
func (v *Visit) Truncated() bool { return v.truncated }

// Class returns why there is no whole answer.
func (v *Visit) Class() fetch.Class { return v.class }

// Started returns when the URL was taken.
func (v *Visit) Started() time.Time { return v.started }

// MIME returns the media type of the answer.
func (v *Visit) MIME() string { return v.mime }

// Size returns the bytes of the answer as received.
func (v *Visit) Size() int64 { return v.size }

// Digest returns that of the payload, as in WARC.
func (v *Visit) Digest() string { return v.digest }

// Redirect returns where the answer sends us.
func (v *Visit) Redirect() string { return v.redirect }

// Layers returns the layers of the page, where they were asked for.
func (v *Visit) Layers() *layer.Digests { return v.layers }

// Validators returns ETag and Last-Modified of the answer.
func (v *Visit) Validators() [2]string { return v.validators }

// Known returns what the collection knew of the URL; nil if nothing.
func (v *Visit) Known() *history.Entry { return v.known }

// Record returns the record of the answer.
func (v *Visit) Record() history.Reference {
	return history.Reference{URI: v.url.String(), Date: v.fetched, ID: v.recordID, Location: v.where}
}

// RefersTo returns the earlier record that holds the payload, and its digest, if the record of the visit refers to one.
func (v *Visit) RefersTo() (ref history.Reference, digest string) {
	if v.revisit != nil {
		return v.revisit.Reference, v.revisit.digest
	}
	return ref, ""
}

// Later reports whether the URL is tried again.
func (v *Visit) Later() bool { return v.verdict == frontier.Later }

// Refused reports whether the visit was not made: scope, robots.txt, a stage.
func (v *Visit) Refused() bool { return v.verdict == frontier.Refused }

// Reason returns why the visit was refused.
func (v *Visit) Reason() string { return v.reason }

// RecordID returns the id of the record of the answer, once it has one.
func (v *Visit) RecordID() string { return v.recordID }

// SetRecordID fixes the id of the record of the answer before it is written.
func (v *Visit) SetRecordID(id string) { v.recordID = id }

// Collector returns who went further with the answer.
func (v *Visit) Collector() string { return v.collector }

// SetCollector says who goes further with the answer.
func (v *Visit) SetCollector(name string) { v.collector = name }

// Title returns the title of the page.
func (v *Visit) Title() string { return v.title }

// SetTitle gives the page the title that it shows.
func (v *Visit) SetTitle(title string) { v.title = title }

// Queued reports whether the URL is one of the frontier.
func (v *Visit) Queued() bool { return v.queued() }

// Detach makes the visit one that settles no URL of the frontier: its answer stands beside the one that is there.
func (v *Visit) Detach() { v.item.Key = "" }

// Special reports whether the answer depends on more than its URL.
func (v *Visit) Special() bool { return v.special }

// Finished reports whether the URL is not tried again.
func (v *Visit) Finished() bool { return v.verdict == frontier.Finished }

// CutLinks counts links that a limit kept out.
func (v *Visit) CutLinks(n int) { v.cutLinks += n }

// AddGap notes a cause for which something is missing that belongs to the crawl.
func (v *Visit) AddGap(cause string) { v.gaps = append(v.gaps, cause) }

// AddField adds a field to the metadata record of the visit, before those that its answer gives.
func (v *Visit) AddField(name, value string) { v.fields = append(v.fields, [2]string{name, value}) }

// Queue queues one more URL with the commit of the visit.
func (v *Visit) Queue(it frontier.Item) { v.links = append(v.links, it) }

// Again reports whether the visit is the second look at a page.
func (v *Visit) Again() bool { return v.again() }

// Settles reports whether a URL of the frontier is done with the visit.
func (v *Visit) Settles() bool { return v.settles() }

// FromSeed reports whether only redirects, if anything, lead from a seed to the URL.
func (v *Visit) FromSeed() bool { return isRedirectChain(v.item.HopPath) }

// refuse makes the visit one that was not made.
func (v *Visit) refuse(why string) *Visit {
	v.verdict, v.reason = frontier.Refused, why
	return v
}

// neverReached tells failures that come before a word with the server.
func neverReached(c fetch.Class) bool {
	switch c {
	case fetch.NoName, fetch.DNSFailure, fetch.DNSTimeout, fetch.Guarded, fetch.NoConnect, fetch.ConnectTimeout,
		fetch.BadTLS, fetch.TLSTimeout, fetch.BadProxy:
		return true
	}
	return false
}

// answered tells whether an answer with a head came, whole or not.
func (v *Visit) answered() bool { return v.status > 0 }

// isPage tells HTML answers with a status of success.
func (v *Visit) isPage() bool {
	mime := v.mime
	if v.status == 304 && v.known != nil {
		mime = v.known.MIME
	} else if v.status < 200 || v.status > 299 {
		return false
	}
	return mime == "text/html" || mime == "application/xhtml+xml"
}

// took notes what an exchange gave.
func (v *Visit) took(x *fetch.Exchange, err error) {
	v.class = fetch.ClassOf(err)
	v.status = x.Head.Status
	v.mime = strings.ToLower(x.Head.MediaType())
	v.size, v.payload = x.Response.Size(), x.PayloadSize
	v.duration, v.fetched = x.Timings.Total, x.Timings.Start
	v.ip = x.Remote.Addr()
	v.truncated = x.Truncated != ""
	v.notes = x.Notes
	if v.answered() {
		v.digest = warc.FormatDigest("sha1", x.Digests.PayloadSHA1[:])
		v.strong = warc.FormatDigest("sha256", x.Digests.PayloadSHA256[:])
		v.validators = [2]string{x.Head.Header.Get("ETag"), x.Head.Header.Get("Last-Modified")}
	}
}

// outcomeOf tells politeness how a request ended.
func outcomeOf(x *fetch.Exchange, err error, now time.Time) polite.Outcome {
	o := polite.Outcome{Duration: x.Timings.Total, Status: x.Head.Status}
	if after, ok := polite.ParseRetryAfter(x.Head.Header.Get("Retry-After"), now); ok {
		o.RetryAfter = after
	}
	switch class := fetch.ClassOf(err); class {
	case "":
	case fetch.ConnectTimeout, fetch.TLSTimeout, fetch.HeadTimeout, fetch.IdleTimeout, fetch.WriteTimeout:
		o.Failure = polite.Timeout
	case fetch.NoConnect, fetch.BadTLS, fetch.BadProxy:
		o.Failure = polite.Connect
	case fetch.Reset, fetch.Disconnect, fetch.Protocol:
		o.Failure = polite.Broken
	case fetch.BodyLarge, fetch.Declined, fetch.TotalTimeout, fetch.TooSlow, fetch.HeadLarge:
		// The server is well; we had enough.
	default:
		o.Failure = polite.Abandoned
	}
	return o
}

// tryAgain tells the answers of servers that may do better later.
func tryAgain(status int) bool {
	return status == 429 || status == 502 || status == 503 || status == 504
}

// maxDoublings bounds how often the wait before the next attempt is doubled.
const maxDoublings = 10

// retry decides whether a URL is tried again later, and when.
func (r *Run) retry(v *Visit, err error, pause polite.Pause, now time.Time) bool {
	again := tryAgain(v.status)
	if e, ok := err.(*fetch.Error); ok { //nolint:errorlint // Fetch gives the bare type
		if v.answered() {
			again = again || e.Broken()
		} else {
			again = e.Retry()
		}
	}
	retries, wait := r.patience(v.class, v.url, v.item.Attempts)
	if !again || v.item.Attempts >= retries {
		return false
	}
	at := now.Add(wait)
	if pause.Until.After(at) {
		at = pause.Until
	}
	v.verdict, v.notBefore = frontier.Later, r.steady(at)
	return true
}

// retryWait is the wait before another attempt after so many that failed: doubled each time, up to a bound.
func (r *Run) retryWait(failed int) time.Duration {
	first := time.Duration(r.Def.RetryAfter)
	return max(first, min(first<<min(failed, maxDoublings), maxRetryWait))
}

// result is what the frontier is told.
// Result returns what the frontier is told of the visit, with the links that are queued with it.
func (v *Visit) Result() frontier.Result { return v.result() }

func (v *Visit) result() frontier.Result {
	res := frontier.Result{Item: v.item, Verdict: v.verdict, Reason: v.reason, NotBefore: v.notBefore, Links: v.links}
	if v.verdict == frontier.Finished {
		res.Outcome = frontier.Outcome{
			Status: v.code(), Failed: !v.answered(), Size: v.size, At: v.fetched,
			Digest: []byte(v.digest), Record: appendLocation(nil, v.where),
		}
	}
	return res
}

// code is the status, or a negative number in the tradition of the field's crawl logs.
func (v *Visit) code() int {
	if v.status > 0 {
		return v.status
	}
	switch v.class {
	case fetch.NoName, fetch.DNSFailure, fetch.DNSTimeout:
		return -1
	case fetch.NoConnect, fetch.BadTLS, fetch.BadProxy, fetch.ConnectTimeout, fetch.TLSTimeout:
		return -2
	case fetch.Reset, fetch.Disconnect, fetch.Protocol, fetch.HeadLarge:
		return -3
	case fetch.HeadTimeout, fetch.IdleTimeout, fetch.TotalTimeout, fetch.WriteTimeout, fetch.TooSlow:
		return -4
	case fetch.Guarded:
		return -5000
	}
	return -5
}
