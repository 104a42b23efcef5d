package ui

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/coherence"
	"varve/crawl"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/message"
)

// defineData is what the form of a crawl shows.
type defineData struct {
	*holdings.Collection
	Tab      string
	CSRF     string
	Draft    crawls.Draft
	Faults   crawls.Faults
	Missing  []string // fields that are needed and still empty
	Seeds    seedList
	From     string // the crawl that is changed or copied
	Was      string // when it was changed last; empty: the crawl is new
	Left     []string
	Admin    bool
	Models   []string
	Trouble  *trouble // it could not be saved
	Ask      scopeAsk
	WhatIf   whatIf
	Reckoned bool
	Fields   string // ids of the places for faults
}

// seedList is what is said of the seeds.
type seedList struct {
	Good, Bad int
	Shown     []crawls.SeedCheck // the bad ones first
	More      int
}

// seedsShown is the number of seeds of which something is said.
const seedsShown = 40

func newSeedList(text string) seedList {
	var l seedList
	list := crawls.CheckSeeds(text)
	for _, c := range list {
		if c.Why != "" {
			l.Bad++
		} else {
			l.Good++
		}
	}
	slices.SortStableFunc(list, func(a, b crawls.SeedCheck) int { return cmp.Compare(weight(a), weight(b)) })
	l.Shown = list[:min(len(list), seedsShown)]
	l.More = len(list) - len(l.Shown)
	return l
}

func weight(c crawls.SeedCheck) int {
	switch {
	case c.Why != "":
		return 0
	case c.Notice != "":
		return 1
	}
	return 2
}

// Fault gives what is wrong with a field.
func (d *defineData) Fault(field string) string { return d.Faults.Of(field) }

// Strategies are the orders of visits that can be chosen.
func (*defineData) Strategies() []choice {
	return []choice{
		{"", "as the revisits need it"},
		{string(coherence.Varve), "varve: least expected change between visit and revisit"},
		{string(coherence.BFS), "bfs: in the order of discovery"},
		{string(coherence.DFS), "dfs: the page found last first"},
		{string(coherence.HottestFirst), "hottest-first: what changes most first"},
		{string(coherence.HottestLast), "hottest-last: what changes most last"},
		{string(coherence.SHARC), "sharc: organ pipe"},
		{string(coherence.Freshness), "freshness: as a search engine would"},
	}
}

// choice is an option of a list.
type choice struct{ Value, Label string }

// rights are what a visitor may ask of a crawl of a collection.
func (u *UI) rights(r *http.Request, collection string) crawls.Rights {
	may := crawls.Rights{Admin: access.From(r.Context()).Can(access.Admin)}
	if col, err := catalog.Open(u.cfg.Archive).Collection(collection); err == nil {
		may.Models = crawls.Models(col)
	}
	return may
}

func (u *UI) defining(r *http.Request) (*defineData, error) {
	if u.cfg.Plans == nil {
		return nil, errNoPlans
	}
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	if c.Problem != "" {
		return nil, &varve.Error{Kind: varve.Conflict, Op: "define a crawl of " + c.Name, Msg: "collection.toml cannot be read: " + c.Problem, Hint: "put it right first: it may have a crawl of the same name"}
	}
	who := access.From(r.Context())
	d := &defineData{Collection: c, Tab: "plan", CSRF: who.CSRF, Admin: who.Can(access.Admin), Draft: crawls.NewDraft()}
	d.Models = u.rights(r, c.Name).Models
	d.Ask = newAsk("", "", "")
	for _, f := range crawls.DraftFields {
		d.Fields += ",#fault-" + f
	}
	d.Fields = "#needed,#tested,#save-note" + d.Fields
	return d, nil
}

func (d *defineData) view() *view {
	title := "New crawl"
	if d.Was != "" {
		title = "Change crawl " + d.Draft.Get("name")
	}
	return &view{template: "define", title: title, section: "collections", data: d, said: true}
}

// newCrawl is the empty form, or that of a copy.
func (u *UI) newCrawl(r *http.Request) (*view, error) {
	d, err := u.defining(r)
	if err != nil {
		return nil, err
	}
	d.Draft["contact"], d.Draft["operator"] = u.usualContact(d.Name)
	if from := r.URL.Query().Get("copy"); from != "" {
		e, err := u.cfg.Plans.Entry(d.Name, from)
		if err != nil {
			return nil, err
		}
		if err := d.take(e); err != nil {
			return nil, err
		}
		d.Draft["name"], d.Was = "", ""
	}
	d.Seeds = newSeedList(d.Draft["seeds"])
	return d.view(), nil
}

