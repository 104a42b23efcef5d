package cdx

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/index/cdx"
)

// Config is what the server around the handler decides. Zero fields have defaults.
type Config struct {
	Defaults
	// Allow tells whether who asks may know of a capture; nil: of all.
	Allow func(*http.Request, *cdxj.Record) bool
	// Links gives the addresses for output=link; nil: captures are named by time and URL.
	Links func(r *http.Request, url string) Links
	// Timeout ends queries that take too long; default 5 minutes.
	Timeout time.Duration
	Log     *slog.Logger // of failures of our own; nil: none
}

// Handler answers CDX queries of one collection: GET ?url=...
type Handler struct {
	ix  Index
	cfg Config
}

// NewHandler makes a Handler.
func NewHandler(ix Index, cfg Config) *Handler {
	if cfg.Timeout <= 0 {
		cfg.Timeout = 5 * time.Minute
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Handler{ix, cfg}
}

// ServeHTTP answers a query. Errors are problem+json as long as nothing was sent; later the
// connection is cut, so that no client takes a part for the whole.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		problem(w, http.StatusMethodNotAllowed, &varve.Error{Kind: varve.Invalid, Op: "CDX query", Msg: "only GET is answered: the index is built from the archive's files"})
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.cfg.Timeout)
	defer cancel()
	v := r.URL.Query()
	if legacy(v) {
		h.serveLegacy(ctx, w, r, v)
		return
	}
	req, err := Parse(v, h.cfg.Defaults)
	if err != nil {
		problem(w, 0, err)
		return
	}
	w.Header().Set("Content-Type", req.contentType())
	if req.Capped { // as the Internet Archive does; showResumeKey tells where to go on
		w.Header().Set("X-Cdx-Limit", strconv.FormatInt(max(req.limit, -req.limit), 10))
	}
	var links Links
	if h.cfg.Links != nil {
		links = h.cfg.Links(r, strings.TrimSuffix(req.target, "*"))
	}
	wrote, err := req.Write(ctx, w, h.ix, links, h.allow(r))
	h.end(w, r, wrote, err)
}

func (h *Handler) allow(r *http.Request) func(*cdxj.Record) bool {
	if h.cfg.Allow == nil {
		return nil
	}
	return func(rec *cdxj.Record) bool { return h.cfg.Allow(r, rec) }
}

// end tells how an answer failed, if it did.
func (h *Handler) end(w http.ResponseWriter, r *http.Request, wrote bool, err error) {
	switch {
	case err == nil:
		return
	case r.Context().Err() != nil: // the client has left
		panic(http.ErrAbortHandler)
	}
	if errors.Is(err, cdx.ErrQuery) {
		err = invalid("%v", err)
	}
	if kind := varve.KindOf(err); kind == varve.Internal || kind == varve.Unavailable {
		h.cfg.Log.Error("CDX query failed", "query", r.URL.RawQuery, "error", err)
	}
	if wrote {
		panic(http.ErrAbortHandler)
	}
	problem(w, 0, err)
}

// problem writes an error as problem+json; status 0 means that its kind decides.
func problem(w http.ResponseWriter, status int, err error) {
	if status == 0 {
		status = varve.HTTPStatus(err)
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{ // the client may have left
		"type": "about:blank", "title": string(varve.KindOf(err)), "status": status,
		"detail": err.Error(), "hint": varve.HintOf(err),
	})
}
