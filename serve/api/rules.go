package api

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"

	"varve"
	"varve/serve/access"
)

func (a *API) rules(*http.Request) (any, error) {
	list, err := a.cfg.Rules.Rules()
	if err == nil {
		_, err = a.cfg.Rules.InForce() // a list with holes would look whole
	}
	return all(list), err
}

// maxRule bounds the body of a rule.
const maxRule = 64 << 10

// ruleOf reads the rule of a request.
func ruleOf(r *http.Request) (rule access.Rule, err error) {
	dec := json.NewDecoder(io.LimitReader(r.Body, maxRule))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&rule); err != nil {
		return rule, &varve.Error{Kind: varve.Invalid, Op: "read the rule", Err: err, Hint: `{"collection":"news","prefix":"https://news.example/a/","level":"blocked","reason":"..."}`}
	}
	if rule.Level == access.Blocked && !access.From(r.Context()).Can(access.Admin) {
		return rule, &varve.Error{Kind: varve.Forbidden, Op: "block " + rule.Prefix, Msg: "a takedown needs the role admin"}
	}
	return rule, nil
}

func (a *API) addRule(r *http.Request) (any, error) {
	rule, err := ruleOf(r)
	if err != nil {
		return nil, err
	}
	who := access.From(r.Context())
	return a.cfg.Rules.Add(rule, who.Label(), who.Role, a.cfg.Now())
}

func (a *API) previewRule(r *http.Request) (any, error) {
	rule, err := ruleOf(r)
	if err != nil {
		return nil, err
	}
	rule.Role = access.From(r.Context()).Role
	return a.cfg.Effects.Effect(r.Context(), rule)
}

func (a *API) liftRule(r *http.Request) (any, error) {
	who := access.From(r.Context())
	if err := a.cfg.Rules.Lift(r.PathValue("rule"), who.Label(), r.URL.Query().Get("reason"), a.cfg.Now()); err != nil {
		return nil, err
	}
	return a.rules(r)
}

func (a *API) auditLog(r *http.Request) (any, error) {
	var list []access.Entry
	for e, err := range a.cfg.Audit.Entries() {
		var chain *access.ChainError
		if errors.As(err, &chain) {
			e.Detail = "DAMAGED: " + chain.Error() + "; " + e.Detail
		} else if err != nil {
			return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the audit log", Err: err}
		}
		list = append(list, e)
	}
	slices.Reverse(list)
	return paged(r, list, defaultLimit)
}
