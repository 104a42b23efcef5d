package ui

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"varve"
	"varve/language"
	"varve/language/mention"
	"varve/serve/holdings"
	"varve/serve/veil"
)

// Names and expressions of time in the text of a document, marked where they stand. They are found when the page is asked for, by the
// same units that `varve derive` makes tables with: a text that is shown has some thousand words, which takes some hundredths of a second.

// markKind is a kind of mark.
type markKind string

// The kinds, in the order in which they are listed.
const (
	markPerson       markKind = "person"
	markPlace        markKind = "place"
	markOrganisation markKind = "organisation"
	markOther        markKind = "other"
	markTime         markKind = "time"
)

var markKinds = []struct {
	Kind  markKind
	Title string
}{
	{markPerson, "Persons"}, {markPlace, "Places"}, {markOrganisation, "Organisations"}, {markOther, "Other names"}, {markTime, "Times"},
}

// kindOf returns the kind of a mention.
func kindOf(t mention.Type) markKind {
	switch t {
	case mention.Person:
		return markPerson
	case mention.Location:
		return markPlace
	case mention.Organisation, mention.Group:
		return markOrganisation
	}
	return markOther
}

// typeWords are what people call the types.
var typeWords = map[mention.Type]string{
	mention.Person: "person", mention.Location: "place", mention.Organisation: "organisation", mention.Group: "group", mention.Event: "event",
	mention.Work: "work", mention.Product: "product",
}

// mark is a name or an expression of time.
type mark struct {
	Kind       markKind
	Type       string // in words
	Text       string
	Start, End int // bytes of the text
	Sure       float64
	From, To   time.Time // of a time: the interval, To excluded
}

// About says in words what is marked.
func (m *mark) About() string {
	switch {
	case m.Kind != markTime:
		return fmt.Sprintf("%s, %.0f %% sure", m.Type, 100*m.Sure)
	case m.From.IsZero() && m.To.IsZero():
		return "no fixed place in time"
	case m.From.IsZero():
		return "until " + day(m.To)
	case m.To.IsZero():
		return "from " + day(m.From)
	}
	if last := m.To.Add(-time.Second); day(last) != day(m.From) {
		return day(m.From) + " to " + day(last)
	}
	return day(m.From)
}

// piece is a part of a line: text, or text with a mark.
type piece struct {
	Text  string
	Kind  markKind // "" for text
	About string
	Open  string // the passage in replay
}

// markChoice turns a kind on or off.
type markChoice struct {
	Kind  markKind
	Title string
	Count int
	Off   bool
	Href  string
}

// markedName is a name with how often it stands in the text.
type markedName struct {
	Text   string
	About  string
	Count  int
	Search string
}

// markList is the names of one kind, the most frequent first; times in their order.
type markList struct {
	Title string
	Kind  markKind
	Names []markedName
	More  int
}

// marks is what is found in a text.
type marks struct {
	Choices []markChoice
	Lists   []markList
	Missing []string // why something is not looked for
	CSV     string
	JSON    string
}

// Bounds of what is marked.
const (
	markedText  = 64 << 10 // bytes of a text
	markingTime = 10 * time.Second
	namesShown  = 12
)

