package search

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/derive"
	"varve/derive/annotate"
	"varve/entity"
	"varve/fact"
	"varve/fact/clean"
	"varve/index/fulltext"
	"varve/language"
	"varve/serve/holdings"
)

// FactDesk answers who was what, and when, by what versions say that whoever asks may see.
type FactDesk struct {
	Texts   Texts
	Archive string // its collections may have relations of their own; "": all have those of the program
	// Contents are the pages, whose rows are read again for evidence; nil: a statement of a row is shown without it.
	Contents holdings.Contents
}

// FactQuery asks for facts.
type FactQuery struct {
	Of       string    // a name, on either side
	With     string    // only facts with this name on the other side
	Relation string    // only of this relation
	When     fact.Time // only what holds or can hold then
	// Query narrows the versions that are asked.
	fulltext.Query
}

// Facts are what versions say of a name.
type Facts struct {
	Of       string `json:"of"`
	With     string `json:"with,omitempty"`
	Relation string `json:"relation,omitempty"`
	When     string `json:"when,omitempty"`
	Versions int64  `json:"versions"` // that say something of it
	// Facts are in the order of subject, relation and time; of Alternatives nothing is believed, since it contradicts these.
	Facts        []ToldFact       `json:"facts"`
	Alternatives []ToldFact       `json:"alternatives"`
	Rejected     int              `json:"rejected"` // statements that contradict the rest
	Limits       []string         `json:"limits"`   // what was not looked at, in words
	Relations    []FactRelation   `json:"relations"`
	Names        []fulltext.Count `json:"names"` // where no name is asked for: those of which most versions say something
}

// FactRelation is a relation that some statement is of.
type FactRelation struct {
	Name  string `json:"name"`
	Title string `json:"title"`
}

// ToldFact is a fact with the statements that it is made of.
type ToldFact struct {
	Relation   string          `json:"relation"`
	Role       string          `json:"role,omitempty"` // the office
	Title      string          `json:"title"`          // of the relation, in words, with its role
	Subject    string          `json:"subject"`
	Object     string          `json:"object"`
	Begin      fact.Bounds     `json:"begin"`
	End        fact.Bounds     `json:"end"` // the first day on which it does not hold any more
	Confidence float64         `json:"confidence"`
	Sure       bool            `json:"sure,omitempty"` // it holds at the time that was asked for; else it can, by what is known
	Statements []FactStatement `json:"statements"`
}

// FactStatement is what versions say of a fact: when it began, ended or held.
type FactStatement struct {
	Aspect       fact.Aspect   `json:"aspect"`
	Time         fact.Time     `json:"time"`
	Confidence   float64       `json:"confidence"`
	Versions     int64         `json:"versions"`
	Contradicted bool          `json:"contradicted,omitempty"` // by statements that weigh more: it does not count
	Passages     []FactPassage `json:"passages,omitempty"`
}

// FactPassage is a version that states something.
type FactPassage struct {
	fulltext.Hit
	Sentence string `json:"sentence,omitempty"` // that says it; "" where it was not found again
	Before   string `json:"-"`                  // the words before it
	InRow    string `json:"in_row,omitempty"`   // infobox, table or list: it is no sentence, but a row of one
}

// FactPage is one fact with its evidence, and what else is told of its names.
type FactPage struct {
	ToldFact
	Believed bool       `json:"believed"` // some statement of it is not contradicted
	Others   []ToldFact `json:"others"`   // of the same relation with one of its names
	Against  []ToldFact `json:"against"`  // of these: that and the fact cannot both hold as they are told
	Limits   []string   `json:"limits"`
}

// Sizes of an answer.
const (
	factValues   = 4000 // different statements of a name
	factNames    = 24
	factPassages = 3 // of a statement
	factRead     = 12
	factText     = 64 << 10 // bytes of a text that is read again for its sentence
	factOthers   = 30

	factPageBytes = 4 << 20 // of a page that is read again for its rows
)

