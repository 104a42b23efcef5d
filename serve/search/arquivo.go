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

// Arquivo answers GET /textsearch as the API of Arquivo.pt does (its wiki, page "Arquivo.pt API"), so that its clients work here:
//
//	q, from, to (4 to 14 digits), siteSearch, type (html, pdf, ... or a media type), collection, maxItems (50, at most 500), offset,
//	dedupValue with dedupField (site or url; itemsPerSite is the old name), fields, prettyPrint
//	versionHistory=URL lists all versions of an address, oldest first, with from, to, maxItems and offset
//	metadata=URL/TIMESTAMP gives the one version that was valid then
//
// GET /textextracted?m=URL/TIMESTAMP gives its text. What it has and we have not: screenshots, encoding, status.
type Arquivo struct {
	Texts  Texts
	Base   string                                                     // address of this host, for links
	Replay func(collection, url, modifier string, t time.Time) string // where a version is shown; "" for nowhere
	May    func(r *http.Request) bool
}

type arquivoAnswer struct {
	ServiceName     string           `json:"serviceName"`
	LinkToService   string           `json:"linkToService"`
	NextPage        string           `json:"next_page,omitempty"`
	PreviousPage    string           `json:"previous_page,omitempty"`
	EstimatedNumber int64            `json:"estimated_nr_results"`
	Request         map[string]any   `json:"request_parameters"`
	Items           []map[string]any `json:"response_items"`
}

// arquivoDepth is how far offset may go: pages are counted from the start.
const arquivoDepth = 1000

var arquivoTypes = map[string]string{
	"html": "text/html", "pdf": "application/pdf", "txt": "text/plain", "rtf": "application/rtf", "doc": "application/msword", "xls": "application/vnd.ms-excel", "ppt": "application/vnd.ms-powerpoint",
	"docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation", "odt": "application/vnd.oasis.opendocument.text",
}

