package ui

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/serve/access"
	"varve/serve/message"
	"varve/serve/retention"
)

// retentionData is what the screen on retention of the whole archive shows.
type retentionData struct {
	Rules       []retention.Rule
	Holds       []retention.Hold
	Gone        []retention.Review // newest first
	GoneOf      int
	Unread      []string
	Collections []keptCollection
	Names       []string
	Made        string // hold or rule that was just made
	Admin       bool
	CSRF        string
}

// keptCollection is how a collection stands, as far as it is known.
type keptCollection struct {
	Name, Title string
	Rule        retention.Rule
	Ruled       bool
	Counts      map[string]int // nil: not looked through yet
	Units       int
}

// goneShown is how many deletions the screen has; the API has all.
const goneShown = 50

// Collections of small archives are looked through at once: so many, of so many bytes.
const (
	beginAtOnce = 50
	beginBytes  = 2 << 30
)

// retention shows rules, holds and what was deleted.
func (u *UI) retention(r *http.Request) (*view, error) {
	who := access.From(r.Context())
	s, err := u.cfg.Retention.State()
	if err != nil {
		return nil, err
	}
	d := retentionData{Rules: slices.Clone(s.Rules), Holds: slices.Clone(s.Holds), Gone: slices.Clone(s.Gone), GoneOf: len(s.Gone), Admin: who.Can(access.Admin), CSRF: who.CSRF, Made: r.URL.Query().Get("made")}
	slices.Reverse(d.Rules)
	slices.Reverse(d.Holds)
	slices.Reverse(d.Gone)
	d.Gone = d.Gone[:min(len(d.Gone), goneShown)]
	if s.Unread != nil {
		d.Unread = strings.Split(s.Unread.Error(), "\n")
	}
	page, err := u.cfg.Holdings.CollectionPage(r.Context(), 0, "", 200, 1)
	if err != nil {
		return nil, err
	}
	for _, c := range page.Items {
		k := keptCollection{Name: c.Name, Title: c.Title}
		k.Rule, k.Ruled = s.RuleOf(c.Name)
		if list := u.cfg.Retention.Known(c.Name); list != nil {
			k.Counts, k.Units = statusCounts(list), len(list)
		} else if len(page.All) <= beginAtOnce && c.Bytes < beginBytes {
			_ = u.cfg.Retention.Begin(r.Context(), c.Name) // its own screen tells what is wrong
		}
		d.Collections = append(d.Collections, k)
		d.Names = append(d.Names, c.Name)
	}
	return &view{template: "retention", title: message.From(r.Context()).Text("Retention and holds"), section: "access", data: d, said: true}, nil
}

func statusCounts(list []retention.Verdict) map[string]int {
	out := map[string]int{}
	for _, v := range list {
		out[string(v.Status)]++
	}
	return out
}

// addRetentionRule takes the form of a rule.
func (u *UI) addRetentionRule(r *http.Request) (*view, error) {
	days, err := strconv.Atoi(strings.TrimSpace(r.PostFormValue("days")))
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "add a retention rule", Msg: "the time to keep is a number of days"}
	}
	got, err := u.cfg.Retention.AddRule(retention.Rule{Collection: r.PostFormValue("collection"), Days: days, Reason: r.PostFormValue("reason")}, access.From(r.Context()).Label())
	if err != nil {
		return nil, err
	}
	return &view{to: "/retention?" + url.Values{"made": {got.ID}}.Encode()}, nil
}

// endRetentionRule ends one.
func (u *UI) endRetentionRule(r *http.Request) (*view, error) {
	err := u.cfg.Retention.EndRule(r.PathValue("rule"), access.From(r.Context()).Label(), r.PostFormValue("reason"))
	return &view{to: "/retention"}, err
}

// addHold takes the form of a hold.
func (u *UI) addHold(r *http.Request) (*view, error) {
	h := retention.Hold{Matter: r.PostFormValue("matter"), Collection: r.PostFormValue("collection"), Prefix: strings.TrimSpace(r.PostFormValue("prefix")), Reason: r.PostFormValue("reason")}
	var err error
	for field, at := range map[string]*time.Time{"from": &h.From, "to": &h.To} {
		if *at, err = dayOf(r.PostFormValue(field)); err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "add a hold", Msg: "a day is written 2026-11-18"}
		}
	}
	got, err := u.cfg.Retention.AddHold(h, access.From(r.Context()).Label())
	if err != nil {
		return nil, err
	}
	return &view{to: "/retention?" + url.Values{"made": {got.ID}}.Encode()}, nil
}

// dayOf reads a day of a form; none is the zero time.
func dayOf(s string) (time.Time, error) {
	if s = strings.TrimSpace(s); s == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.DateOnly, s)
}

// releaseHold ends a hold.
func (u *UI) releaseHold(r *http.Request) (*view, error) {
	err := u.cfg.Retention.Release(r.PathValue("hold"), access.From(r.Context()).Label(), r.PostFormValue("reason"))
	return &view{to: "/retention"}, err
}