// ParseFacts reads the parameters of, with, relation and when, and those of a search.
func ParseFacts(v url.Values) (q FactQuery, err error) {
	if q.Query, err = Parse(without(v, "of", "with", "relation", "when")); err != nil {
		return q, err
	}
	word := func(key string) string { return strings.Join(strings.Fields(v.Get(key)), " ") }
	q.Of, q.With, q.Relation = word("of"), word("with"), word("relation")
	for _, name := range []string{q.Of, q.With} {
		if err := askable(name); name != "" && err != nil {
			return q, err
		}
	}
	if when := word("when"); when != "" {
		if q.When, err = fact.ParseTime(when); err != nil {
			return q, &varve.Error{Kind: varve.Invalid, Op: "read when", Err: err, Hint: "a year, a month or a day, such as 2010, 2010-05, 2010-05-01"}
		}
	}
	return q, nil
}

// askable refuses names that no value of the facet has.
func askable(name string) error {
	if !fulltext.Quotable(name) || strings.ContainsAny(name, "<>") {
		return invalid("%q cannot be asked for: a name without quotation marks and angle brackets is expected", name)
	}
	return nil
}

// Ask finds what versions say of a name, and which of it fits together. What may not be seen is neither found nor counted, and contradicts nothing.
//
// Cost: two questions, each with one more to know the collections, and cleaning.
func (d *FactDesk) Ask(ctx context.Context, collections string, q FactQuery) (*Facts, error) {
	if err := d.have(ctx, collections); err != nil {
		return nil, err
	}
	out := &Facts{Of: q.Of, With: q.With, Relation: q.Relation, When: q.When.String(), Facts: []ToldFact{}, Alternatives: []ToldFact{}, Limits: []string{}, Relations: []FactRelation{}, Names: []fulltext.Count{}}
	if q.Of == "" {
		return out, d.names(ctx, collections, q, out)
	}
	var t told
	if err := d.collect(ctx, collections, q.Query, q.Of, &t); err != nil {
		return nil, err
	}
	out.Versions = t.versions
	found, report, err := d.clean(ctx, &t)
	if err != nil {
		return nil, err
	}
	out.Rejected, out.Limits = report.Rejected, append(out.Limits, t.limits(report)...)
	for _, f := range append(found, report.Denied...) {
		if r := (FactRelation{f.Relation, t.title[f.Relation]}); !slices.Contains(out.Relations, r) {
			out.Relations = append(out.Relations, r)
		}
	}
	slices.SortFunc(out.Relations, func(a, b FactRelation) int { return cmp.Compare(a.Title, b.Title) })
	wanted := func(f *fact.Fact) bool {
		return (q.Relation == "" || f.Relation == q.Relation) && (q.With == "" || annotate.IsCalled(f.Subject, q.With) || annotate.IsCalled(f.Object, q.With))
	}
	for _, f := range found {
		sure, possible := true, true
		if q.When.Known() {
			sure, possible = f.At(q.When)
		}
		if wanted(&f) && possible {
			one := t.fact(&f)
			one.Sure = sure && q.When.Known()
			t.turn(&one, q.Of)
			out.Facts = append(out.Facts, one)
		}
	}
	for _, f := range report.Denied {
		meets := !q.When.Known() || slices.ContainsFunc(f.Rejected, func(o fact.Observation) bool { return o.Time.Known() && o.Time.Meets(q.When) })
		if wanted(&f) && meets {
			one := t.fact(&f)
			t.turn(&one, q.Of)
			out.Alternatives = append(out.Alternatives, one)
		}
	}
	return out, nil
}

// have refuses texts in which facts were not looked for.
func (d *FactDesk) have(ctx context.Context, collections string) error {
	has, err := asked(ctx, d.Texts, collections, func(sources []fulltext.Source) (bool, error) {
		return slices.ContainsFunc(fulltext.Declared(sources), func(f derive.Facet) bool { return f.Name == annotate.FactFacet }), nil
	})
	if err == nil && !has {
		return &varve.Error{
			Kind: varve.Unavailable, Op: "ask for facts", Msg: "facts were not looked for in these texts",
			Hint: "varve derive --units facts --collection NAME && varve index --collection NAME",
		}
	}
	return err
}

// names adds the names of which most is said: a begin for who has none in mind.
func (d *FactDesk) names(ctx context.Context, collections string, q FactQuery, out *Facts) error {
	ask := q.Query
	ask.Limit, ask.Facets, ask.Top = -1, []string{annotate.FactFacet}, factValues
	a, err := Ask(ctx, d.Texts, collections, ask)
	if err != nil {
		return err
	}
	at := map[string]int{}
	for _, c := range a.Facets[annotate.FactFacet] {
		f, ok := annotate.ParseFactValue(c.Name)
		if !ok {
			continue
		}
		name := f.Subject
		if f.Inverse {
			name = f.Object
		}
		i, known := at[name]
		if !known {
			i = len(out.Names)
			at[name] = i
			out.Names = append(out.Names, fulltext.Count{Name: name})
		}
		out.Names[i].Count += c.Count
	}
	slices.SortStableFunc(out.Names, func(a, b fulltext.Count) int { return cmp.Compare(b.Count, a.Count) })
	out.Names = out.Names[:min(len(out.Names), factNames)]
	return nil
}

