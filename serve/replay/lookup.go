package replay

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"varve/serve/replay/address"
	"varve/web/canon"
)

// maxCandidates bounds the captures of one key that are considered, and those that fuzzy lookup looks at.
const (
	maxCandidates = 24
	maxFuzzy      = 100
	maxTries      = 6
)

// ask is what is looked for.
type ask struct {
	collection string
	method     string
	url        string
	typ        string // of the body of the request
	body       []byte
	at         time.Time
	mod        address.Mod
	asWas      bool // redirects are followed on the original hosts, where http and https are two places
}

// found is a capture that was chosen and loaded.
type found struct {
	choice
	record *record
	fuzzy  string // the URL that was found in place of the one asked for; "" if it is the same
	url    string // as it was captured
}

// errNothing is returned when no capture can be shown; near says what there is nevertheless.
type errNothing struct {
	near  []Found // of the same key, nearest first
	far   bool    // there are captures, all beyond the span
	cause error   // why the last one could not be shown
}

func (e *errNothing) Error() string {
	switch {
	case e.cause != nil:
		return fmt.Sprintf("no capture could be shown: %v", e.cause)
	case e.far:
		return "all captures are too far from the time of the page"
	}
	return "not captured"
}

func (e *errNothing) Unwrap() error { return e.cause }

// key gives the index key of what is asked for.
func (q *ask) key() string {
	if q.method == "" || q.method == "GET" || q.method == "HEAD" {
		return canon.SURT(q.url)
	}
	key, _ := canon.RequestKey(q.method, q.url, q.typ, q.body)
	return key
}

// find looks a capture up and loads it. The error is *errNothing where there is nothing to show.
func (h *Handler) find(ctx context.Context, q ask) (*found, error) {
	captures, fuzzy, err := h.candidates(ctx, &q)
	if err != nil {
		return nil, err
	}
	span := h.cfg.Span
	if !q.mod.Embedded() {
		span = -1
	}
	if q.asWas {
		captures = sameScheme(captures, q.url)
	}
	choices := choose(ctx, h.witness(q.mod), q.collection, captures, q.at, span)
	if len(choices) == 0 {
		return nil, &errNothing{near: captures, far: len(captures) > 0}
	}
	return h.load(ctx, &q, choices, fuzzy, captures)
}

// witness gives the witness for embedded parts; a page is always shown as near to the time asked for as can be.
func (h *Handler) witness(mod address.Mod) Witness {
	if mod.Embedded() {
		return h.cfg.Witness
	}
	return nil
}

// load opens the choices one after the other until one can be shown.
func (h *Handler) load(ctx context.Context, q *ask, choices []choice, fuzzy bool, near []Found) (*found, error) {
	if !q.mod.Embedded() {
		nearest(choices, q.at)
	}
	nothing := &errNothing{near: near}
	for i, c := range choices {
		if i == maxTries {
			break
		}
		rec, err := h.open(ctx, q.collection, c.Found)
		if err == nil && q.mod != address.Identity && !q.asWas {
			err = h.circular(ctx, q.collection, c.Found, rec)
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			rec.Close()
			h.log.Warn("capture skipped", "url", c.URL, "time", c.Time, "err", err)
			nothing.cause = err
			continue
		}
		f := &found{choice: c, record: rec, url: c.URL}
		if fuzzy {
			f.fuzzy = c.URL
		}
		return f, nil
	}
	return nil, nothing
}

// candidates gives the captures to choose from, nearest first, and whether they are of another key than asked for.
func (h *Handler) candidates(ctx context.Context, q *ask) ([]Found, bool, error) {
	captures, err := h.cfg.Index.Closest(ctx, q.collection, q.key(), q.at, maxCandidates)
	if err != nil || len(captures) > 0 {
		return captures, false, err
	}
	captures, err = h.fuzzy(ctx, q)
	return captures, len(captures) > 0, err
}

// errCircular marks a capture that only leads to itself.
var errCircular = errors.New("the capture redirects in a circle")

// sameScheme leaves only captures of the scheme asked for, if there are any: behind a proxy the redirect from http to
// https leads on, and must not be answered with itself.
func sameScheme(captures []Found, url string) []Found {
	scheme, _, _ := strings.Cut(url, ":")
	var out []Found
	for _, c := range captures {
		if strings.HasPrefix(c.URL, scheme+":") {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return captures
	}
	return out
}
