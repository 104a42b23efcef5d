package holdings

import (
	"context"
	"iter"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/version"
	"varve/web/canon"
)

// IndexedCapture is a capture with the key that the index sorts it by.
type IndexedCapture struct {
	Key     string `json:"urlkey"`
	Revisit bool   `json:"revisit,omitempty"` // the record says only that nothing changed
	varve.Capture
	Redirect    string `json:"-"` // where it leads
	NotModified string `json:"-"` // "strong" or "weak" of a revisit that the server asked to be one
}

// Sight is what the capture says of its page.
func (c *IndexedCapture) Sight() version.Sight {
	return version.Answer{Key: c.Key, Status: c.Status, Digest: cdxj.NormalDigest(c.Digest), Redirect: c.Redirect, NotModified: c.NotModified}.Sight()
}

// Query asks for the captures of a collection.
type Query struct {
	Collection string
	URL        string
	Match      canon.Match // exact if empty
	From, To   time.Time   // both inclusive; zero means open
	After      string      // only keys above this one
	Limit      int         // captures; 0 means no limit
}

// Keys gives the range of index keys that the query asks for, and whether a key of it is meant. Keys
// have no slash at their end, so a folder is looked for without it and its neighbours are left out.
func (q Query) Keys() (from, to string, keep func(key string) bool, err error) {
	keep = func(string) bool { return true }
	if q.URL == "" {
		return "", "", keep, nil
	}
	match, target := q.Match, q.URL
	if match == "" {
		match = canon.MatchExact
	}
	folder := match == canon.MatchPrefix && strings.HasSuffix(target, "/") && Depth(target) > 0
	from, to, err = canon.Range(match, strings.TrimSuffix(target, "/"))
	if !folder {
		from, to, err = canon.Range(match, target)
	}
	if err != nil {
		return "", "", nil, &varve.Error{Kind: varve.Invalid, Op: "look for " + q.URL, Err: err}
	}
	if folder {
		base := from
		keep = func(key string) bool {
			rest := strings.TrimPrefix(key, base)
			return rest == "" || rest[0] == '/' || rest[0] == '?'
		}
	}
	return from, to, keep, nil
}

// Index tells what was captured, sorted by key and time. It is asked for captures that the caller
// may see: the one handed to the screens leaves out what access rules withhold.
type Index interface {
	Captures(ctx context.Context, q Query) iter.Seq2[IndexedCapture, error]
}

// Contents reads what a capture holds.
type Contents interface {
	// Content gives the content of a capture without transfer and content codings, at most limit bytes.
	Content(ctx context.Context, collection string, c IndexedCapture, limit int64) (*Content, error)
}

// Content is what a capture holds.
type Content struct {
	MIME      string // the Content-Type as sent
	Body      []byte
	Truncated bool // there is more than the limit
}

// Typed reads what people type to find addresses: nothing is everything, a star at an end is a
// beginning or a domain, a bare host is the host and all below it, anything else is a beginning.
func Typed(text string) (canon.Match, string) {
	if text == "" {
		return "", ""
	}
	if m, rest := canon.Shorthand(text); m != canon.MatchExact {
		return m, rest
	}
	_, rest, ok := strings.Cut(text, "://")
	if !ok {
		rest = text
	}
	if host, path, _ := strings.Cut(rest, "/"); path == "" && !strings.ContainsAny(host, "?#") {
		return canon.MatchDomain, text
	}
	return canon.MatchPrefix, text
}
