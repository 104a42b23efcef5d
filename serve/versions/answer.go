package versions

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"varve"
	"varve/index/temporal"
)

// VersionAnswer is a version in an answer.
type VersionAnswer struct {
	ID       uint32     `json:"id"`
	URL      string     `json:"url"`
	Key      string     `json:"urlkey"`
	Digest   string     `json:"digest"`
	MIME     string     `json:"mime,omitempty"`
	Status   int        `json:"status,omitempty"`
	Captures int        `json:"captures"`
	First    time.Time  `json:"first"` // seen
	Last     time.Time  `json:"last"`
	Valid    varve.Span `json:"valid"`              // by the validity of the answer; without "to" it is open
	Evidence string     `json:"evidence,omitempty"` // of proven validity: witnessed, asserted
}

// Answer is what a question gives.
type Answer struct {
	Validity temporal.Validity `json:"validity"`
	Relation temporal.Relation `json:"relation"`
	Count    int64             `json:"count"` // of Versions, or of all answers if only they were counted
	Versions []VersionAnswer   `json:"versions,omitempty"`
	Next     string            `json:"next,omitempty"` // start of the next part, if there may be one
}

// Ask answers a question.
func Ask(ctx context.Context, ix *temporal.Index, q temporal.Query, count bool) (*Answer, error) {
	a := &Answer{Validity: q.Validity, Relation: q.Relation}
	if a.Validity == "" {
		a.Validity = temporal.Nominal
	}
	var err error
	if count {
		a.Count, err = ix.Count(q)
		return a, explained(err)
	}
	a.Versions = []VersionAnswer{}
	for r, err := range ix.Search(ctx, q) {
		if err != nil {
			return nil, explained(err)
		}
		a.Versions = append(a.Versions, versionOf(&r))
	}
	a.Count = int64(len(a.Versions))
	if n := len(a.Versions); n > 0 && n >= q.Limit && q.Limit > 0 {
		a.Next = strconv.FormatUint(uint64(a.Versions[n-1].ID)+1, 10)
	}
	return a, nil
}

func explained(err error) error {
	if errors.Is(err, temporal.ErrQuery) {
		return invalid("%v", err)
	}
	if errors.Is(err, temporal.ErrDamaged) {
		return &varve.Error{Kind: varve.Unavailable, Op: "ask for versions", Err: err, Hint: "'varve index --check' builds the index anew"}
	}
	return err
}

func versionOf(r *temporal.Result) VersionAnswer {
	v := &r.Version
	return VersionAnswer{
		ID: r.ID, URL: v.URL, Key: v.Key, Digest: v.Digest, MIME: v.MIME, Status: v.Status, Captures: v.Captures,
		First: v.Seen().From, Last: v.Seen().To, Valid: r.Valid, Evidence: string(r.Evidence),
	}
}

// Handler answers questions over HTTP. Open lends the index of the collection that a request is about, until the function
// that it returns is called; it is called for each request.
type Handler struct {
	Open func(*http.Request) (ix *temporal.Index, giveBack func(), err error)
}

// ServeHTTP answers a question.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a, err := h.answer(r)
	if err != nil {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(varve.HTTPStatus(err))
		_ = json.NewEncoder(w).Encode(map[string]any{ // the client may have left
			"type": "about:blank", "title": string(varve.KindOf(err)), "status": varve.HTTPStatus(err),
			"detail": err.Error(), "hint": varve.HintOf(err),
		})
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(a)
}

func (h *Handler) answer(r *http.Request) (*Answer, error) {
	p, err := FromValues(r.URL.Query())
	if err != nil {
		return nil, err
	}
	q, err := p.Query()
	if err != nil {
		return nil, err
	}
	ix, giveBack, err := h.Open(r)
	if err != nil {
		return nil, err
	}
	defer giveBack()
	return Ask(r.Context(), ix, q, p.Count)
}
