package ui

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"strconv"
	"strings"
	"time"

	"varve/serve/evolution"
)

// phrasesData is what the screen of phrases shows that begin to be used.
type phrasesData struct {
	evolvedData
	Found  *evolution.Phrases
	Told   string
	Bars   []yearBar // phrases of each year
	Rows   []phraseRow
	Any    string // address without conditions
	Fresh  bool   // some have a probability
	Beyond int    // that fit, and are not shown
}

// phraseRow is a phrase.
type phraseRow struct {
	evolution.Phrase
	Find  string // texts with it, from its begin on
	Term  string // the screen of it as a term
	Where []firstText
}

// firstText is a text that has a phrase first.
type firstText struct {
	Page             string
	At               time.Time
	Replay, Document string
}

func (u *UI) phrases(r *http.Request) (*view, error) {
	base, status, ok, err := u.evolved(r, "phrases")
	if err != nil {
		return nil, err
	}
	d := &phrasesData{evolvedData: base}
	v := &view{template: "phrases", title: d.say.Text("Phrases that begin to be used"), section: "collections", data: d, status: status}
	if !ok {
		return v, nil
	}
	q, err := evolution.ParsePhrases(d.Q)
	if err != nil {
		v.status, err = d.trouble(err)
		return v, err
	}
	if d.Found, err = u.cfg.Evolution.Phrases(r.Context(), d.Name, q); err != nil {
		return nil, err
	}
	d.fill(u, q)
	if d.Q.Get("format") == "csv" {
		body, err := d.table()
		return &view{file: &file{"phrases.csv", "text/csv; charset=utf-8", body}}, err
	}
	return v, nil
}

func (d *phrasesData) fill(u *UI, q evolution.PhraseQuery) {
	d.Any, d.Beyond = d.path, d.Found.Of-len(d.Found.Phrases)
	years := d.Found.Years
	var best evolution.PhraseYear
	sum, last := 0, 0
	for _, y := range years {
		if sum, last = sum+y.Phrases, y.Year; y.Phrases > best.Phrases {
			best = y
		}
	}
	if len(years) > 0 {
		d.years(years[0].Year, last)
	}
	for _, y := range years {
		b := d.bar(y.Year, float64(y.Phrases), float64(best.Phrases))
		b.Title, b.On = strconv.Itoa(y.Year)+": "+d.say.Count(y.Phrases, "phrase"), y.Year >= q.From && (q.To == 0 || y.Year <= q.To)
		p := d.copy("format", "from", "to")
		p.Set("from", strconv.Itoa(y.Year))
		p.Set("to", strconv.Itoa(y.Year))
		b.Href = address(d.path, p)
		d.Bars = append(d.Bars, b)
	}
	switch {
	case len(years) < 2:
		d.Told = d.say.Text("All texts are of one year, which has none before it to compare with.")
	case sum == 0:
		d.Told = d.say.Text("No such phrase begins to be used in {0}.", d.say.Count(d.Found.Texts, "text"))
	default:
		d.Told = d.say.Text("{0} begin to be used in {1}, most in {2}: {3}.", d.say.Count(sum, "phrase"), d.say.Count(d.Found.Texts, "text"), year(best.Year), best.Phrases)
	}
	for _, p := range d.Found.Phrases {
		row := phraseRow{Phrase: p, Find: d.found(p.Begun, last, p.Phrase), Term: address(collectionPath(d.Name)+"/terms", values("term", p.Phrase))}
		d.Fresh = d.Fresh || p.Probability > 0
		for _, f := range p.First {
			x := firstText{Page: f.URL, At: f.Time}
			x.Replay, x.Document = u.textWith(d.Name, f.URL, f.Time, p.Phrase)
			row.Where = append(row.Where, x)
		}
		d.Rows = append(d.Rows, row)
	}
}

func (d *phrasesData) table() ([]byte, error) {
	rows := [][]string{{"phrase", "year", "begun", "texts", "share", "probability", "first"}}
	for _, p := range d.Found.Phrases {
		var first []string
		for _, f := range p.First {
			first = append(first, f.Time.UTC().Format(time.RFC3339)+" "+f.URL)
		}
		rows = append(rows, []string{cell(p.Phrase), strconv.Itoa(p.Year), strconv.Itoa(p.Begun), strconv.Itoa(p.Texts), strconv.FormatFloat(p.Share, 'f', 6, 64), strconv.FormatFloat(p.Probability, 'f', 4, 64), cell(strings.Join(first, "; "))})
	}
	var out bytes.Buffer
	err := csv.NewWriter(&out).WriteAll(rows)
	return out.Bytes(), err
}
