package ui

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"varve"
	"varve/derive/annotate"
	"varve/entity"
	"varve/language"
	"varve/language/mention"
	"varve/serve/holdings"
	"varve/serve/message"
	"varve/serve/search"
	"varve/serve/veil"
)

// Names, expressions of time, terms and opinions in the text of a document, marked where they stand. They are found when the page is asked for, by the
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
	markTerm         markKind = "term"
	markOpinion      markKind = "opinion"
)

var markKinds = []struct {
	Kind  markKind
	Title string
}{
	{markPerson, "Persons"},
	{markPlace, "Places"},
	{markOrganisation, "Organisations"},
	{markOther, "Other names"},
	{markTime, "Times"},
	{markTerm, "Terms"},
	{markOpinion, "Opinions"},
}

// hiddenFirst is what is not marked until somebody asks for it: terms are everywhere.
const hiddenFirst = string(markTerm)

// hiddenKinds are the kinds that are not marked.
func hiddenKinds(q url.Values) []string {
	hide := hiddenFirst
	if q.Has("hide") {
		hide = q.Get("hide")
	}
	return slices.DeleteFunc(strings.Split(hide, ","), func(s string) bool { return s == "" })
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

// mark is a name, an expression of time, a term, a sentence that judges, or what it judges.
type mark struct {
	Kind       markKind
	Type       string // in words
	Text       string
	Start, End int // bytes of the text
	Sure       float64
	From, To   time.Time        // of a time: the interval, To excluded
	Score      float64          // of an opinion: from -1, against, to 1, in favour
	Holder     string           // of an opinion that is quoted: whose it is
	Whole      string           // of what is judged: the name in full
	Means      *annotate.Linked // of a name: which entity; nil if that is not known
}

// Types of opinions.
const (
	opinionSentence = "sentence"
	opinionTarget   = "about"
)

// verdict says in words which way a score goes.
func verdict(l *message.Language, score float64) string {
	switch {
	case score >= search.InFavour:
		return l.Text("in favour")
	case score <= search.Against:
		return l.Text("against")
	}
	return l.Text("neither for nor against")
}

// signed writes a score with its sign.
func signed(score float64) string {
	return strings.ReplaceAll(fmt.Sprintf("%+.1f", score), "-", "−")
}

// judges reports whether a mark is a sentence that takes sides.
func (m *mark) judges() bool {
	return m.Kind == markOpinion && m.Type == opinionSentence && (m.Score >= search.InFavour || m.Score <= search.Against)
}

// About says in words what is marked.
func (m *mark) About(l *message.Language) string {
	sure := l.Decimal(100*m.Sure, 0)
	switch {
	case m.Kind == markTerm:
		return l.Text("term of this text")
	case m.Kind == markOpinion && m.Holder != "":
		return l.Text("{0} ({1}), in the words of {2}, {3} % sure", verdict(l, m.Score), signed(m.Score), m.Holder, sure)
	case m.Kind == markOpinion:
		return l.Text("{0} ({1}), {2} % sure", verdict(l, m.Score), signed(m.Score), sure)
	case m.Means != nil:
		return l.Text("{0}, {1} % sure; means {2}, {3} % sure", l.Word(m.Type), sure, m.Means.Label, l.Decimal(100*m.Means.Confidence, 0))
	case m.Kind != markTime:
		return l.Text("{0}, {1} % sure", l.Word(m.Type), sure)
	case m.From.IsZero() && m.To.IsZero():
		return l.Text("no fixed place in time")
	case m.From.IsZero():
		return l.Text("until {0}", l.Day(m.To))
	case m.To.IsZero():
		return l.Text("from {0}", l.Day(m.From))
	}
	if last := m.To.Add(-time.Second); l.Day(last) != l.Day(m.From) {
		return l.Text("{0} to {1}", l.Day(m.From), l.Day(last))
	}
	return l.Day(m.From)
}

// piece is a part of a line: text, or text with a mark.
type piece struct {
	Text  string
	Kind  markKind // "" for text
	About string
	Open  string // the passage in replay
}

// run is a part of a line: in a sentence that judges, or outside of one.
type run struct {
	Pieces []piece
	For    bool   // in favour
	Sign   string // the score of a sentence that judges, with its sign; "" elsewhere
	About  string
	Open   string // the sentence in replay
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
	Text  string
	About string
	Count int
	Href  string
	Sign  string // of an opinion
	Open  bool   // Href is the passage in replay, else a question about it
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

	sentenceEnds = 4 // words of its begin and end by which a sentence is found in replay
)

// markText finds the marks of the text that is shown.
func (u *UI) markText(r *http.Request, d *documentData) ([]mark, error) {
	l := message.From(r.Context())
	ctx, cancel := context.WithTimeout(r.Context(), markingTime)
	defer cancel()
	select {
	case u.marking <- struct{}{}:
		defer func() { <-u.marking }()
	case <-ctx.Done():
		d.Marks.Missing = []string{l.Text("the server is busy: names, times and opinions are not marked this time")}
		return nil, r.Context().Err()
	}
	if len(d.shown) > markedText {
		d.Marks.Missing = []string{l.Text("names, times and opinions are marked in texts of up to {0} KB", markedText>>10)}
		return nil, nil
	}
	date := d.Document.Date
	if date.IsZero() {
		date = d.Document.From
	}
	text := language.Text{Text: d.shown, Language: d.Document.Language, Date: date}
	doc, err := language.New().Analyse(ctx, text, language.Mentions, language.Times, language.Terms, language.Opinions)
	if ctx.Err() != nil && r.Context().Err() == nil {
		d.Marks.Missing = []string{l.Text("the text took too long: names, times and opinions are not marked")}
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, m := range doc.Missing {
		d.Marks.Missing = append(d.Marks.Missing, m.Why)
	}
	if slices.Contains(doc.Listed, language.Mentions) {
		d.Marks.Missing = append(d.Marks.Missing, l.Text("names of this language are found by lists: many are missed"))
	}
	found := marksOf(doc, d.shown)
	return found, u.linkMarks(ctx, d, doc, date, found)
}

// linkMarks says which entities names mean, where the names of the collection were linked.
func (u *UI) linkMarks(ctx context.Context, d *documentData, doc *language.Document, date time.Time, found []mark) error {
	if u.cfg.Linkers == nil {
		return nil
	}
	declared, err := search.Declared(ctx, u.cfg.Texts, d.Document.Collection)
	if err != nil || !search.Linked(declared) {
		return err
	}
	l, giveBack, err := u.cfg.Linkers.Linker(d.Document.Collection)
	if err != nil {
		d.Marks.Missing = append(d.Marks.Missing, d.say.Text("what names mean is not known: {0}", err))
		return nil
	}
	defer giveBack()
	linked, err := l.Link(ctx, d.shown, doc.Mentions, entity.DayOf(date))
	if ctx.Err() != nil {
		d.Marks.Missing = append(d.Marks.Missing, d.say.Text("what names mean took too long to find out"))
		return nil
	}
	if err != nil {
		return err
	}
	at := map[int]*annotate.Linked{}
	for i := range linked {
		if linked[i].Entity != "" {
			at[linked[i].Start] = &linked[i]
		}
	}
	for i := range found {
		if m := &found[i]; slices.Contains([]markKind{markPerson, markPlace, markOrganisation, markOther}, m.Kind) {
			m.Means = at[m.Start]
		}
	}
	return nil
}

// marksOf returns the marks of a text in the order of their places. Where two meet a name counts more than a time, and that more than a term; sentences that
// judge have the others in them.
func marksOf(doc *language.Document, text string) (out []mark) {
	taken := make([]bool, len(text)) // bytes that have a mark
	take := func(m mark) {
		if !slices.Contains(taken[m.Start:m.End], true) {
			for i := m.Start; i < m.End; i++ {
				taken[i] = true
			}
			out = append(out, m)
		}
	}
	for _, m := range doc.Mentions {
		take(mark{Kind: kindOf(m.Type), Type: typeWords[m.Type], Text: m.Text, Start: m.Start, End: m.End, Sure: m.Confidence})
	}
	for _, t := range doc.Times {
		take(mark{Kind: markTime, Type: string(t.Type), Text: t.Text, Start: t.Start, End: t.End, Sure: t.Confidence, From: t.Earliest, To: t.Latest})
	}
	for _, t := range doc.Terms { // the best first
		for _, p := range t.Places {
			take(mark{Kind: markTerm, Type: t.Key, Text: text[p[0]:p[1]], Start: p[0], End: p[1], Sure: 1})
		}
	}
	full := annotate.FullNames(doc.Mentions)
	for _, o := range doc.Opinions {
		out = append(out, mark{Kind: markOpinion, Type: opinionSentence, Text: text[o.Start:o.End], Start: o.Start, End: o.End, Sure: o.Confidence, Score: o.Score, Holder: o.Holder})
		for _, t := range o.About {
			name := strings.Join(strings.Fields(t.Text), " ")
			out = append(out, mark{Kind: markOpinion, Type: opinionTarget, Text: t.Text, Start: t.Start, End: t.End, Sure: t.Confidence, Score: t.Score, Holder: o.Holder, Whole: cmp.Or(full[name], name)})
		}
	}
	slices.SortStableFunc(out, func(a, b mark) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// addMarks fills the lines of the text, with the marks that are not turned off.
func (d *documentData) addMarks(u *UI, q url.Values, found []mark) {
	off := map[markKind]bool{}
	for _, k := range hiddenKinds(q) {
		off[markKind(k)] = true
	}
	base := d.replayed(u)
	var inside, judging []mark // in sentences, and the sentences
	for _, m := range found {
		switch {
		case off[m.Kind]:
		case m.Kind != markOpinion:
			inside = append(inside, m)
		case m.judges():
			judging = append(judging, m)
		}
	}
	at := 0
	for line := range strings.SplitAfterSeq(d.shown, "\n") {
		start := at
		at += len(line)
		var runs []run
		for done := start; done < at; {
			for len(judging) > 0 && judging[0].End <= done {
				judging = judging[1:]
			}
			if len(judging) == 0 || judging[0].Start >= at {
				runs = append(runs, run{Pieces: pieces(d.say, base, d.shown, done, at, &inside)})
				break
			}
			m := &judging[0]
			if m.Start > done {
				runs = append(runs, run{Pieces: pieces(d.say, base, d.shown, done, m.Start, &inside)})
				done = m.Start
			}
			end := min(m.End, at)
			runs = append(runs, run{Pieces: pieces(d.say, base, d.shown, done, end, &inside), For: m.Score > 0, Sign: signed(m.Score), About: m.About(d.say), Open: passage(base, d.shown, *m)})
			done = end
		}
		if strings.TrimSpace(line) != "" {
			d.Lines = append(d.Lines, runs)
		}
	}
}

// pieces cuts a part of a text at its marks, which are in the order of their places, and takes those that begin in it from the list.
func pieces(l *message.Language, base, text string, start, end int, marks *[]mark) (out []piece) {
	for len(*marks) > 0 && (*marks)[0].Start < end {
		m := (*marks)[0]
		*marks = (*marks)[1:]
		if m.Start < start || m.End > end {
			continue
		}
		out = append(out, piece{Text: text[start:m.Start]}, piece{Text: m.Text, Kind: m.Kind, About: m.About(l), Open: passage(base, text, m)})
		start = m.End
	}
	return append(out, piece{Text: text[start:end]})
}

// replayed is the address of the version in replay, without a banner; "" if there is none.
func (d *documentData) replayed(u *UI) string {
	return u.replay(d.Document.Collection, holdings.IndexedCapture{Capture: varve.Capture{URL: d.Document.URL, Time: d.Document.From}}, "if_")
}

// passage returns the address of the place in replay: the page at that date, and a text fragment with what stands around.
func passage(base, text string, m mark) string {
	if base == "" {
		return ""
	}
	escape := func(s string) string {
		return strings.NewReplacer("-", "%2D", ",", "%2C").Replace(url.PathEscape(strings.Join(strings.Fields(s), " "))) // they have a meaning there
	}
	out := base + "#:~:text="
	if words := strings.Fields(m.Text); len(words) > 2*sentenceEnds { // from its first words to its last
		return out + escape(strings.Join(words[:sentenceEnds], " ")) + "," + escape(strings.Join(words[len(words)-sentenceEnds:], " "))
	}
	if before := lastWords(text[:m.Start], 3); before != "" {
		out += escape(before) + "-,"
	}
	return out + escape(m.Text)
}

// lastWords returns the last words of the last line of a text.
func lastWords(text string, n int) string {
	text = text[max(0, len(text)-200):]
	text = text[strings.LastIndexByte(text, '\n')+1:]
	words := strings.FieldsFunc(strings.ToValidUTF8(text, ""), unicode.IsSpace)
	return strings.Join(words[max(0, len(words)-n):], " ")
}

// listMarks lists what was found, and offers to turn kinds off and on.
func (d *documentData) listMarks(u *UI, q url.Values, found []mark) {
	hidden := hiddenKinds(q)
	for _, k := range markKinds {
		var of []mark
		for _, m := range found {
			if m.Kind == k.Kind && (k.Kind != markOpinion || m.judges()) {
				of = append(of, m)
			}
		}
		if len(of) == 0 {
			continue
		}
		list := d.listOf(of)
		if k.Kind == markOpinion {
			list = d.listOpinions(u, of)
		}
		list.Title, list.Kind = d.say.Word(k.Title), k.Kind
		d.Marks.Lists = append(d.Marks.Lists, list)
		off := slices.Contains(hidden, string(k.Kind))
		next := slices.DeleteFunc(slices.Clone(hidden), func(s string) bool { return s == string(k.Kind) })
		if !off {
			next = append(next, string(k.Kind))
		}
		to := cloneValues(q)
		to.Set("hide", strings.Join(next, ","))
		d.Marks.Choices = append(d.Marks.Choices, markChoice{k.Kind, d.say.Word(k.Title), len(of), off, address("/document", to)})
	}
	if judged := d.listJudged(found); len(judged.Names) > 0 {
		d.Marks.Lists = append(d.Marks.Lists, judged)
	}
	to := cloneValues(q)
	to.Set("format", "csv")
	d.Marks.CSV = address("/document", to)
	d.Marks.JSON = address("/api/collections/"+url.PathEscape(d.Document.Collection)+"/analyse", values("url", d.Document.URL, "at", d.Document.From.UTC().Format("20060102150405")))
}

// listOf returns the names of one kind with how often each is there, the most frequent first; times in their order.
func (d *documentData) listOf(of []mark) (list markList) {
	names := map[string]*markedName{}
	var order []*markedName
	for i := range of {
		m := &of[i]
		text := strings.Join(strings.Fields(m.Text), " ")
		key := text
		if m.Kind == markTerm {
			key = m.Type // however it is inflected
		}
		if names[key] == nil {
			names[key] = &markedName{Text: text, About: m.About(d.say), Href: address("/search", values("q", strconv.Quote(text), "collection", d.Home.Name))}
			if m.Means != nil {
				names[key].Href = entityPath(m.Means.Entity)
			}
			order = append(order, names[key])
		}
		names[key].Count++
	}
	if of[0].Kind != markTime {
		slices.SortStableFunc(order, func(a, b *markedName) int { return cmp.Compare(b.Count, a.Count) })
	}
	list.More = max(0, len(order)-namesShown)
	for _, n := range order[:min(len(order), namesShown)] {
		list.Names = append(list.Names, *n)
	}
	return list
}

// listOpinions returns the sentences that judge most clearly, in the order of the text.
func (d *documentData) listOpinions(u *UI, of []mark) (list markList) {
	base := d.replayed(u)
	clear := slices.SortedStableFunc(slices.Values(of), func(a, b mark) int { return cmp.Compare(math.Abs(b.Score), math.Abs(a.Score)) })
	list.More = max(0, len(clear)-namesShown)
	clear = clear[:min(len(clear), namesShown)]
	slices.SortFunc(clear, func(a, b mark) int { return cmp.Compare(a.Start, b.Start) })
	for i := range clear {
		m := &clear[i]
		list.Names = append(list.Names, markedName{Text: strings.Join(strings.Fields(m.Text), " "), About: m.About(d.say), Count: 1, Sign: signed(m.Score), Href: passage(base, d.shown, *m), Open: true})
	}
	return list
}

// listJudged returns the names that are judged, with the mean of what is said of each by how sure it is.
func (d *documentData) listJudged(found []mark) (list markList) {
	type sum struct {
		score, weight float64
		count         int
	}
	sums := map[string]*sum{}
	var order []string
	for i := range found {
		m := &found[i]
		if m.Kind != markOpinion || m.Type != opinionTarget {
			continue
		}
		name := m.Whole
		if sums[name] == nil {
			sums[name] = &sum{}
			order = append(order, name)
		}
		s := sums[name]
		s.score, s.weight, s.count = s.score+m.Score*m.Sure, s.weight+m.Sure, s.count+1
	}
	list = markList{Title: d.say.Text("Judged here"), Kind: markOpinion, More: max(0, len(order)-namesShown)}
	for _, name := range order[:min(len(order), namesShown)] {
		s := sums[name]
		mean := s.score / max(s.weight, math.SmallestNonzeroFloat64)
		list.Names = append(list.Names, markedName{Text: name, Count: s.count, Sign: signed(mean), About: verdict(d.say, mean), Href: address("/opinions", values("about", name, "collection", d.Home.Name))})
	}
	return list
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
	err := w.Write([]string{"kind", "type", "text", "start", "end", "confidence", "earliest", "latest", "score", "holder"})
	for _, m := range found {
		score := ""
		if m.Kind == markOpinion {
			score = strconv.FormatFloat(m.Score, 'f', 3, 64)
		}
		err = errors.Join(err, w.Write([]string{string(m.Kind), m.Type, cell(m.Text), strconv.Itoa(m.Start), strconv.Itoa(m.End), strconv.FormatFloat(m.Sure, 'f', 3, 64), stamp(m.From), stamp(m.To), score, cell(m.Holder)}))
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