// ServeHTTP answers a request.
func (a *Arquivo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !a.May(r) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="varve"`)
		http.Error(w, "this needs a login", http.StatusUnauthorized)
		return
	}
	if strings.HasSuffix(r.URL.Path, "/textextracted") {
		a.text(w, r)
		return
	}
	out, err := a.answer(r)
	if err != nil {
		http.Error(w, err.Error(), varve.HTTPStatus(err))
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if p := r.URL.Query().Get("prettyPrint"); p == "true" {
		enc.SetIndent("", "  ")
	}
	_ = enc.Encode(out) // a closed connection is the caller's business
}

func (a *Arquivo) answer(r *http.Request) (*arquivoAnswer, error) {
	v := r.URL.Query()
	out := &arquivoAnswer{ServiceName: "Varve", LinkToService: a.Base + "/", Request: map[string]any{}, Items: []map[string]any{}}
	for k := range v {
		out.Request[k] = v.Get(k)
	}
	page, err := arquivoPageOf(v)
	if err != nil {
		return nil, err
	}
	var list []arquivoItem
	switch {
	case v.Get("metadata") != "":
		list, err = a.one(r, v.Get("metadata"))
		out.EstimatedNumber = int64(len(list))
	case v.Get("versionHistory") != "":
		list, err = a.history(r, v)
		out.EstimatedNumber = int64(len(list))
	default:
		list, out.EstimatedNumber, err = a.found(r, v, page)
	}
	if err != nil {
		return nil, err
	}
	fields := list2set(v["fields"])
	for i := page.offset; i < min(len(list), page.offset+page.most); i++ {
		out.Items = append(out.Items, list[i].pick(fields))
	}
	known := int64(len(list)) // all there is, unless it was cut at the page
	if page.each == 0 {
		known = min(out.EstimatedNumber, arquivoDepth)
	}
	if int64(page.offset+page.most) < known {
		out.NextPage = a.page(v, page.offset+page.most)
	}
	if page.offset > 0 {
		out.PreviousPage = a.page(v, max(0, page.offset-page.most))
	}
	return out, nil
}

// page is the address of another page of the same answer.
func (a *Arquivo) page(v url.Values, at int) string {
	to := without(v)
	to.Set("offset", strconv.Itoa(at))
	return a.Base + "/textsearch?" + to.Encode()
}

// found are the hits of a query.
func (a *Arquivo) found(r *http.Request, v url.Values, page arquivoPage) ([]arquivoItem, int64, error) {
	q, err := arquivoQuery(v)
	if err != nil {
		return nil, 0, err
	}
	q.Limit = page.offset + page.most
	if page.each > 0 {
		q.Limit = arquivoDepth // those beyond the bound of their site are passed over
	}
	got, err := Ask(r.Context(), a.Texts, v.Get("collection"), q)
	if err != nil {
		return nil, 0, err
	}
	var out []arquivoItem
	seen := map[string]int{}
	for i := range got.Hits {
		h := &got.Hits[i]
		key := h.Host
		if page.by == "url" {
			key = h.SURT
		}
		if seen[key]++; page.each > 0 && seen[key] > page.each {
			continue
		}
		out = append(out, a.item(h))
	}
	return out, got.Total, nil
}

// history lists the versions of an address.
func (a *Arquivo) history(r *http.Request, v url.Values) ([]arquivoItem, error) {
	from, err := arquivoTime(v.Get("from"), false)
	if err != nil {
		return nil, err
	}
	to, err := arquivoTime(v.Get("to"), true)
	if err != nil {
		return nil, err
	}
	var out []arquivoItem
	err = a.versions(r, v.Get("versionHistory"), func(source string, v *versionOf) {
		if (from.IsZero() || !v.From.Before(from)) && (to.IsZero() || !v.From.After(to)) {
			out = append(out, a.version(source, v))
		}
	})
	slices.SortStableFunc(out, func(a, b arquivoItem) int { return strings.Compare(a["tstamp"].(string), b["tstamp"].(string)) })
	return out, err
}

// one is the version that an id names: the address, a slash, and the time.
func (a *Arquivo) one(r *http.Request, id string) (out []arquivoItem, err error) {
	address, at, err := arquivoID(id)
	if err != nil {
		return nil, err
	}
	var best *versionOf
	in := ""
	err = a.versions(r, address, func(source string, v *versionOf) {
		if best == nil || !v.From.After(at) && (v.From.After(best.From) || best.From.After(at)) {
			best, in = v, source
		}
	})
	if best == nil {
		return nil, err
	}
	return []arquivoItem{a.version(in, best)}, err
}

// arquivoID reads an id: the address, a slash, and 14 digits.
func arquivoID(id string) (address string, at time.Time, err error) {
	i := strings.LastIndexByte(id, '/')
	if i < 0 {
		return "", at, invalid("%q is no id: address/timestamp", id)
	}
	at, err = arquivoTime(id[i+1:], true)
	return id[:i], at.Add(time.Second - time.Microsecond), err
}

// versions calls fn for the versions of an address in all collections that are asked.
func (a *Arquivo) versions(r *http.Request, address string, fn func(source string, v *versionOf)) error {
	sources, err := a.Texts.Sources(r.Context(), Collections(r.URL.Query().Get("collection"))...)
	if err != nil {
		return err
	}
	for _, src := range sources {
		list, err := src.Index.Versions(canon.SURT(address), src.View, arquivoDepth)
		if err != nil {
			return err
		}
		for i := range list {
			fn(src.Name, &list[i])
		}
	}
	return nil
}

// text gives the text of a version.
func (a *Arquivo) text(w http.ResponseWriter, r *http.Request) {
	address, at, err := arquivoID(r.URL.Query().Get("m"))
	if err == nil {
		var d *Document
		if d, err = (&Desk{Texts: a.Texts}).Document(r.Context(), r.URL.Query().Get("collection"), address, at); err == nil {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.Header().Set("X-Content-Type-Options", "nosniff")
			_, _ = w.Write([]byte(d.Text)) // likewise
			return
		}
	}
	http.Error(w, err.Error(), varve.HTTPStatus(err))
}

// arquivoQuery reads the conditions.
func arquivoQuery(v url.Values) (q fulltext.Query, err error) {
	if q.Text = v.Get("q"); q.Text == "" && v.Get("siteSearch") == "" {
		return q, invalid("the parameter q is missing")
	}
	if q.From, err = arquivoTime(v.Get("from"), false); err != nil {
		return q, err
	}
	if q.To, err = arquivoTime(v.Get("to"), true); err != nil {
		return q, err
	}
	for _, site := range list(v["siteSearch"]) {
		site = strings.TrimPrefix(strings.TrimPrefix(site, "http://"), "https://")
		site, _, _ = strings.Cut(site, "/")
		put(&q.Filters, "host", site)
	}
	for _, t := range list(v["type"]) {
		if mime, ok := arquivoTypes[t]; ok {
			t = mime
		}
		put(&q.Filters, "mime", t)
	}
	return q, nil
}
