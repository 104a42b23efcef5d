package gather

import (
	"fmt"
	"net/http"
	"strings"

	"varve/crawl"
	"varve/crawl/collect"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/web/canon"
	"varve/web/links"
	"varve/web/wire"
)

// question is a collector's request, ready to be asked.
type question struct {
	url    canon.URL
	method string // "" is GET
	key    string
	header wire.Header
	body   []byte
	hop    links.Hop
	hops   string
	band   uint8
	part   bool // of the page that is collected
	fresh  bool
}

// questionOf checks a request. Methods that are there to change a site are refused: a crawl reads.
func questionOf(req *collect.Request, page *crawl.Visit) (*question, error) {
	u, err := canon.Parse(req.URL)
	if err == nil && !u.IsHTTP() {
		err = fmt.Errorf("only http and https can be fetched: %w", collect.ErrRefused)
	}
	if err != nil {
		return nil, err
	}
	q := &question{url: u.WithoutFragment(), body: req.Body, hop: req.Hop, fresh: req.Fresh}
	switch m := strings.ToUpper(req.Method); m {
	case "", http.MethodGet:
		if len(req.Body) > 0 {
			return nil, fmt.Errorf("a GET with a body: %w", collect.ErrRefused)
		}
	case http.MethodHead, http.MethodPost, http.MethodOptions:
		q.method = m
	default:
		return nil, fmt.Errorf("method %.20q: %w", req.Method, collect.ErrRefused)
	}
	if len(req.Body) > crawl.MaxRequestBody {
		return nil, fmt.Errorf("a body of %d bytes: %w", len(req.Body), collect.ErrRefused)
	}
	q.header = askedHeader(req.Header)
	q.key = crawl.RequestKey(q.method, q.url.FrontierKey(), q.header.Get("Range"), q.body)
	q.hops = page.Item().HopPath + crawl.HopLetter(req.Hop)
	q.band, q.part = crawl.BandOf(req.Hop, page.Item().HopPath), req.Hop == links.HopEmbed
	return q, nil
}

// link is the request as if the page had a link to it.
func (q *question) link() *links.Link {
	return &links.Link{URL: q.url.String(), Kind: links.DOMRequest, Hop: q.hop}
}

// plain tells a request that a worker could make, so that its URL may be queued.
func (q *question) plain() bool { return q.method == "" && q.header.Get("Range") == "" }

// askedHeader takes what a collector wants to say, without the fields that belong to a connection, say
// who we are, or make an answer depend on what the collector has seen before. A range from the first
// byte on is the whole.
func askedHeader(h wire.Header) wire.Header {
	var out wire.Header
	for _, f := range h {
		name := strings.ToLower(f.Name)
		switch name {
		case "host", "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "content-length", "expect",
			"user-agent", "from", "accept-encoding", "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range",
			"http2-settings", "priority", "cache-control", "pragma":
			continue
		case "range":
			if strings.ReplaceAll(f.Value, " ", "") == "bytes=0-" {
				continue
			}
		}
		if strings.HasPrefix(name, "proxy-") || f.Value == "" {
			continue
		}
		out = append(out, f)
	}
	return out
}

// item is the URL as the frontier knows it, or would.
func (q *question) item(known frontier.Entry, page *crawl.Visit) frontier.Item {
	asked := frontier.Item{
		Key: q.key, URL: q.url.String(), Host: q.url.HostPort(), Domain: canon.PayLevelDomain(q.url.Host()),
		Via: page.Item().URL, HopPath: q.hops, Band: q.band, Score: crawl.PlainScore, Depth: page.Item().Depth + 1,
	}
	if known.State != frontier.Queued && known.State != frontier.InFlight {
		return asked
	}
	it := known.Item
	if asked.Band < it.Band { // the page that asks for it is the better reason
		it.Via, it.HopPath, it.Band, it.Depth = asked.Via, asked.HopPath, asked.Band, asked.Depth
	}
	return it
}

// cookies settles who sends cookies: a collector that sends some keeps them, with those of the run's
// jar that have other names; else the jar does.
func (q *question) cookies(req *fetch.Request, jar *fetch.Jar) {
	sent := q.header.Get("Cookie")
	if sent == "" || jar == nil {
		req.Jar = jar
		return
	}
	merged := jar.Merge(req.URL, sent)
	for i := range req.Header {
		if strings.EqualFold(req.Header[i].Name, "Cookie") {
			req.Header[i].Value = merged
			return
		}
	}
}