// keepingData is what the screen on retention of a collection shows.
type keepingData struct {
	Name, Title string
	Rule        retention.Rule
	Ruled       bool
	Waiting     bool // the index is being read
	Units       int
	Counts      map[string]int
	Captures    int64 // of what is due
	Bytes       int64
	List        []retention.Verdict
	Show        string
	Pager       pager
	Ready       []retention.Verdict // can be deleted now
	ReadyBytes  int64
	Holds       map[string]string // matters, by id
	Admin       bool
	CSRF        string
	Next        string // a year from now
	Done        string
	Ask         *askKeeping // what is to be confirmed; nil: nothing
}

// askKeeping is a decision that a person is asked about.
type askKeeping struct {
	Do            string // approve or delete
	Units         []retention.Verdict
	Captures      int64
	Bytes         int64
	Files         int
	Reason        string
	Typed         string
	ReasonMissing bool
}

// unitsShown is how many units a page has.
const unitsShown = 50

// keeping shows what may become of each crawl of a collection.
func (u *UI) keeping(r *http.Request) (*view, error) {
	d, err := u.keepingOf(r)
	if err != nil {
		return nil, err
	}
	return u.keepingView(r, d), nil
}

func (u *UI) keepingView(r *http.Request, d *keepingData) *view {
	return &view{template: "keeping", title: message.From(r.Context()).Text("Retention of {0}", d.Title), section: "access", data: d, said: true}
}

func (u *UI) keepingOf(r *http.Request) (*keepingData, error) {
	who := access.From(r.Context())
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	s, err := u.cfg.Retention.State()
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	d := &keepingData{Name: c.Name, Title: c.Title, Admin: who.Can(access.Admin), CSRF: who.CSRF, Show: q.Get("show"), Next: u.cfg.Now().AddDate(1, 0, 0).Format(time.DateOnly), Holds: map[string]string{}, Done: q.Get("done")}
	d.Rule, d.Ruled = s.RuleOf(c.Name)
	for _, h := range s.Holds {
		d.Holds[h.ID] = h.Matter
	}
	all, ready, err := u.cfg.Retention.Verdicts(r.Context(), c.Name)
	if err != nil || !ready {
		d.Waiting = true
		return d, err
	}
	d.Units, d.Counts = len(all), statusCounts(all)
	if d.Ready, err = u.cfg.Retention.ReadyNow(r.Context(), c.Name); err != nil {
		return nil, err
	}
	for _, v := range d.Ready {
		d.ReadyBytes += v.Bytes
	}
	var list []retention.Verdict
	for _, v := range all {
		if v.Status == retention.Due {
			d.Captures += v.Captures
			d.Bytes += v.Bytes
		}
		if d.Show == "" || string(v.Status) == d.Show {
			list = append(list, v)
		}
	}
	d.Pager = newPager(r, len(list), unitsShown)
	d.List = list[d.Pager.From:d.Pager.To]
	return d, nil
}

// decideKeeping keeps crawls, approves their deletion, which is asked about first, or takes that back.
func (u *UI) decideKeeping(r *http.Request) (*view, error) {
	do, reason, by := r.PostFormValue("do"), strings.TrimSpace(r.PostFormValue("reason")), access.From(r.Context()).Label()
	units := r.PostForm["unit"]
	if do == "approve" && len(units) > 0 && (r.PostFormValue("sure") == "" || reason == "") {
		return u.askKeeping(r, units, reason)
	}
	until, err := dayOf(r.PostFormValue("until"))
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "keep", Msg: "a day is written 2026-11-18"}
	}
	if do == "withdraw" && reason == "" {
		reason = "withdrawn on the screen"
	}
	if err := u.cfg.Retention.Decide(r.Context(), do, r.PathValue("collection"), units, until, by, reason); err != nil {
		return nil, err
	}
	return &view{to: collectionPath(r.PathValue("collection")) + "/retention?done=" + url.QueryEscape(do)}, nil
}

// askKeeping shows what an approval is about before it is made.
func (u *UI) askKeeping(r *http.Request, units []string, reason string) (*view, error) {
	d, err := u.keepingOf(r)
	if err != nil {
		return nil, err
	}
	all, _, err := u.cfg.Retention.Verdicts(r.Context(), d.Name)
	if err != nil {
		return nil, err
	}
	d.Ask = &askKeeping{Do: "approve", Reason: reason, ReasonMissing: r.PostFormValue("sure") != ""}
	for _, v := range all {
		if slices.Contains(units, v.Unit.Unit) {
			d.Ask.add(v)
		}
	}
	return u.keepingView(r, d), nil
}

func (a *askKeeping) add(v retention.Verdict) {
	a.Units = append(a.Units, v)
	a.Captures += v.Captures
	a.Bytes += v.Bytes
	a.Files += len(v.Files)
}

// carryOut deletes what was approved; whoever does it types the name of the collection.
func (u *UI) carryOut(r *http.Request) (*view, error) {
	name, typed := r.PathValue("collection"), strings.TrimSpace(r.PostFormValue("word"))
	if typed != name {
		d, err := u.keepingOf(r)
		if err != nil {
			return nil, err
		}
		d.Ask = &askKeeping{Do: "delete", Typed: typed}
		for _, v := range d.Ready {
			d.Ask.add(v)
		}
		return u.keepingView(r, d), nil
	}
	if _, err := u.cfg.Retention.CarryOut(r.Context(), name, access.From(r.Context()).Label()); err != nil {
		return nil, err
	}
	return &view{to: collectionPath(name) + "/retention?done=delete"}, nil
}