// told is what versions say, before it is cleaned.
type told struct {
	merger    *fact.Merger
	count     map[statement]int64 // versions
	title     map[string]string   // of relations
	in        []string            // collections
	relations []fact.Relation
	versions  int64
	more      bool
}

// statement is what counts as one.
type statement struct {
	relation, role, subject, object string
	aspect                          fact.Aspect
	time                            fact.Time
}

func statementOf(o *fact.Observation) statement {
	return statement{o.Relation, o.Role, o.Subject, o.Object, o.Aspect, o.Time}
}

// limits says in words what was not looked at.
func (t *told) limits(r *fact.Report) (out []string) {
	if t.more {
		out = append(out, "there are more statements than were looked at: those that few versions make are left out")
	}
	return append(out, r.Limits()...)
}

// fact makes a fact readable.
func (t *told) fact(f *fact.Fact) ToldFact {
	out := ToldFact{
		Relation: f.Relation, Role: f.Role, Title: fact.Titled(cmp.Or(t.title[f.Relation], f.Relation), f.Role), Subject: f.Subject, Object: f.Object, Begin: f.Begin, End: f.End, Confidence: f.Confidence, Statements: []FactStatement{},
	}
	add := func(o fact.Observation, contradicted bool) {
		n := t.count[statementOf(&o)]
		out.Statements = append(out.Statements, FactStatement{Aspect: o.Aspect, Time: o.Time, Confidence: o.Confidence, Versions: n, Contradicted: contradicted})
	}
	for _, o := range f.Observations {
		add(o, false)
	}
	for _, o := range f.Rejected {
		add(o, true)
	}
	slices.SortStableFunc(out.Statements, func(a, b FactStatement) int {
		return cmp.Or(cmp.Compare(a.Time.First, b.Time.First), cmp.Compare(a.Aspect, b.Aspect))
	})
	return out
}

// turn makes a name the subject of a fact of which either name can be it.
func (t *told) turn(f *ToldFact, name string) {
	if t.symmetric(f.Relation) && annotate.IsCalled(f.Object, name) {
		f.Subject, f.Object = f.Object, f.Subject
	}
}

func (t *told) symmetric(relation string) bool {
	return slices.ContainsFunc(t.relations, func(r fact.Relation) bool { return r.Name == relation && r.Symmetric })
}

// condition is that a version states something of a name.
func condition(prefix string) string { return annotate.FactFacet + `:"` + prefix + `"*` }

// collect adds what versions say of a name.
func (d *FactDesk) collect(ctx context.Context, collections string, q fulltext.Query, name string, t *told) error {
	if t.merger == nil {
		t.merger, t.count, t.title = fact.NewMerger(), map[statement]int64{}, map[string]string{}
	}
	text := q.Text
	for i, prefix := range []string{annotate.FactPrefix(name, false), annotate.FactPrefix(name, true), annotate.LinkedPrefix(name)} {
		linked, inverse := i == 2, i == 1
		q.Text, q.Limit, q.Trend, q.Cursor = Narrow(text, condition(prefix)), -1, fulltext.NoTrend, ""
		q.Facets, q.Top, q.Prefix = []string{annotate.FactFacet}, factValues, prefix
		a, err := Ask(ctx, d.Texts, collections, q)
		if err != nil {
			return err
		}
		values := a.Facets[annotate.FactFacet]
		t.more = t.more || len(values) >= factValues
		t.versions += a.Total
		for _, c := range values {
			f, ok := annotate.ParseFactValue(c.Name)
			if !ok || f.Inverse != inverse && !linked {
				continue
			}
			key := statementOf(&f.Observation)
			if (inverse || linked) && t.count[key] > 0 {
				continue // of a name on both sides
			}
			t.count[key] += c.Count
			for range min(c.Count, 10) { // the tenth that says the same makes it no surer
				t.merger.Add(f.Observation, 2*factValues)
			}
		}
		if a.Total == 0 {
			continue
		}
		q.Facets, q.Prefix = []string{"collection"}, ""
		in, err := Ask(ctx, d.Texts, collections, q)
		if err != nil {
			return err
		}
		for _, c := range in.Facets["collection"] {
			if !slices.Contains(t.in, c.Name) {
				t.in = append(t.in, c.Name)
			}
		}
	}
	return nil
}

