package ui

import (
	"net/http"

	"varve"
	"varve/curate/proposal"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/message"
)

// proposalsData is what the screen of proposals for a planned crawl shows.
type proposalsData struct {
	*holdings.Collection
	Tab   string
	CSRF  string
	Entry crawls.Entry
	Fixed bool // it stands in collection.toml: nothing can be accepted here
	Got   crawls.Proposals
	Kinds []proposedKind
	Runs  []*holdings.Crawl // that can be read, newest first
	CanGo bool              // a reference crawl can be started
	Busy  bool
	Job   *crawls.Job
}

// proposedKind is the proposals of one kind.
type proposedKind struct {
	Label string
	Items []proposedItem
}

// proposedItem is a proposal with its reason in words.
type proposedItem struct {
	proposal.Proposal
	Why     string
	Percent int
}

func proposalsPath(collection, name string) string {
	return collectionPath(collection) + "/proposals/" + name
}

// proposals shows what could become part of the definition of a planned crawl.
func (u *UI) proposals(r *http.Request) (*view, error) {
	c, err := u.cfg.Holdings.Collection(r.Context(), r.PathValue("collection"))
	if err != nil {
		return nil, err
	}
	plans, name := u.cfg.Plans, r.PathValue("name")
	if plans == nil {
		return nil, errNoPlans
	}
	who, say := access.From(r.Context()), message.From(r.Context())
	d := &proposalsData{Collection: c, Tab: "plan", CSRF: who.CSRF}
	if d.Entry, err = plans.Entry(c.Name, name); err != nil {
		return nil, err
	}
	d.Fixed = d.Entry.Source == crawls.FromFile
	may, err := u.maySee(r, c.Name)
	if err != nil {
		return nil, err
	}
	if d.Got, err = plans.Proposals(c.Name, name, crawls.May(may)); err != nil {
		return nil, err
	}
	d.Kinds = kindsOf(say, d.Got)
	runs, err := u.cfg.Holdings.Crawls(r.Context(), holdings.CrawlQuery{Collection: c.Name, Limit: runsShown})
	if err != nil {
		return nil, err
	}
	d.Runs = runs.Items
	for _, k := range d.Runs {
		k.Follow(r.Context())
		d.Busy = d.Busy || k.State == holdings.Live
	}
	if u.cfg.Crawls != nil {
		d.CanGo = true
		if j, ok := u.cfg.Crawls.Job(c.Name); ok {
			d.Busy = d.Busy || j.State == crawls.Running
			if j.Definition == crawls.ReferenceName(name) {
				d.Job = &j
			}
		}
	}
	return &view{template: "proposals", title: say.Text("Proposals for {0}", name), section: "collections", data: d}, nil
}

func kindsOf(say *message.Language, got crawls.Proposals) (out []proposedKind) {
	labels := map[proposal.Kind]string{
		proposal.Term: say.Text("Terms"), proposal.Name: say.Text("Names"), proposal.Host: say.Text("Hosts"),
		proposal.Language: say.Text("Languages"), proposal.Month: say.Text("Months"), proposal.Example: say.Text("Reference pages"), proposal.National: say.Text("National hosts beyond the domain"), proposal.Search: say.Text("What people searched for"),
	}
	for _, kind := range proposal.Kinds() {
		k := proposedKind{Label: labels[kind]}
		for _, p := range got.Open {
			if p.Kind == kind {
				k.Items = append(k.Items, proposedItem{p, whyProposed(say, p, got.Pages), int(100 * p.Score)})
			}
		}
		if len(k.Items) > 0 {
			out = append(out, k)
		}
	}
	return out
}

// whyProposed says in words how a proposal was met.
func whyProposed(say *message.Language, p proposal.Proposal, pages int) string {
	switch p.Kind {
	case proposal.Host:
		return say.Text("{0} of {1} link to {2} there", say.Count(p.Pages, "page"), say.Count(p.Hosts, "host"), say.Count(p.Addresses, "address"))
	case proposal.Example:
		return say.Text("the page of a seed")
	case proposal.Term, proposal.Name:
		if p.Near > 0 {
			return say.Text("on {0} of {1} pages, {2} in all; on {3} of them beside words of the definition", say.Number(p.Pages), say.Number(pages), say.Count(p.Count, "time"), say.Number(p.Near))
		}
		return say.Text("on {0} of {1} pages, {2} in all", say.Number(p.Pages), say.Number(pages), say.Count(p.Count, "time"))
	}
	return say.Text("on {0} of {1} pages", say.Number(p.Pages), say.Number(pages))
}

// decideProposals accepts or strikes proposals, reads pages for new ones, or starts a reference crawl.
func (u *UI) decideProposals(r *http.Request) (*view, error) {
	if u.cfg.Plans == nil {
		return nil, errNoPlans
	}
	c, name, by := r.PathValue("collection"), r.PathValue("name"), access.From(r.Context()).Label()
	may, err := u.maySee(r, c)
	if err != nil {
		return nil, err
	}
	to := &view{to: proposalsPath(c, name)}
	key := []string{r.PostFormValue("key")}
	switch do := r.PostFormValue("do"); do {
	case "accept":
		_, err = u.cfg.Plans.Decide(c, name, key, nil, by, crawls.May(may))
	case "strike":
		_, err = u.cfg.Plans.Decide(c, name, nil, key, by, crawls.May(may))
	case "read":
		err = u.readProposals(r, c, name, crawls.May(may))
	case "refer":
		if _, err = u.launch(r, func(by string) error {
			_, err := u.cfg.Crawls.Refer(r.Context(), c, name, by)
			return err
		}); err != nil {
			return nil, err
		}
	default:
		err = &varve.Error{Kind: varve.Invalid, Op: "decide on proposals", Msg: "there is nothing called so to do", Hint: "accept, strike, read or refer"}
	}
	return to, err
}

// readProposals makes proposals from pages that the collection has, as whoever asks may see them.
func (u *UI) readProposals(r *http.Request, c, name string, may crawls.May) error {
	which := crawls.Which{}
	if id := r.PostFormValue("from"); id != "all" {
		which.Crawl = id
	}
	from := crawls.Library{Holdings: u.cfg.Holdings, Index: u.cfg.Index, Contents: u.cfg.Contents}
	_, err := u.cfg.Plans.Propose(r.Context(), from, c, name, which, access.From(r.Context()).Label(), may)
	return err
}
