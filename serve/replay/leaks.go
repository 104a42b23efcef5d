package replay

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"varve/serve/replay/address"
)

// Leak is an attempt of a replayed page to reach something outside the archive, which the browser stopped.
type Leak struct {
	Page      string    `json:"page"`      // address of the page in the archive
	Blocked   string    `json:"blocked"`   // what it tried to reach; often only the origin
	Directive string    `json:"directive"` // which part of the policy stopped it
	Count     int64     `json:"count"`
	Last      time.Time `json:"last"`
}

// maxLeaks bounds the leaks that are told apart; the total counts on.
const maxLeaks = 1000

type leaks struct {
	now   func() time.Time
	mu    sync.Mutex
	total int64
	kept  map[string]*Leak
}

func newLeaks(now func() time.Time) *leaks {
	return &leaks{now: now, kept: map[string]*Leak{}}
}

// add counts one attempt.
func (l *leaks) add(page, blocked, directive string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total++
	key := page + "\n" + blocked
	k := l.kept[key]
	if k == nil {
		if len(l.kept) >= maxLeaks {
			return
		}
		k = &Leak{Page: page, Blocked: blocked, Directive: directive}
		l.kept[key] = k
	}
	k.Count++
	k.Last = l.now().UTC()
}

// Leaks gives the number of attempts since the start, and the pages that made them, those seen last first.
func (h *Handler) Leaks() (int64, []Leak) {
	h.leaks.mu.Lock()
	defer h.leaks.mu.Unlock()
	out := make([]Leak, 0, len(h.leaks.kept))
	for _, k := range h.leaks.kept {
		out = append(out, *k)
	}
	slices.SortFunc(out, func(a, b Leak) int { return b.Last.Compare(a.Last) })
	return h.leaks.total, out
}

// leak takes the report of a browser, or lists what was reported.
func (h *Handler) leak(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		total, list := h.Leaks()
		list = slices.DeleteFunc(list, func(l Leak) bool { return !h.mayName(r, l.Page) })
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(map[string]any{"total": total, "leaks": list}); err != nil {
			h.log.Debug("answer cut short", "err", err)
		}
		return
	}
	var report struct {
		Report struct {
			Document  string `json:"document-uri"`
			Blocked   string `json:"blocked-uri"`
			Directive string `json:"effective-directive"`
		} `json:"csp-report"`
	}
	if err := json.NewDecoder(io.LimitReader(r.Body, 64<<10)).Decode(&report); err != nil {
		http.Error(w, "not a report", http.StatusBadRequest)
		return
	}
	if rep := report.Report; h.outside(rep.Blocked) && len(rep.Document) < 4096 && len(rep.Blocked) < 4096 {
		h.leaks.add(pagePath(rep.Document), rep.Blocked, rep.Directive)
		if u, err := url.Parse(rep.Document); err == nil {
			if a, err := address.Parse(u.EscapedPath(), u.RawQuery); err == nil {
				h.views.leak(a, rep.Blocked)
			}
		}
	}
	w.WriteHeader(http.StatusNoContent)
}

// outside tells whether a blocked address is of another host; inline code and data are none.
func (h *Handler) outside(blocked string) bool {
	u, err := url.Parse(blocked)
	return err == nil && u.Host != "" && !strings.EqualFold(u.Host, h.host) && !h.IsContent(u.Host)
}

// pagePath returns the path of a page in the archive from its address, without key and view.
func pagePath(document string) string {
	_, rest, ok := strings.Cut(document, "://")
	if !ok {
		return document
	}
	_, path, _ := strings.Cut(rest, "/")
	name, rest, _ := strings.Cut(path, "/")
	name, _, _ = address.SplitLead(name)
	return "/" + name + "/" + rest
}

// mayName reports whether the visitor may know of a page in the archive.
func (h *Handler) mayName(r *http.Request, page string) bool {
	path, query, _ := strings.Cut(page, "?")
	a, err := address.Parse(path, query)
	if err != nil || a.URL == "" {
		return true
	}
	at, err := h.instant(a)
	return err == nil && h.may(r, a.Collection, a.URL, at) == nil
}