// clean tells what fits together, by the relations of the collections that say it.
func (d *FactDesk) clean(ctx context.Context, t *told) ([]fact.Fact, *fact.Report, error) {
	slices.Sort(t.in)
	for _, name := range t.in {
		list, err := d.relationsOf(name)
		if err != nil {
			return nil, nil, err
		}
		for _, r := range list {
			if _, known := t.title[r.Name]; !known {
				t.relations, t.title[r.Name] = append(t.relations, r), r.Title
			}
		}
	}
	return fact.Clean(ctx, t.relations, t.merger.Observations(), clean.Options{})
}

// relationsOf returns the relations of a collection.
func (d *FactDesk) relationsOf(collection string) ([]fact.Relation, error) {
	if d.Archive == "" {
		return fact.Relations()
	}
	col, err := catalog.Open(d.Archive).Collection(collection)
	if err != nil {
		return nil, err
	}
	return annotate.RelationsOf(col.Dir())
}

// Fact finds one fact with the versions that state it, and what else is told of its names.
//
// Cost: as two of Ask, and one question for each statement; up to twelve texts are read again for the sentence that states it.
func (d *FactDesk) Fact(ctx context.Context, collections, relation, role, subject, object string) (*FactPage, error) {
	op := "find that " + subject + " " + relation + " " + object
	for _, name := range []string{relation, subject, object} {
		if err := askable(name); err != nil {
			return nil, err
		}
	}
	if err := d.have(ctx, collections); err != nil {
		return nil, err
	}
	var t told
	for _, name := range []string{subject, object} {
		one := t
		one.count, one.merger = nil, nil
		if err := d.collect(ctx, collections, fulltext.Query{}, name, &one); err != nil {
			return nil, err
		}
		t.join(&one)
	}
	found, report, err := d.clean(ctx, &t)
	if err != nil {
		return nil, err
	}
	out := &FactPage{Others: []ToldFact{}, Against: []ToldFact{}, Limits: append([]string{}, t.limits(report)...)}
	this := -1
	all := append(slices.Clone(found), report.Denied...)
	for i, f := range all {
		straight := strings.EqualFold(f.Subject, subject) && strings.EqualFold(f.Object, object)
		turned := strings.EqualFold(f.Subject, object) && strings.EqualFold(f.Object, subject)
		if f.Relation == relation && f.Role == role && (straight || turned && t.symmetric(relation)) {
			this = i
			break
		}
	}
	if this < 0 {
		return nil, &varve.Error{Kind: varve.NotFound, Op: op, Msg: "no version that may be seen states it", Hint: "names are written as texts write them; /api/facts?of=NAME lists what is told of one"}
	}
	out.ToldFact, out.Believed = t.fact(&all[this]), len(all[this].Observations) > 0
	for i, f := range all {
		shares := f.Subject == out.Subject || f.Object == out.Object || f.Subject == out.Object || f.Object == out.Subject
		if i == this || f.Relation != out.Relation || !shares || len(out.Others) >= factOthers {
			continue
		}
		one := t.fact(&f)
		out.Others = append(out.Others, one)
		if d.contradict(ctx, &t, &all[this], &f) {
			out.Against = append(out.Against, one)
		}
	}
	return out, d.passages(ctx, collections, out)
}

// join adds what was collected for another name: what both say is the same.
func (t *told) join(other *told) {
	if t.merger == nil {
		*t = *other
		return
	}
	for _, o := range other.merger.Observations() {
		key := statementOf(&o)
		if _, known := t.count[key]; !known {
			t.count[key] = other.count[key]
			t.merger.Add(o, 4*factValues)
		}
	}
	for _, name := range other.in {
		if !slices.Contains(t.in, name) {
			t.in = append(t.in, name)
		}
	}
	t.versions, t.more = max(t.versions, other.versions), t.more || other.more
}

