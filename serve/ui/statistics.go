package ui

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"varve"
	"varve/derive/annotate"
	"varve/entity/statistics"
	"varve/serve/message"
	"varve/serve/search"
)

// statisticsData is what the screen of statistics shows: a text, its names with what they mean, and the articles that it has to do with, each with why.
type statisticsData struct {
	Tabs    asked
	Text    string
	Example string
	Methods []viewLink
	Why     string // there is nothing to link to: why, and what to do
	Hint    string
	Names   []statisticsName
	*search.LinkedStatistics
}

// statisticsName is a name in the text.
type statisticsName struct {
	Name, Label, Href string
}

const statisticsExample = "Germans grow wary of the switch to renewables. Energy prices rise: the power company RWE and the wind parks in the North Sea need subsidies, and the Ministry of Finance in Berlin wants to cut them. Electricity from wind and sun is to cover most of the consumption by 2030."

// statistics shows which articles of statistics a text has to do with.
func (u *UI) statistics(r *http.Request) (*view, error) {
	q, say := r.URL.Query(), message.From(r.Context())
	text := strings.TrimSpace(q.Get("text"))
	for len(text) > maxTyped {
		_, n := utf8.DecodeLastRuneInString(text[:maxTyped+1])
		text = text[:maxTyped+1-n]
	}
	m, err := statistics.ParseMethod(q.Get("method"))
	if err != nil {
		m = statistics.Both
	}
	d := &statisticsData{Text: text, Example: "/statistics?" + url.Values{"text": {statisticsExample}}.Encode()}
	for _, one := range []struct {
		m     statistics.Method
		label string
	}{{statistics.Both, say.Text("themes and words")}, {statistics.Voting, say.Text("themes alone")}, {statistics.Words, say.Text("words alone")}} {
		d.Methods = append(d.Methods, viewLink{one.label, string(one.m), one.m == m})
	}
	if d.Tabs, err = u.askedBy(r, "statistics"); err != nil {
		return nil, err
	}
	v := &view{template: "statistics", title: say.Text("[screen]|Statistics"), section: "search", data: d}
	if text == "" {
		return v, nil
	}
	select { // it costs far more than other screens: few at a time
	case u.marking <- struct{}{}:
		defer func() { <-u.marking }()
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	in := annotate.Content{MIME: "text/plain; charset=utf-8", Body: []byte(text), Language: "en", Time: u.cfg.Now()}
	d.LinkedStatistics, err = search.LinkStatistics(r.Context(), u.cfg.Statistics, u.cfg.Linkers, in, m)
	if varve.KindOf(err) == varve.NotFound {
		d.Why, d.Hint = say.Text("No statistics site was imported yet."), say.Text("`varve statistics import FILE` imports a dump of one.")
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, n := range d.LinkedStatistics.Names {
		if key := n.Text + "\x00" + n.Entity; !seen[key] {
			seen[key] = true
			one := statisticsName{Name: n.Text, Label: n.Label}
			if n.Entity != "" {
				one.Href = entityPath(n.Entity)
			}
			d.Names = append(d.Names, one)
		}
	}
	return v, nil
}