// markText finds the marks of the text that is shown, and cuts its lines into pieces.
func (u *UI) markText(r *http.Request, d *documentData) ([]mark, error) {
	ctx, cancel := context.WithTimeout(r.Context(), markingTime)
	defer cancel()
	select {
	case u.marking <- struct{}{}:
		defer func() { <-u.marking }()
	case <-ctx.Done():
		d.Marks.Missing = []string{"the server is busy: names and times are not marked this time"}
		return nil, r.Context().Err()
	}
	if len(d.shown) > markedText {
		d.Marks.Missing = []string{fmt.Sprintf("names and times are marked in texts of up to %d KB", markedText>>10)}
		return nil, nil
	}
	date := d.Document.Date
	if date.IsZero() {
		date = d.Document.From
	}
	doc, err := language.New().Analyse(ctx, language.Text{Text: d.shown, Language: d.Document.Language, Date: date}, language.Mentions, language.Times)
	if ctx.Err() != nil && r.Context().Err() == nil {
		d.Marks.Missing = []string{"the text took too long: names and times are not marked"}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, m := range doc.Missing {
		d.Marks.Missing = append(d.Marks.Missing, m.Why)
	}
	return marksOf(doc), nil
}

// marksOf returns the marks of a text in the order of their places. Where two meet the name counts.
func marksOf(doc *language.Document) (out []mark) {
	for _, m := range doc.Mentions {
		out = append(out, mark{Kind: kindOf(m.Type), Type: typeWords[m.Type], Text: m.Text, Start: m.Start, End: m.End, Sure: m.Confidence})
	}
	names := len(out)
	for _, t := range doc.Times {
		if !slices.ContainsFunc(out[:names], func(m mark) bool { return m.Start < t.End && t.Start < m.End }) {
			out = append(out, mark{Kind: markTime, Type: string(t.Type), Text: t.Text, Start: t.Start, End: t.End, Sure: t.Confidence, From: t.Earliest, To: t.Latest})
		}
	}
	slices.SortStableFunc(out, func(a, b mark) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// addMarks fills the lines of the text, with the marks that are not turned off, and the lists of them.
func (d *documentData) addMarks(u *UI, q url.Values, found []mark) {
	off := map[markKind]bool{}
	for k := range strings.SplitSeq(q.Get("hide"), ",") {
		off[markKind(k)] = k != ""
	}
	base := u.replay(d.Document.Collection, holdings.IndexedCapture{Capture: varve.Capture{URL: d.Document.URL, Time: d.Document.From}}, "if_")
	at := 0
	for line := range strings.SplitAfterSeq(d.shown, "\n") {
		start := at
		at += len(line)
		var pieces []piece
		done := start
		for len(found) > 0 && found[0].Start < at {
			m := found[0]
			found = found[1:]
			if m.Start < done || m.End > at || off[m.Kind] {
				continue
			}
			pieces = append(pieces, piece{Text: d.shown[done:m.Start]}, piece{Text: m.Text, Kind: m.Kind, About: m.About(), Open: passage(base, d.shown, m)})
			done = m.End
		}
		pieces = append(pieces, piece{Text: d.shown[done:at]})
		if strings.TrimSpace(line) != "" {
			d.Lines = append(d.Lines, pieces)
		}
	}
}

// passage returns the address of the place in replay: the page at that date, and a text fragment with what stands around.
func passage(base, text string, m mark) string {
	if base == "" {
		return ""
	}
	escape := func(s string) string {
		return strings.ReplaceAll(url.PathEscape(strings.Join(strings.Fields(s), " ")), "-", "%2D") // - and , have a meaning there
	}
	out := base + "#:~:text="
	if before := lastWords(text[:m.Start], 3); before != "" {
		out += strings.ReplaceAll(escape(before), ",", "%2C") + "-,"
	}
	return out + strings.ReplaceAll(escape(m.Text), ",", "%2C")
}

// lastWords returns the last words of the last line of a text.
func lastWords(text string, n int) string {
	text = text[max(0, len(text)-200):]
	text = text[strings.LastIndexByte(text, '\n')+1:]
	words := strings.FieldsFunc(strings.ToValidUTF8(text, ""), unicode.IsSpace)
	return strings.Join(words[max(0, len(words)-n):], " ")
}

// listMarks counts what was found, and offers to turn kinds off and on.
func (d *documentData) listMarks(q url.Values, found []mark) {
	hidden := slices.DeleteFunc(strings.Split(q.Get("hide"), ","), func(s string) bool { return s == "" })
	for _, k := range markKinds {
		names := map[string]*markedName{}
		var order []*markedName
		count := 0
		for i := range found {
			m := &found[i]
			if m.Kind != k.Kind {
				continue
			}
			count++
			key := strings.Join(strings.Fields(m.Text), " ")
			if names[key] == nil {
				names[key] = &markedName{Text: key, About: m.About(), Search: address("/search", values("q", strconv.Quote(key), "collection", d.Home.Name))}
				order = append(order, names[key])
			}
			names[key].Count++
		}
		if count == 0 {
			continue
		}
		if k.Kind != markTime {
			slices.SortStableFunc(order, func(a, b *markedName) int { return cmp.Compare(b.Count, a.Count) })
		}
		list := markList{Title: k.Title, Kind: k.Kind, More: max(0, len(order)-namesShown)}
		for _, n := range order[:min(len(order), namesShown)] {
			list.Names = append(list.Names, *n)
		}
		d.Marks.Lists = append(d.Marks.Lists, list)
		off := slices.Contains(hidden, string(k.Kind))
		next := slices.DeleteFunc(slices.Clone(hidden), func(s string) bool { return s == string(k.Kind) })
		if !off {
			next = append(next, string(k.Kind))
		}
		to := cloneValues(q)
		to.Set("hide", strings.Join(next, ","))
		d.Marks.Choices = append(d.Marks.Choices, markChoice{k.Kind, k.Title, count, off, address("/document", to)})
	}
	to := cloneValues(q)
	to.Set("format", "csv")
	d.Marks.CSV = address("/document", to)
	d.Marks.JSON = address("/api/collections/"+url.PathEscape(d.Document.Collection)+"/analyse", values("url", d.Document.URL, "at", d.Document.From.UTC().Format("20060102150405")))
}

// marksTable writes the marks as a table for spreadsheets.
func marksTable(found []mark) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	stamp := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339)
	}
	err := w.Write([]string{"kind", "type", "text", "start", "end", "confidence", "earliest", "latest"})
	for _, m := range found {
		err = errors.Join(err, w.Write([]string{string(m.Kind), m.Type, cell(m.Text), strconv.Itoa(m.Start), strconv.Itoa(m.End), strconv.FormatFloat(m.Sure, 'f', 3, 64), stamp(m.From), stamp(m.To)}))
	}
	w.Flush()
	return out.Bytes(), errors.Join(err, w.Error())
}

// shownText is the text of the document that the page shows, without what is withheld: it is cut into pieces, in which an address would not be known again.
func (u *UI) shownText(r *http.Request, text string) (string, error) {
	over, err := u.veil(r, &view{})
	if err != nil {
		return "", err
	}
	return over.Text(text, veil.Said(r)...), nil
}
