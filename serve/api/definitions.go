package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/serve/access"
	"varve/serve/crawls"
)

// cockpit lists the routes about planning, watching and steering crawls.
func (a *API) cockpit() []route {
	const c = "/api/collections/{collection}"
	const k = c + "/crawls/{crawl}"
	return []route{
		{Method: "POST", Path: "/api/collections", Role: access.Curator, Summary: "Begin a collection.", Body: of[crawls.NewCollection](), Answer: of[CollectionItem](), answer: a.beginCollection},
		{Method: "GET", Path: "/api/schedule", Role: access.Viewer, Summary: "Whether this server starts what is due, what waits after a failure, and what comes next.", Answer: of[Schedule](), answer: a.schedule},
		{Method: "GET", Path: k + "/watch", Role: access.Viewer, Summary: "How a running crawl goes: progress, rates, queue by state, hosts, errors, newest pages, foretold coherence.", Answer: of[Watched](), answer: a.watch},
		{Method: "POST", Path: k + "/steer", Role: access.Curator, Summary: "Change a running crawl: rules, hosts, order, limits. Kept for a resume.", Params: []param{{"preview", "string", "1: only tell what it would do", false}}, Body: of[crawls.Act](), Answer: of[crawls.Effect](), answer: a.steer},
		{Method: "GET", Path: c + "/definitions", Said: true, Role: access.Viewer, Summary: "Planned crawls with their whole definitions, and where each is defined.", Answer: of[Definitions](), answer: a.definitions},
		{Method: "POST", Path: c + "/definitions", Said: true, Role: access.Curator, Summary: "Plan a crawl.", Body: of[NewDefinition](), Answer: of[DefinitionDetail](), answer: a.defineCrawl},
		{Method: "GET", Path: c + "/definitions/{definition}", Said: true, Role: access.Viewer, Summary: "One planned crawl: definition, as TOML, and who changed it when.", Answer: of[DefinitionDetail](), answer: a.definition},
		{Method: "PUT", Path: c + "/definitions/{definition}", Said: true, Role: access.Curator, Summary: "Change a crawl that was planned on a screen or here.", Body: of[NewDefinition](), Answer: of[DefinitionDetail](), answer: a.redefineCrawl},
		{Method: "GET", Path: c + "/proposals/{definition}", Role: access.Curator, Summary: "What could become part of the definition of a planned crawl, by kind, the best first, as far as it is not decided.", Answer: of[crawls.Proposals](), answer: a.proposals},
		{Method: "POST", Path: c + "/proposals/{definition}", Role: access.Curator, Summary: "Make proposals from pages that the collection has. A reference crawl is started as a crawl.", Body: of[crawls.Which](), Answer: of[crawls.Proposals](), answer: a.propose},
		{Method: "POST", Path: c + "/proposals/{definition}/decisions", Role: access.Curator, Summary: "Accept proposals, which makes a new version of the definition, and strike others for good.", Body: of[ProposalDecision](), Answer: of[crawls.Proposals](), answer: a.decideProposals},
		{Method: "DELETE", Path: c + "/definitions/{definition}", Said: true, Role: access.Curator, Summary: "Retire a crawl that was planned on a screen or here; its history stays.", Answer: of[Definitions](), answer: a.retireCrawl},
	}
}

// NewDefinition is a crawl to be planned.
type NewDefinition struct {
	Name       string        `json:"name,omitempty"` // with PUT that of the address
	Definition crawl.Planned `json:"definition"`
	Note       string        `json:"note,omitempty"` // why
	Was        time.Time     `json:"was,omitzero"`   // at of the definition that is replaced; missing: whatever is there
}

// Definitions are the planned crawls of a collection.
type Definitions struct {
	Items []crawls.Entry `json:"items"`
}

// DefinitionDetail is a planned crawl with its history.
type DefinitionDetail struct {
	crawls.Entry
	TOML    string          `json:"toml"`
	History []crawl.Defined `json:"history"` // newest first
}

// maxDefinition bounds the body that plans a crawl.
const maxDefinition = 3 << 20

func (a *API) plans() (*crawls.Desk, error) {
	if a.cfg.Plans == nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "change a plan", Msg: "this server does not change plans", Hint: "write collection.toml where the archive is"}
	}
	return a.cfg.Plans, nil
}

