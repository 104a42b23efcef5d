package control

import (
	"encoding/json"
	"errors"
	"net/http"

	"varve"
	"varve/crawl"
	"varve/crawl/guide"
	"varve/crawl/relevance"
)

// judged returns the stage of a guided crawl.
func (c *Stage) judged(op string) (*guide.Judged, error) {
	for _, s := range c.r.Stages() {
		if j, ok := s.(*guide.Judged); ok {
			return j, nil
		}
	}
	return nil, &varve.Error{Kind: varve.Conflict, Op: op, Msg: "this crawl does not know what it is about", Hint: "start it with a topic, or with a definition that says so ('varve define')"}
}

// controlAbout tells what the crawl is about; by PUT it is changed.
func (c *Stage) controlAbout(req *http.Request) (any, error) {
	j, err := c.judged("about")
	if err != nil || req.Method == http.MethodGet {
		if err == nil {
			return j.About(), nil
		}
		return nil, err
	}
	body, err := readBody("about", req)
	if err != nil {
		return nil, err
	}
	var about relevance.About
	if err := decodeOne(body, &about); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "about", Err: err, Hint: `as GET gives it: {"keywords":[{"word":"flood","weight":2}]}`}
	}
	if err := about.Check(); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "about", Err: err}
	}
	if all := c.r.Commander(); all != nil {
		text, merr := json.Marshal(about)
		if merr != nil {
			return nil, merr
		}
		_, err = all.Order(req.Context(), asker(req), func(o *crawl.Orders) error { o.About = text; return nil })
	} else {
		err = j.SetAbout(about)
	}
	if err != nil {
		return nil, c.asked("about", err)
	}
	c.r.Event("about", "by", asker(req), "keywords", len(about.Keywords), "entities", len(about.Entities), "references", len(about.References))
	return j.About(), nil
}

// controlWhy explains the score of a URL.
func (c *Stage) controlWhy(req *http.Request) (any, error) {
	j, err := c.judged("why")
	if err != nil {
		return nil, err
	}
	url := req.URL.Query().Get("url")
	if url == "" {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "why", Err: errors.New("no URL given"), Hint: "why?url=https://..."}
	}
	w, err := j.Why(url)
	return w, c.asked("why", err)
}
