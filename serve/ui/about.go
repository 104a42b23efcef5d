package ui

import (
	"math"
	"net/http"
	"strconv"
	"strings"

	"varve"
	"varve/crawl"
	"varve/crawl/guide"
	"varve/crawl/relevance"
	"varve/serve/access"
	"varve/serve/crawls"
	"varve/serve/holdings"
	"varve/serve/message"
)

// aboutData is the screen on which people see and change what a running crawl is about, and ask why an address comes when it does.
type aboutData struct {
	*crawlData
	About     relevance.About
	Modules   []moduleRow
	Threshold string
	StopUnder string
	TOML      string
	Guidance  *crawl.Guidance
	Charts    []chart // of relevance, over time
	URL       string  // that is asked about
	Why       *guide.Why
	Trouble   *trouble
	Ended     bool // the crawl cannot be asked
	Did       bool
}

// moduleRow is a module with what it looks at.
type moduleRow struct {
	crawls.Module
	Looks string
	Typed string // the weight, as it stands in the form
}

// looks says what modules look at.
func looks(say *message.Language) map[string]string {
	return map[string]string{
		"document": say.Text("the words of the whole page"), "paragraph": say.Text("the words around a link"), "anchor": say.Text("the words of a link"),
		"keywords": say.Text("keywords, wanted and unwanted"), "entities": say.Text("names, by any of their forms"), "reference": say.Text("how near it is to reference pages"),
		"url": say.Text("patterns of addresses"), "place": say.Text("what pages below the same path were worth so far"), "way": say.Text("the score of the page that has the link"),
		"language": say.Text("is it in a language that is wanted?"), "time": say.Text("years named in the text, against the events"), "spam": say.Text("how likely the host is no spam"),
		"nation": say.Text("does it belong to the nation?"),
	}
}

// about shows what a running crawl is about.
func (u *UI) about(r *http.Request) (*view, error) {
	d, err := u.aboutData(r)
	if err != nil {
		return nil, err
	}
	d.Did = r.URL.Query().Get("did") != ""
	if d.URL = strings.TrimSpace(r.URL.Query().Get("url")); d.URL != "" && !d.Ended {
		if err := u.explain(r, d); err != nil {
			t := newTrouble(message.From(r.Context()), err)
			d.Trouble = &t
		}
	}
	return d.view(r), nil
}

func (d *aboutData) view(r *http.Request) *view {
	return &view{template: "about", title: message.From(r.Context()).Text("What crawl {0} is about", d.ID), section: "crawls", data: d}
}

// explain asks the crawl why an address has its score.
func (u *UI) explain(r *http.Request, d *aboutData) error {
	may, err := u.maySee(r, d.Collection)
	if err != nil {
		return err
	}
	w, err := u.helm().Why(r.Context(), d.Crawl, d.URL, crawls.May(may))
	if err == nil {
		d.Why = &w
	}
	return err
}

func (u *UI) aboutData(r *http.Request) (*aboutData, error) {
	c, err := u.crawlData(r)
	if err != nil {
		return nil, err
	}
	d := &aboutData{crawlData: c}
	d.Tab = "about"
	if c.State != holdings.Live {
		d.Ended = true
		return d, nil
	}
	if d.About, err = u.helm().About(r.Context(), c.Crawl); err != nil {
		return nil, err
	}
	if w, err := c.Crawl.Watch(r.Context()); err == nil {
		d.Guidance = w.Guidance
		d.Charts = relevanceCharts(message.From(r.Context()), w.Readings)
	}
	d.fill(r)
	d.TOML, err = crawl.AboutTOML(d.About)
	return d, err
}

// fill writes the definition into the form.
func (d *aboutData) fill(r *http.Request) {
	what := looks(message.From(r.Context()))
	d.Modules = nil
	for _, m := range crawls.Modules(&d.About) {
		d.Modules = append(d.Modules, moduleRow{m, what[m.Name], plainNumber(m.Weight)})
	}
	d.Threshold, d.StopUnder = plainNumber(d.About.Relevant()), plainNumber(d.About.StopUnder)
}

func plainNumber(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// changeAbout changes the weights, or all, of what a running crawl is about.
func (u *UI) changeAbout(r *http.Request) (*view, error) {
	if err := r.ParseForm(); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "read the form", Err: err}
	}
	d, err := u.aboutData(r)
	if err != nil {
		return nil, err
	}
	if d.Ended {
		return nil, &varve.Error{Kind: varve.Conflict, Op: "change crawl " + d.ID, Msg: "it does not run", Hint: "change what is planned; the next run goes by it"}
	}
	next := d.About
	if r.PostForm.Get("do") == "whole" {
		d.TOML = strings.ReplaceAll(r.PostForm.Get("toml"), "\r\n", "\n")
		next, err = relevance.Parse(d.TOML)
	} else {
		err = d.weigh(r, &next)
	}
	if err == nil {
		_, err = u.helm().SetAbout(r.Context(), d.Crawl, next, access.From(r.Context()).Label())
	}
	if err == nil {
		return &view{to: crawlPath(d.Crawl) + "/about?did=1"}, nil
	}
	t := newTrouble(message.From(r.Context()), err)
	d.Trouble = &t
	v := d.view(r)
	v.status = http.StatusUnprocessableEntity
	if s := varve.HTTPStatus(err); s >= 500 || s == http.StatusConflict {
		v.status = s
	}
	return v, nil
}

// weigh takes the weights of the form; those that are as usual are not written down.
func (d *aboutData) weigh(r *http.Request, a *relevance.About) error {
	number := func(field string) (float64, error) {
		f, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(r.PostForm.Get(field)), ",", ".", 1), 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, &varve.Error{Kind: varve.Invalid, Op: field, Msg: "“" + short(r.PostForm.Get(field), 40) + "” is no number", Hint: "0 asks it not; 2 counts twice as much as 1"}
		}
		return f, nil
	}
	a.Weights = map[string]float64{}
	for i := range d.Modules {
		m := &d.Modules[i]
		if !r.PostForm.Has("weight-" + m.Name) {
			if m.Weight != m.Usual {
				a.Weights[m.Name] = m.Weight
			}
			continue
		}
		m.Typed = r.PostForm.Get("weight-" + m.Name)
		w, err := number("weight-" + m.Name)
		if err != nil {
			return err
		}
		if w != m.Usual {
			a.Weights[m.Name] = w
		}
	}
	for _, f := range []struct {
		name  string
		typed *string
		to    *float64
	}{{"threshold", &d.Threshold, &a.Threshold}, {"stop-under", &d.StopUnder, &a.StopUnder}} {
		if !r.PostForm.Has(f.name) {
			continue
		}
		*f.typed = r.PostForm.Get(f.name)
		v, err := number(f.name)
		if err != nil {
			return err
		}
		*f.to = v
	}
	return nil
}