// take reads the JSON body of a request, if it is not too large.
func take(r *http.Request, most int64, into any, hint string) error {
	b, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	if err == nil && int64(len(b)) > most {
		err = fmt.Errorf("more than %d bytes", most)
	}
	if err == nil {
		err = strictly(b, into)
	}
	if err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "read the body", Err: err, Hint: hint}
	}
	return nil
}

func (a *API) beginCollection(r *http.Request) (any, error) {
	plans, err := a.plans()
	if err != nil {
		return nil, err
	}
	var n crawls.NewCollection
	if err := take(r, 64<<10, &n, `{"name":"ministries","title":"Ministries","purpose":"..."}`); err != nil {
		return nil, err
	}
	if err := plans.Begin(n, access.From(r.Context()).Label()); err != nil {
		return nil, err
	}
	r.SetPathValue("collection", n.Name)
	return a.collection(r)
}

// reader reads plans, also where they are not changed.
func (a *API) reader() *crawls.Desk {
	if a.cfg.Plans != nil {
		return a.cfg.Plans
	}
	return &crawls.Desk{Archive: catalog.Open(a.cfg.Archive), Now: a.cfg.Now}
}

func (a *API) definitions(r *http.Request) (any, error) {
	list, err := a.reader().List(r.PathValue("collection"))
	return Definitions{list}, err
}

func (a *API) definition(r *http.Request) (any, error) {
	return a.definitionOf(r.PathValue("collection"), r.PathValue("definition"))
}

func (a *API) definitionOf(collection, name string) (any, error) {
	plans := a.reader()
	e, err := plans.Entry(collection, name)
	if err != nil {
		return nil, err
	}
	d := DefinitionDetail{Entry: e}
	if d.TOML, err = e.Definition.TOML(); err != nil {
		return nil, err
	}
	if d.History, err = plans.History(collection, name); varve.KindOf(err) == varve.NotFound {
		d.History, err = []crawl.Defined{}, nil
	}
	return d, err
}

func (a *API) defineCrawl(r *http.Request) (any, error) {
	return a.define(r, func(n *NewDefinition, _ *crawls.Desk) error {
		n.Was = time.Time{} // a new one replaces none
		return nil
	})
}

func (a *API) redefineCrawl(r *http.Request) (any, error) {
	name := r.PathValue("definition")
	return a.define(r, func(n *NewDefinition, plans *crawls.Desk) error {
		if n.Name != "" && n.Name != name {
			return errors.New("the name is that of the address")
		}
		n.Name = name
		e, err := plans.Entry(r.PathValue("collection"), name)
		if err == nil && n.Was.IsZero() {
			n.Was = e.At
		}
		return err
	})
}

func (a *API) define(r *http.Request, prepare func(*NewDefinition, *crawls.Desk) error) (any, error) {
	plans, err := a.plans()
	if err != nil {
		return nil, err
	}
	var n NewDefinition
	const hint = `{"name":"daily","definition":{"seeds":["https://news.example/"],"contact":"https://my.library/crawler","every":"24h","scope":{"scope":"host"}}}; see docs/formats/definitions.md`
	if err := take(r, maxDefinition, &n, hint); err != nil {
		return nil, err
	}
	if err := prepare(&n, plans); err != nil {
		return nil, err
	}
	collection := r.PathValue("collection")
	n.Definition.Name = n.Name
	may := crawls.Rights{Admin: access.From(r.Context()).Can(access.Admin)}
	if col, err := catalog.Open(a.cfg.Archive).Collection(collection); err == nil {
		may.Models = crawls.Models(col)
	}
	if faults := crawls.Check(n.Definition, may); len(faults) > 0 {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "define crawl " + n.Name, Msg: faults.String(), Hint: hint}
	}
	if err := plans.Save(collection, n.Definition, n.Was, access.From(r.Context()).Label(), n.Note); err != nil {
		return nil, err
	}
	return a.definitionOf(collection, n.Name)
}

func (a *API) retireCrawl(r *http.Request) (any, error) {
	plans, err := a.plans()
	if err != nil {
		return nil, err
	}
	collection, name := r.PathValue("collection"), r.PathValue("definition")
	if err := plans.Retire(collection, name, time.Time{}, access.From(r.Context()).Label(), ""); err != nil {
		return nil, err
	}
	list, err := plans.List(collection)
	return Definitions{list}, err
}

// strictly reads one JSON value and nothing else; unknown fields would be wishes that are not heard.
func strictly(b []byte, into any) error {
	if err := json.Unmarshal(b, new(json.RawMessage)); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
