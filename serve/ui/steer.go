package ui

import (
	"net/http"
	"strconv"
	"strings"

	"varve"
	"varve/crawl"
	"varve/crawl/scope"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
)

// steerData is the question before a crawl is changed: what will happen.
type steerData struct {
	*holdings.Crawl
	Title  string
	Tab    string
	Act    crawls.Act
	Fields map[string]string // as they were typed
	Effect crawls.Effect
	CSRF   string

	CanReview bool
}

// deeds is how acts are called in headings.
var deeds = map[crawls.Deed]string{
	crawls.Include: "Fetch also", crawls.Exclude: "Stop fetching", crawls.Bar: "Exclude a host", crawls.Rest: "Pause a host", crawls.Wake: "Resume a host",
	crawls.Delay: "Change the delay between requests to a host", crawls.First: "Fetch first", crawls.Last: "Fetch last", crawls.Usual: "Back to the usual order", crawls.Bound: "Change the limits",
	crawls.Pause: "Pause", crawls.GoOn: "Resume", crawls.Stop: "Stop",
}

// Heading names the act.
func (d *steerData) Heading() string { return deeds[d.Act.Do] }

// steer pauses, resumes or stops a running crawl at once; these can be taken back.
func (u *UI) steer(r *http.Request) (*view, error) {
	k, err := u.cfg.Holdings.Crawl(r.Context(), r.PathValue("collection"), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	a := crawls.Act{Do: crawls.Deed(r.PathValue("command"))}
	switch a.Do {
	case crawls.Pause, crawls.GoOn, crawls.Stop:
	default:
		return nil, &varve.Error{Kind: varve.Invalid, Op: "steer crawl " + k.ID, Msg: "there is no command " + strconv.Quote(string(a.Do)), Hint: "pause, resume or stop"}
	}
	if _, err := u.helm().Do(r.Context(), k, a, access.From(r.Context()).Label()); err != nil {
		return nil, err
	}
	return &view{to: crawlPath(k)}, nil
}

func (u *UI) helm() *crawls.Helm { return &crawls.Helm{Audit: u.cfg.Audit, Now: u.cfg.Now} }

// change asks before it changes a running crawl, telling what will happen; confirmed, it does it.
func (u *UI) change(r *http.Request) (*view, error) {
	k, err := u.cfg.Holdings.Crawl(r.Context(), r.PathValue("collection"), r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	a, err := readAct(r)
	if err != nil {
		return nil, err
	}
	if r.PostFormValue("sure") == "yes" {
		if _, err := u.helm().Do(r.Context(), k, a, access.From(r.Context()).Label()); err != nil {
			return nil, err
		}
		return &view{to: crawlPath(k) + "?" + mustQuery("did", string(a.Do)) + "#live"}, nil
	}
	d := &steerData{Crawl: k, Title: k.Collection, Tab: "report", Act: a, Fields: map[string]string{}, CSRF: access.From(r.Context()).CSRF, CanReview: true}
	if c, err := u.cfg.Holdings.Collection(r.Context(), k.Collection); err == nil {
		d.Title = c.Title
	}
	for name := range r.PostForm {
		if name != "csrf" && name != "sure" {
			d.Fields[name] = r.PostForm.Get(name)
		}
	}
	if d.Effect, err = u.helm().Foresee(r.Context(), k, a); err != nil {
		return nil, err
	}
	return &view{template: "steer", title: "Change crawl " + k.ID, section: "crawls", data: d}, nil
}

// readAct reads what a form wants of a crawl.
func readAct(r *http.Request) (crawls.Act, error) {
	if err := r.ParseForm(); err != nil {
		return crawls.Act{}, &varve.Error{Kind: varve.Invalid, Op: "read the form", Err: err}
	}
	f := r.PostForm
	a := crawls.Act{Do: crawls.Deed(f.Get("do")), Lines: strings.ReplaceAll(f.Get("lines"), "\r\n", "\n"), Host: strings.TrimSpace(f.Get("host")), Delay: strings.TrimSpace(f.Get("delay"))}
	if a.Do != crawls.Bound {
		return a, nil
	}
	l, err := readLimits(f.Get)
	a.Limits = &l
	return a, err
}

// readLimits reads limits as people type them.
func readLimits(get func(string) string) (l crawl.Limits, err error) {
	wrong := func(field string, err error) error {
		return &varve.Error{Kind: varve.Invalid, Op: "limits", Msg: field + ": " + err.Error(), Hint: "go back and put it right; an empty field is no limit"}
	}
	for _, n := range []struct {
		field string
		to    *int64
	}{{"max-pages", &l.MaxPages}, {"max-urls", &l.MaxURLs}} {
		if s := strings.ReplaceAll(strings.TrimSpace(get(n.field)), ",", ""); s != "" {
			if *n.to, err = strconv.ParseInt(s, 10, 64); err != nil {
				return l, wrong(n.field, err)
			}
		}
	}
	if s := strings.TrimSpace(get("max-bytes")); s != "" {
		n, err := scope.ParseSize(s)
		if err != nil {
			return l, wrong("max-bytes", err)
		}
		l.MaxBytes = int64(n)
	}
	if s := strings.TrimSpace(get("max-time")); s != "" {
		d, err := crawls.ParseSpan(s)
		if err != nil {
			return l, wrong("max-time", err)
		}
		l.MaxTime = scope.Duration(d)
	}
	return l, nil
}

// limitTexts writes limits as the form has them.
func limitTexts(l crawl.Limits) map[string]string {
	d, err := crawls.DraftOf(crawl.Planned{Definition: crawl.Definition{MaxPages: l.MaxPages, MaxURLs: l.MaxURLs, MaxBytes: l.MaxBytes, MaxTime: l.MaxTime}})
	if err != nil {
		return nil
	}
	return d
}
