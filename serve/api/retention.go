package api

import (
	"io"
	"net/http"
	"time"

	"varve"
	"varve/serve/access"
	"varve/serve/retention"
)

// Retention is what was decided on how long captures are kept.
type Retention struct {
	Rules    []retention.Rule   `json:"rules"`
	Holds    []retention.Hold   `json:"holds"`
	Released []retention.Hold   `json:"released"`
	Deleted  []retention.Review `json:"deleted"`
	Unread   string             `json:"unread,omitempty"` // lines that cannot be read: nothing is deleted meanwhile
}

// RetentionReview is a decision about crawls or imported files of a collection.
type RetentionReview struct {
	Do     string    `json:"do"` // keep, approve or withdraw
	Units  []string  `json:"units"`
	Until  time.Time `json:"until,omitzero"` // of keep
	Reason string    `json:"reason"`
}

func (a *API) retentionRoutes() []route {
	const c = "/api/collections/{collection}/retention"
	reason := []param{{"reason", "string", "why", true}}
	return []route{
		{Method: "GET", Path: "/api/retention", Said: true, Role: access.Curator, Summary: "Retention rules and holds in force, and what was deleted.", Answer: of[Retention](), answer: a.retention},
		{Method: "POST", Path: "/api/retention/rules", Said: true, Role: access.Admin, Summary: "Say how long crawls of a collection are kept. Nothing is deleted by it.", Body: of[retention.Rule](), Answer: of[retention.Rule](), answer: a.addRetentionRule},
		{Method: "DELETE", Path: "/api/retention/rules/{rule}", Said: true, Role: access.Admin, Summary: "End a retention rule.", Params: reason, Answer: of[Retention](), answer: a.endRetentionRule},
		{Method: "POST", Path: "/api/retention/holds", Said: true, Role: access.Curator, Summary: "Put captures under a hold: they are not deleted, whatever rules and reviews say.", Body: of[retention.Hold](), Answer: of[retention.Hold](), answer: a.addHold},
		{Method: "DELETE", Path: "/api/retention/holds/{hold}", Said: true, Role: access.Admin, Summary: "Release a hold.", Params: reason, Answer: of[Retention](), answer: a.releaseHold},
		{Method: "GET", Path: "/api/retention/holds/{hold}/export", Role: access.Admin, Summary: "All that is under a hold, with proof: a bag (BagIt) of whole WARC files, statements, a signed list and the audit log, as a ZIP file. Refused where a takedown withholds a part of a collection.", Media: "application/zip", stream: a.exportHold},
		{Method: "GET", Path: c, Said: true, Role: access.Curator, Summary: "What may become of each crawl and imported file of a collection: kept, due for review, approved, held, needed by others, not known; and why.", Params: pageParams, Answer: of[List[retention.Verdict]](), answer: a.retentionOf},
		{Method: "POST", Path: c, Said: true, Role: access.Curator, Summary: "Keep crawls for longer, approve their deletion (which can be withdrawn for seven days), or withdraw that.", Body: of[RetentionReview](), Answer: of[List[retention.Verdict]](), answer: a.decideRetention},
		{Method: "POST", Path: c + "/delete", Said: true, Role: access.Admin, Summary: "Delete what was approved at least seven days ago, if nothing holds or needs it. It cannot be undone.", Answer: of[retention.Deletion](), answer: a.carryOut},
	}
}

func (a *API) retention(*http.Request) (any, error) {
	s, err := a.cfg.Retention.State()
	if err != nil {
		return nil, err
	}
	out := Retention{Rules: s.Rules, Holds: s.Holds, Released: s.Released, Deleted: s.Gone}
	if s.Unread != nil {
		out.Unread = s.Unread.Error()
	}
	return out, nil
}

func (a *API) addRetentionRule(r *http.Request) (any, error) {
	var rule retention.Rule
	if err := readBody(r, &rule, `{"collection":"press","days":3650,"reason":"schedule 4.2"}`); err != nil {
		return nil, err
	}
	return a.cfg.Retention.AddRule(rule, access.From(r.Context()).Label())
}

func (a *API) endRetentionRule(r *http.Request) (any, error) {
	if err := a.cfg.Retention.EndRule(r.PathValue("rule"), access.From(r.Context()).Label(), r.URL.Query().Get("reason")); err != nil {
		return nil, err
	}
	return a.retention(r)
}

func (a *API) addHold(r *http.Request) (any, error) {
	var hold retention.Hold
	if err := readBody(r, &hold, `{"matter":"Doe v. Roe","prefix":"shop.example","reason":"letter of counsel"}`); err != nil {
		return nil, err
	}
	return a.cfg.Retention.AddHold(hold, access.From(r.Context()).Label())
}

func (a *API) releaseHold(r *http.Request) (any, error) {
	if err := a.cfg.Retention.Release(r.PathValue("hold"), access.From(r.Context()).Label(), r.URL.Query().Get("reason")); err != nil {
		return nil, err
	}
	return a.retention(r)
}

func (a *API) retentionOf(r *http.Request) (any, error) {
	list, ready, err := a.cfg.Retention.Verdicts(r.Context(), r.PathValue("collection"))
	if err == nil && !ready {
		err = &varve.Error{Kind: varve.Unavailable, Op: "review " + r.PathValue("collection"), Msg: "the index is still being read", Hint: "ask again in a moment"}
	}
	if err != nil {
		return nil, err
	}
	return paged(r, list, defaultLimit)
}

func (a *API) decideRetention(r *http.Request) (any, error) {
	var x RetentionReview
	if err := readBody(r, &x, `{"do":"keep","units":["20150301T030000Z"],"until":"2030-01-01T00:00:00Z","reason":"exhibition"}`); err != nil {
		return nil, err
	}
	if err := a.cfg.Retention.Decide(r.Context(), x.Do, r.PathValue("collection"), x.Units, x.Until, access.From(r.Context()).Label(), x.Reason); err != nil {
		return nil, err
	}
	return a.retentionOf(r)
}

func (a *API) carryOut(r *http.Request) (any, error) {
	return a.cfg.Retention.CarryOut(r.Context(), r.PathValue("collection"), access.From(r.Context()).Label())
}

// exportHold sends the bag of a hold. Whole files go out, so it is refused where rules withhold a part of a collection from whoever asks.
func (a *API) exportHold(w http.ResponseWriter, r *http.Request) error {
	who := access.From(r.Context())
	set, err := a.cfg.Rules.InForce()
	if err != nil {
		return err
	}
	begun := false
	err = a.cfg.Retention.Pack(r.Context(), r.PathValue("hold"), who.Label(), func(collection string) error {
		if set.Withholds(who, collection) {
			return &varve.Error{
				Kind: varve.Forbidden, Op: "export of " + collection, Msg: "access rules withhold a part of it, and WARC files are given whole",
				Hint: "'varve retention export' on the machine itself writes it",
			}
		}
		return nil
	}, func(name string) io.Writer {
		begun = true
		attach(w, "application/zip", name)
		return w
	})
	if err != nil && begun {
		a.cfg.Log.Error("export", "hold", r.PathValue("hold"), "error", err)
		panic(http.ErrAbortHandler) // no caller may take a part for the whole
	}
	return err
}
