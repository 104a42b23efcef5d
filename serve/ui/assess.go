package ui

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"varve"
	"varve/serve/access"
	"varve/serve/holdings"
	"varve/spam/desk"
	"varve/spam/label"
	"varve/spam/survey"
	"varve/web/canon"
)

// desks are the work on spam of each collection, opened when somebody comes.
type desks struct {
	mu   sync.Mutex
	list map[string]*desk.Desk
}

// of gives the desk of a collection, whose name was checked.
func (d *desks) of(dir string) *desk.Desk {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.list == nil {
		d.list = map[string]*desk.Desk{}
	}
	if d.list[dir] == nil {
		d.list[dir] = desk.Open(dir)
	}
	return d.list[dir]
}

// assessData is what the screen for judging hosts shows.
type assessData struct {
	*holdings.Collection
	Tab                     string
	Queue                   desk.Order
	Orders                  []orderLink
	State                   *desk.State
	Left                    int // hosts that wait
	Spam, Normal, Undecided int
	Next                    []desk.Waiting
	Case                    *caseView
	Genres                  []string
	Levels                  []string
	Target                  []desk.Target
	Empty                   bool   // the hosts were not measured yet
	Broken                  string // why nothing can be shown
	Said                    string // what was just decided
	Undo                    string // host of it
	CSRF                    string
	Base                    string // address of the screen
}

type orderLink struct {
	Order desk.Order
	About string
	Href  string
}

// caseView is a host with what lies beside the question.
type caseView struct {
	*desk.Case
	Pages  []holdings.HeldPage
	Frame  string // its home page in replay
	Open   string
	From   []neighbour // who links to its home page
	Chosen bool        // it was asked for by name, and is not the next of the queue
}

// neighbour is a host that links here, with what is held of it.
type neighbour struct {
	Host   string
	Anchor string
	Href   string
}

// What one page of the screen looks at.
const (
	nextShown  = 12
	pagesOfOne = 8
	linksOfOne = 12
	seenOfOne  = 20_000
)

// assess shows the next host to be judged, with the evidence beside the question.
func (u *UI) assess(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	q := r.URL.Query()
	d := &assessData{
		Collection: c, Tab: "assess", Queue: desk.Order(q.Get("queue")), Genres: label.Genres(), Levels: []string{"trust", "neutrality", "bias"}, Target: desk.Targets(),
		CSRF: access.From(r.Context()).CSRF, Base: collectionPath(c.Name) + "/assess", Said: q.Get("said"), Undo: q.Get("of"),
	}
	if !slices.Contains(desk.Orders(), d.Queue) {
		d.Queue = desk.Uncertain
	}
	about := map[desk.Order]string{desk.Uncertain: "where a label teaches most", desk.Worst: "most likely spam first", desk.Random: "a fair sample"}
	for _, o := range desk.Orders() {
		d.Orders = append(d.Orders, orderLink{o, about[o], d.Base + "?queue=" + string(o)})
	}
	if err := u.fillAssess(r, d, q.Get("host")); errors.Is(err, desk.ErrNoTable) {
		d.Empty = true
	} else if errors.Is(err, desk.ErrNoHost) {
		return nil, &varve.Error{Kind: varve.NotFound, Op: "judge " + q.Get("host"), Err: err, Hint: "measure the hosts again: varve spam features --collection " + c.Name}
	} else if err != nil {
		d.Broken = err.Error()
	}
	return &view{template: "assess", title: "Judge hosts of " + c.Title, section: "collections", data: d}, nil
}

func (u *UI) fillAssess(r *http.Request, d *assessData, host string) (err error) {
	work := u.desks.of(u.savedDir(d.Name))
	if d.State, err = work.State(); err != nil {
		return err
	}
	d.Spam, d.Normal, d.Undecided = d.State.Judged[label.Spam], d.State.Judged[label.Normal], d.State.Judged[label.Undecided]
	skip, _ := strconv.Atoi(r.URL.Query().Get("skip"))
	if d.Next, d.Left, err = work.Queue(d.Queue, skip, nextShown); err != nil {
		return err
	}
	chosen := host != ""
	if !chosen && len(d.Next) > 0 {
		host = d.Next[0].Host
	}
	if host == "" {
		return nil
	}
	found, err := work.Case(host)
	if err != nil {
		return err
	}
	d.Case = &caseView{Case: found, Chosen: chosen}
	return u.beside(r, d)
}