// contradict reports whether something of two facts must be given up for them to stand beside each other.
func (d *FactDesk) contradict(ctx context.Context, t *told, a, b *fact.Fact) bool {
	both := slices.Concat(a.Observations, a.Rejected, b.Observations, b.Rejected)
	_, report, err := fact.Clean(ctx, t.relations, both, clean.Options{})
	if err != nil {
		return false
	}
	for _, one := range []*fact.Fact{a, b} {
		_, alone, err := fact.Clean(ctx, t.relations, slices.Concat(one.Observations, one.Rejected), clean.Options{})
		if err != nil {
			return false
		}
		report.Rejected -= alone.Rejected
	}
	return report.Rejected > 0
}

// passages adds the versions that make each statement, the oldest first, with the sentence.
func (d *FactDesk) passages(ctx context.Context, collections string, p *FactPage) error {
	read := 0
	for i := range p.Statements {
		s := &p.Statements[i]
		value := annotate.FactValue{Observation: fact.Observation{Relation: p.Relation, Role: p.Role, Subject: p.Subject, Object: p.Object, Aspect: s.Aspect, Time: s.Time}}
		q := fulltext.Query{Text: condition(value.Prefix()), Limit: factPassages, Sort: fulltext.ByOldest}
		a, err := Ask(ctx, d.Texts, collections, q)
		if err != nil {
			return err
		}
		for _, h := range a.Hits {
			one := FactPassage{Hit: h}
			if read++; read <= factRead {
				if err := d.sentence(ctx, p, s, &one); err != nil {
					return err
				}
			}
			s.Passages = append(s.Passages, one)
		}
	}
	return nil
}

// sentence reads the text of a version again and finds the sentence that makes a statement.
func (d *FactDesk) sentence(ctx context.Context, p *FactPage, s *FactStatement, to *FactPassage) error {
	sources, err := d.Texts.Sources(ctx, to.Collection)
	if err != nil || len(sources) == 0 {
		return err
	}
	list, err := sources[0].Index.Versions(to.SURT, sources[0].View, maxVersions)
	i := slices.IndexFunc(list, func(v derive.VersionRow) bool { return v.From.Equal(to.From) })
	if err != nil || i < 0 {
		return err
	}
	v := &list[i]
	text := v.Text
	if len(text) > factText {
		text = strings.ToValidUTF8(text[:factText], "")
	}
	relations, err := d.relationsOf(to.Collection)
	if err != nil {
		return err
	}
	date := v.Dated
	if date.IsZero() {
		date = v.From
	}
	doc, err := language.New().Analyse(ctx, language.Text{Text: text, Language: v.Language, Date: date}, fact.Units()...)
	if err != nil {
		return ctx.Err() // without its sentence
	}
	candidates, _ := fact.Candidates(doc, text, fact.TopicOf(v.Title, doc), relations)
	found, err := fact.Label(ctx, relations, candidates, nil, fact.Default())
	if err != nil {
		return ctx.Err()
	}
	for _, o := range found {
		if states(&o, p, s) && len(o.Evidence) > 0 {
			e := o.Evidence[0]
			to.Sentence, to.Before = text[e.Start:e.End], text[max(0, e.Start-100):e.Start]
			return nil
		}
	}
	return d.row(ctx, p, s, to, v, relations)
}

// states reports whether an observation of a text makes a statement. Which entity a name means is not found again: any name can be that of one.
func states(o *fact.Observation, p *FactPage, s *FactStatement) bool {
	is := func(name, asked string) bool {
		_, _, linked := annotate.ParseEntityValue(asked)
		return linked || name == asked
	}
	return o.Relation == p.Relation && o.Role == p.Role && is(o.Subject, p.Subject) && is(o.Object, p.Object) && o.Aspect == s.Aspect && o.Time == s.Time
}

// row reads the page of a version again and finds the row of an infobox, a table or a list that makes a statement.
func (d *FactDesk) row(ctx context.Context, p *FactPage, s *FactStatement, to *FactPassage, v *derive.VersionRow, relations []fact.Relation) error {
	if d.Contents == nil {
		return nil
	}
	c, err := d.Contents.Content(ctx, to.Collection, holdings.IndexedCapture{Key: v.SURT, Capture: varve.Capture{URL: v.URL, Digest: v.Digest, Location: varve.Location{File: v.File, Offset: v.Offset}}}, factPageBytes)
	if err != nil {
		return ctx.Err() // without it
	}
	for _, o := range annotate.Harvest(annotate.Content{URL: v.URL, MIME: c.MIME, Body: c.Body}, v.Title, relations) {
		if states(&o, p, s) {
			to.Sentence, to.InRow = o.Evidence[0].Said, o.Evidence[0].Pattern
			return nil
		}
	}
	return nil
}