// usualContact is what the other crawls of a collection have for it.
func (u *UI) usualContact(collection string) (contact, operator string) {
	list, err := u.cfg.Plans.List(collection)
	if err != nil {
		return "", ""
	}
	for _, e := range list {
		contact, operator = cmp.Or(contact, e.Definition.Contact), cmp.Or(operator, e.Definition.Operator)
	}
	return contact, operator
}

// editCrawl is the form of a crawl that was defined on a screen.
func (u *UI) editCrawl(r *http.Request) (*view, error) {
	d, err := u.defining(r)
	if err != nil {
		return nil, err
	}
	e, err := u.cfg.Plans.Entry(d.Name, r.PathValue("name"))
	if err != nil {
		return nil, err
	}
	if e.Source == crawls.FromFile {
		return &view{to: planPath(d.Name, e.Name)}, nil
	}
	if err := d.take(e); err != nil {
		return nil, err
	}
	d.Seeds = newSeedList(d.Draft["seeds"])
	return d.view(), nil
}

// take fills the form with a crawl of the plan.
func (d *defineData) take(e crawls.Entry) (err error) {
	clean, left := crawls.Cleaned(*e.Definition)
	d.Left, d.From, d.Was = left, e.Name, timeText(e.At)
	d.Draft, err = crawls.DraftOf(clean)
	return err
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// draft checks what was typed, asks its rules about an address, foretells, or saves it.
func (u *UI) draft(r *http.Request) (*view, error) {
	if err := r.ParseForm(); err != nil { // which bounds what it reads
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read the form", Err: err, Hint: "long lists of seeds belong into a seed-file of collection.toml"}
	}
	d, err := u.defining(r)
	if err != nil {
		return nil, err
	}
	form := r.PostForm
	d.Draft, d.From, d.Was = crawls.ReadDraft(form), form.Get("from"), form.Get("was")
	base := crawl.Planned{}
	if d.From != "" {
		if e, err := u.cfg.Plans.Entry(d.Name, d.From); err == nil {
			base, _ = crawls.Cleaned(*e.Definition)
		}
	}
	p, faults := d.Draft.Planned(base, u.rights(r, d.Name))
	d.Faults, d.Seeds = faults, newSeedList(d.Draft["seeds"])
	d.ask(r, p, u.cfg.Now())
	switch form.Get("do") {
	case "save":
		if len(faults) == 0 {
			return u.saveDraft(r, d, p)
		}
	case "reckon":
		d.Reckoned = true
		if d.WhatIf, err = u.foretellDraft(r, d.Name, p); err != nil {
			return nil, err
		}
	case "check", "test":
	default:
		d.onlyTyped() // it was checked while somebody types
	}
	v := d.view()
	if form.Get("do") == "save" {
		v.status = http.StatusUnprocessableEntity
	}
	return v, nil
}

// onlyTyped leaves out what is said of fields that nobody has come to yet.
func (d *defineData) onlyTyped() {
	var typed crawls.Faults
	for _, f := range d.Faults {
		if d.Draft.Get(f.Field) == "" {
			d.Missing = append(d.Missing, f.Field)
		} else {
			typed = append(typed, f)
		}
	}
	d.Faults = typed
}

func (u *UI) saveDraft(r *http.Request, d *defineData, p crawl.Planned) (*view, error) {
	var was time.Time
	if d.Was != "" {
		was, _ = time.Parse(time.RFC3339Nano, d.Was) // a wrong one is nobody's time, so nothing is overwritten
		if p.Name != d.From {
			was = time.Time{} // a new name is a new crawl
		}
	}
	err := u.cfg.Plans.Save(d.Name, p, was, access.From(r.Context()).Label(), strings.TrimSpace(d.Draft["note"]))
	if err == nil {
		return &view{to: planPath(d.Name, p.Name)}, nil
	}
	t := newTrouble(message.From(r.Context()), err)
	d.Trouble = &t
	if varve.KindOf(err) == varve.Conflict { // what is there now is replaced if it is saved once more
		if e, err := u.cfg.Plans.Entry(d.Name, p.Name); err == nil && e.Source == crawls.FromScreen && d.From == p.Name {
			d.Was = timeText(e.At)
		}
	}
	v := d.view()
	v.status = varve.HTTPStatus(err)
	return v, nil
}