// beside adds what the archive holds of the host.
func (u *UI) beside(r *http.Request, d *assessData) error {
	c := d.Case
	if u.cfg.Index != nil {
		ask := holdings.Query{Collection: d.Name, Limit: seenOfOne}
		ask.Match, ask.URL = holdings.Typed(c.Host + "/*")
		keep := func(p *holdings.HeldPage) bool { return holdings.IsPage(p.MIME) }
		list, _, err := holdings.Pages(u.cfg.Index.Captures(r.Context(), ask), keep, pagesOfOne)
		if err != nil {
			return err
		}
		c.Pages = list
		if len(list) > 0 {
			var home holdings.IndexedCapture
			home.URL, home.Time = list[0].URL, list[0].Last
			c.Open, c.Frame = u.replayURL(d.Name, home), u.replay(d.Name, home, "if_")
		}
	}
	if u.cfg.Links == nil {
		return nil
	}
	links, err := u.cfg.Links.Inlinks(r.Context(), d.Name, canon.SURT("http://"+c.Host+"/"), 200)
	if err != nil {
		return nil // links are told where they are known
	}
	seen := map[string]bool{}
	for _, l := range links {
		from, err := label.Host(l.Source)
		if err != nil || !l.Other || seen[from] || len(c.From) == linksOfOne {
			continue
		}
		seen[from] = true
		c.From = append(c.From, neighbour{Host: from, Anchor: l.Anchor, Href: d.Base + "?" + url.Values{"host": {from}}.Encode()})
	}
	return nil
}

// judge keeps what a curator decided about a host, and goes on with the next.
func (u *UI) judge(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	level := func(name string) label.Level {
		n, _ := strconv.Atoi(r.PostFormValue(name))
		return label.Level(n)
	}
	who := access.From(r.Context())
	e := label.Entry{
		Host: r.PostFormValue("host"), Label: label.Verdict(r.PostFormValue("label")), Genre: r.PostForm["genre"],
		Trust: level("trust"), Neutrality: level("neutrality"), Bias: level("bias"),
		Note: strings.TrimSpace(r.PostFormValue("note")), Why: strings.TrimSpace(r.PostFormValue("why")), Who: who.Label(), When: u.cfg.Now(),
	}
	work := u.desks.of(u.savedDir(c.Name))
	if _, err := work.Case(e.Host); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "judge a host", Err: err}
	}
	if err := work.Say(e); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "judge " + e.Host, Err: err}
	}
	to := url.Values{"queue": {r.PostFormValue("queue")}, "said": {string(e.Label)}, "of": {e.Host}}
	return &view{to: collectionPath(c.Name) + "/assess?" + to.Encode()}, nil
}

// learn makes a model of all that was decided; the work goes on after the request.
func (u *UI) learn(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	target := desk.Target(r.PostFormValue("target"))
	if target == "" {
		target = desk.TargetSpam
	}
	if !slices.Contains(desk.Targets(), target) {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "learn " + string(target), Msg: "nothing of that name is judged"}
	}
	work := u.desks.of(u.savedDir(c.Name))
	end, err := work.Begin(u.cfg.Background, target, u.cfg.Now)
	if err == nil {
		u.under.Go(func() { _, _ = end() }) // how it ended is told by the desk
	}
	if err != nil && !errors.Is(err, desk.ErrBusy) {
		return nil, &varve.Error{Kind: varve.Conflict, Op: "learn " + string(target), Err: err, Hint: "judge some more hosts of each kind first"}
	}
	return &view{to: collectionPath(c.Name) + "/assess?" + url.Values{"queue": {r.PostFormValue("queue")}}.Encode()}, nil
}

// featureWords says in words what a feature of a host is; its name where nobody described it.
func featureWords(name string) string {
	for _, d := range survey.Definitions(survey.ByMonth, false) {
		if d.Name == name {
			return strings.Replace(d.Formula, "standard deviation over pages: ", "how much it differs between pages: ", 1)
		}
	}
	return name
}
