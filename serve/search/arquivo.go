package search

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/index/fulltext"
	"varve/web/canon"
)

// Arquivo answers GET /textsearch as the full-text API of Arquivo.pt does, so that its clients work here:
//
//	q, from, to (4 to 14 digits), siteSearch, type (html, pdf, ... or a media type), maxItems (50, at most 500), offset, collection
//
// Their versionHistory=URL lists all versions of an address, oldest first.
type Arquivo struct {
	Texts  Texts
	Replay func(collection, url string, t time.Time) string // where a version is shown; "" for nowhere
	May    func(r *http.Request) bool
}

// arquivoItem is a result, with the names that Arquivo.pt gives.
type arquivoItem struct {
	Title         string `json:"title"`
	OriginalURL   string `json:"originalURL"`
	LinkToArchive string `json:"linkToArchive,omitempty"`
	Tstamp        string `json:"tstamp"`
	MIMEType      string `json:"mimeType"`
	Date          string `json:"date"` // seconds
	Collection    string `json:"collection"`
	Snippet       string `json:"snippet,omitempty"`
	FileName      string `json:"fileName"`
	Offset        int64  `json:"offset"`
}

type arquivoAnswer struct {
	ServiceName     string        `json:"serviceName"`
	EstimatedNumber int64         `json:"estimated_nr_results"`
	NextPage        string        `json:"next_page,omitempty"`
	PreviousPage    string        `json:"previous_page,omitempty"`
	Request         url.Values    `json:"request_parameters"`
	Items           []arquivoItem `json:"response_items"`
}

// arquivoDepth is how far offset may go: pages are counted from the start.
const arquivoDepth = 1000

var arquivoTypes = map[string]string{"html": "text/html", "pdf": "application/pdf", "txt": "text/plain", "rtf": "application/rtf"}

// ServeHTTP answers a request.
func (a *Arquivo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !a.May(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="varve"`)
		http.Error(w, "this needs a login", http.StatusUnauthorized)
		return
	}
	out, err := a.answer(r)
	if err != nil {
		http.Error(w, err.Error(), varve.HTTPStatus(err))
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(out) // a closed connection is the caller's business
}

func (a *Arquivo) answer(r *http.Request) (*arquivoAnswer, error) {
	v := r.URL.Query()
	collection := v.Get("collection")
	if address := v.Get("versionHistory"); address != "" {
		return a.history(r, collection, address)
	}
	q, most, offset, err := arquivoQuery(v)
	if err != nil {
		return nil, err
	}
	found, err := Ask(r.Context(), a.Texts, collection, q)
	if err != nil {
		return nil, err
	}
	out := &arquivoAnswer{ServiceName: "Varve", EstimatedNumber: found.Total, Request: v, Items: []arquivoItem{}}
	for i := offset; i < min(len(found.Hits), offset+most); i++ {
		out.Items = append(out.Items, a.item(&found.Hits[i]))
	}
	page := func(at int) string {
		to := url.Values{}
		for k, list := range v {
			to[k] = list
		}
		to.Set("offset", strconv.Itoa(at))
		return "/textsearch?" + to.Encode()
	}
	if int64(offset+most) < found.Total && offset+2*most <= arquivoDepth {
		out.NextPage = page(offset + most)
	}
	if offset > 0 {
		out.PreviousPage = page(max(0, offset-most))
	}
	return out, nil
}

// history lists the versions of an address.
func (a *Arquivo) history(r *http.Request, collection, address string) (*arquivoAnswer, error) {
	out := &arquivoAnswer{ServiceName: "Varve", Request: r.URL.Query(), Items: []arquivoItem{}}
	sources, err := a.Texts.Sources(r.Context(), Collections(collection)...)
	if err != nil {
		return nil, err
	}
	for _, src := range sources {
		list, err := src.Index.Versions(canon.SURT(address), src.View, arquivoDepth)
		if err != nil {
			return nil, err
		}
		for i := range list {
			v := &list[i]
			out.Items = append(out.Items, a.item(&fulltext.Hit{Collection: src.Name, URL: v.URL, Title: v.Title, From: v.From, MIME: v.MIME, File: v.File, Offset: v.Offset}))
		}
	}
	slices.SortStableFunc(out.Items, func(a, b arquivoItem) int { return strings.Compare(a.Tstamp, b.Tstamp) })
	out.EstimatedNumber = int64(len(out.Items))
	return out, nil
}

// arquivoQuery reads the parameters.
func arquivoQuery(v url.Values) (q fulltext.Query, most, offset int, err error) {
	if q.Text = v.Get("q"); q.Text == "" {
		return q, 0, 0, invalid("the parameter q is missing")
	}
	if q.From, err = arquivoTime(v.Get("from"), false); err != nil {
		return q, 0, 0, err
	}
	if q.To, err = arquivoTime(v.Get("to"), true); err != nil {
		return q, 0, 0, err
	}
	for _, site := range list(v["siteSearch"]) {
		site = strings.TrimPrefix(strings.TrimPrefix(site, "http://"), "https://")
		put(&q.Filters, "host", strings.TrimSuffix(site, "/"))
	}
	for _, t := range list(v["type"]) {
		if mime, ok := arquivoTypes[t]; ok {
			t = mime
		}
		put(&q.Filters, "mime", t)
	}
	if most, err = number(v, "maxItems"); err != nil {
		return q, 0, 0, err
	}
	if most == 0 {
		most = 50
	}
	most = min(most, 500)
	if offset, err = number(v, "offset"); err != nil {
		return q, 0, 0, err
	}
	if offset+most > arquivoDepth {
		return q, 0, 0, invalid("offset and maxItems reach beyond %d results: /api/search has a cursor", arquivoDepth)
	}
	q.Limit = offset + most
	return q, most, offset, nil
}

// arquivoTime reads 4 to 14 digits, or what the search reads.
func arquivoTime(s string, end bool) (time.Time, error) {
	switch len(s) {
	case 6:
		s = s[:4] + "-" + s[4:]
	case 8:
		s = s[:4] + "-" + s[4:6] + "-" + s[6:]
	}
	return parseTime(s, end)
}

func (a *Arquivo) item(h *fulltext.Hit) arquivoItem {
	return arquivoItem{
		Title: h.Title, OriginalURL: h.URL, LinkToArchive: a.Replay(h.Collection, h.URL, h.From), Tstamp: h.From.UTC().Format("20060102150405"), MIMEType: h.MIME,
		Date: strconv.FormatInt(h.From.Unix(), 10), Collection: h.Collection, Snippet: snippetText(h), FileName: h.File, Offset: h.Offset,
	}
}