// Span returns from when to when a fact can hold, and surely does; zero where it is not known. Where its begin is not told it is the first time at which it is said to hold, and for its end the last.
func (f *ToldFact) Span() (from, sureFrom, sureTo, to time.Time) {
	at := func(d entity.Day) time.Time {
		if d == entity.Unknown {
			return time.Time{}
		}
		return d.Time()
	}
	from, sureFrom, sureTo, to = at(f.Begin.Earliest), at(f.Begin.Latest), at(f.End.Earliest), at(f.End.Latest)
	for _, s := range f.Statements {
		if !s.Time.Known() || s.Contradicted && slices.ContainsFunc(f.Statements, func(s FactStatement) bool { return !s.Contradicted }) {
			continue
		}
		first, last := s.Time.First.Time(), (s.Time.Last + 1).Time()
		if f.Begin.Earliest == entity.Unknown && (from.IsZero() || first.Before(from)) {
			from = first
		}
		if f.End.Latest == entity.Unknown && last.After(to) {
			to = last
		}
	}
	return from, sureFrom, sureTo, to
}

// LiveFacts are the facts of one page, found while it is asked for.
type LiveFacts struct {
	Title    string     `json:"title,omitempty"`
	URL      string     `json:"url,omitempty"`
	Topic    string     `json:"topic,omitempty"` // what the page is about; "" where that is not known
	Facts    []ToldFact `json:"facts"`
	Against  []ToldFact `json:"alternatives"` // that contradict these
	Rejected int        `json:"rejected"`
	Limits   []string   `json:"limits"`
}

// Live finds the facts of a page that somebody gives: in its sentences, and in its infoboxes, tables and lists. collection names the relations that are looked for; "" those of the program.
func (d *FactDesk) Live(ctx context.Context, in annotate.Content, collection string) (*LiveFacts, error) {
	relations, err := fact.Relations()
	if collection != "" && err == nil {
		relations, err = d.relationsOf(collection)
	}
	if err != nil {
		return nil, err
	}
	read, err := annotate.Analyse(ctx, in, derive.Options{}, fact.Units())
	if err != nil {
		return nil, err
	}
	topic := fact.TopicOf(read.Title, read.Document)
	found, report, err := fact.Find(ctx, read.Document, read.Text, in.URL, topic, relations, fact.Default(), annotate.Harvest(in, read.Title, relations)...)
	if err != nil {
		return nil, err
	}
	out := &LiveFacts{Title: read.Title, URL: in.URL, Topic: topic.Name, Facts: []ToldFact{}, Against: []ToldFact{}, Rejected: report.Rejected, Limits: append([]string{}, report.Limits()...)}
	for _, m := range read.Missing {
		if !slices.Contains(out.Limits, m.Why) {
			out.Limits = append(out.Limits, m.Why)
		}
	}
	title := map[string]string{}
	for _, r := range relations {
		title[r.Name] = r.Title
	}
	one := func(f *fact.Fact) ToldFact {
		told := ToldFact{Relation: f.Relation, Role: f.Role, Title: fact.Titled(title[f.Relation], f.Role), Subject: f.Subject, Object: f.Object, Begin: f.Begin, End: f.End, Confidence: f.Confidence, Statements: []FactStatement{}}
		add := func(list []fact.Observation, contradicted bool) {
			for _, o := range list {
				s := FactStatement{Aspect: o.Aspect, Time: o.Time, Confidence: o.Confidence, Versions: 1, Contradicted: contradicted}
				for _, e := range o.Evidence {
					s.Passages = append(s.Passages, FactPassage{Sentence: cmp.Or(e.Said, read.Text[e.Start:e.End])})
				}
				told.Statements = append(told.Statements, s)
			}
		}
		add(f.Observations, false)
		add(f.Rejected, true)
		return told
	}
	for i := range found {
		out.Facts = append(out.Facts, one(&found[i]))
	}
	for i := range report.Denied {
		out.Against = append(out.Against, one(&report.Denied[i]))
	}
	return out, nil
}
