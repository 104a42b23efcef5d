package api

import (
	"net/http"

	"varve/serve/access"
	"varve/serve/crawls"
)

// ProposalDecision is what becomes of proposals, by their keys.
type ProposalDecision struct {
	Accept []string `json:"accept,omitempty"`
	Strike []string `json:"strike,omitempty"`
}

func (a *API) mayPropose(r *http.Request) (crawls.May, error) {
	may, err := a.cfg.Rules.May(r.Context(), r.PathValue("collection"), a.cfg.Now())
	return crawls.May(may), err
}

func (a *API) proposals(r *http.Request) (any, error) {
	may, err := a.mayPropose(r)
	if err != nil {
		return nil, err
	}
	return a.reader().Proposals(r.PathValue("collection"), r.PathValue("definition"), may)
}

func (a *API) propose(r *http.Request) (any, error) {
	c, name := r.PathValue("collection"), r.PathValue("definition")
	plans, err := a.plans()
	if err != nil {
		return nil, err
	}
	var which crawls.Which
	if err := take(r, 64<<10, &which, `{"crawl":"20260101T120000-abcd"}, or {} for all pages`); err != nil {
		return nil, err
	}
	may, err := a.mayPropose(r)
	if err != nil {
		return nil, err
	}
	from := crawls.Library{Holdings: a.cfg.Holdings, Index: a.cfg.Index, Contents: a.cfg.Contents}
	return plans.Propose(r.Context(), from, c, name, which, access.From(r.Context()).Label(), may)
}

func (a *API) decideProposals(r *http.Request) (any, error) {
	plans, err := a.plans()
	if err != nil {
		return nil, err
	}
	var d ProposalDecision
	if err := take(r, 1<<20, &d, `{"accept":["term:harbour"],"strike":["host:ads.example"]}`); err != nil {
		return nil, err
	}
	may, err := a.mayPropose(r)
	if err != nil {
		return nil, err
	}
	return plans.Decide(r.PathValue("collection"), r.PathValue("definition"), d.Accept, d.Strike, access.From(r.Context()).Label(), may)
}
