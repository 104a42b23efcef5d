// Package annotate finds what the texts of captures say, unit by unit (varve/language), and writes tables of it: mappers and jobs of derive, for
// collections that ask for them ([analyse] in collection.toml, varve derive --units).
//
//	DIR/texts/<file>.parquet     one row per text: language, sentences, tokens, how much of it was looked at, which units do not know its language
//	DIR/mentions/<file>.parquet  one row per name in a text: place, type, confidence; facets person, place, organisation
//	DIR/times/<file>.parquet     one row per expression of time: place, type, values, from when to when; facet when
//	DIR/terms/<file>.parquet     one row per place of a term: what the text is about; facet term
//	DIR/opinions/<file>.parquet  one row per sentence that judges, and per name in it; facet opinion, which is a number
//	DIR/quality/<file>.parquet   one row per text: the share of its words that a dictionary has; facet quality, which is a number
//	DIR/events/<file>.parquet    one row per event: who did what to whom, when and where; facet event
//	DIR/phrases/<file>.parquet   one row per noun, noun phrase or name: place, key, whether it goes on with a list (varve/evolution reads them)
//	DIR/entities/<file>.parquet  one row per name in a text: which entity of a base it means, and how sure that is; facets entity, called (Linker)
//	DIR/types/<file>.parquet     one row per name in a text: what kinds of things it is; facet type (TypesJob)
//	DIR/facts/<file>.parquet     one row per sentence that tells when a fact began, ended or held: relation, subject, object, time; facet fact (FactsJob)
//	DIR/pictures/<file>.parquet  one row per picture: size, what it is recognised by, colours, EXIF (PictureJobs, which needs no text)
//	DIR/objects/<file>.parquet   one row per web object (post, comment, article) on a capture: who wrote what when; facets application, author (ObjectsJob)
//	DIR/relevance/<file>.parquet one row per text and definition of a crawl: how near it is to what the crawl is about; facet relevance, which is a number (RelevanceJob)
//	DIR/captions/<file>.parquet  one row per picture on a page: its address, and what the page says of it
//	DIR/shows/<file>.parquet     one row per picture on a page that somebody labelled, or a model that learned from the labels; facet shows (Shows)
//
// A text is that of a page version: the column text of pages, in which places are counted in bytes. A version that a file shows several times has its
// rows once, at its first capture there; surt and state find them from versions.parquet. Facets are written for every
// capture, since any of them may begin a version.
//
// Each unit is a mapper of its own, so its time is told apart, and one that fails or takes too long stops no other. They share the reading of a
// text (scan.Share), in which lower units are made once. Revisits have no text and cost nothing; a text that was met before in the same
// run, at whatever address, is not analysed again as long as it is remembered (memory).
//
// How to add a unit: its job in Jobs (and its facets), its mapper in Mapper, its rows in docs/formats/derivatives.md.
package annotate

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"time"

	"varve/archive/scan"
	"varve/derive"
	"varve/derive/job"
	"varve/fact"
	"varve/language"
)

// Limits of one unit on one text. A text of 1 MiB takes about 3 s and 100 MB.
var limits = scan.Limits{Time: 30 * time.Second, Memory: 512 << 20}

// Jobs returns the jobs of units, and of those that they are made from, and the facets that they fill: for derive.Options.More and Facets.
func Jobs(units []language.Unit) (jobs []job.Job, facets []derive.FacetTable) {
	wanted := map[language.Unit]bool{}
	var want func(u language.Unit)
	want = func(u language.Unit) {
		wanted[u] = true
		for _, n := range u.Needs() {
			want(n)
		}
	}
	for _, u := range units {
		want(u)
	}
	for _, u := range language.Units() {
		if !wanted[u] {
			continue
		}
		j := job.Job{Name: string(u), Version: versions[u], Mark: "model=" + u.Model(), Scan: &job.Scan{Mapper: Mapper(string(u)), Open: openNothing}}
		switch u {
		case language.Sentences:
			j.Scan.Open = open("texts", textRow, nil)
		case language.Mentions:
			j.Scan.Open = open("mentions", mentionRows, &mentionFacets)
			facets = append(facets, mentionFacets)
		case language.Times:
			j.Scan.Open = open("times", timeRows, &timeFacets)
			facets = append(facets, timeFacets)
		case language.Terms:
			j.Scan.Open = open("terms", termRows, &termFacets)
			facets = append(facets, termFacets)
		case language.Opinions:
			j.Scan.Open = open("opinions", opinionRows, &opinionFacets)
			facets = append(facets, opinionFacets)
		case language.Quality:
			j.Scan.Open = open("quality", qualityRows, &qualityFacets)
			facets = append(facets, qualityFacets)
		case language.Events:
			j.Scan.Open = open("events", eventRows, &eventFacets)
			facets = append(facets, eventFacets)
		case language.Phrases:
			j.Scan.Open = open("phrases", phraseRows, nil)
		}
		jobs = append(jobs, j)
	}
	return jobs, facets
}

// versions count changes of what the tables hold, beside changes of the models, which are seen.
var versions = map[language.Unit]int{language.Sentences: 1, language.Tags: 1, language.Mentions: 2, language.Times: 1, language.Terms: 1, language.Opinions: 2, language.Quality: 1, language.Events: 1, language.Phrases: 2}

// Mapper returns the mapper of a unit; nil if there is none of the name. Workers ask for it.
func Mapper(name string) *scan.Mapper {
	switch u := language.Unit(name); u {
	case pictures:
		return picturesMapper()
	case captions:
		return captionsMapper()
	case shows:
		return showsMapper()
	case Types:
		return typesMapper()
	case language.Sentences:
		return mapper(u, lengthsOf)
	case language.Tags:
		return mapper(u, func(*language.Reading) (struct{}, int) { return struct{}{}, 0 })
	case language.Mentions:
		return mapper(u, mentionsOf)
	case language.Times:
		return mapper(u, timesOf)
	case language.Terms:
		return mapper(u, termsOf)
	case language.Opinions:
		return mapper(u, opinionsOf)
	case language.Quality:
		return mapper(u, qualityOf)
	case language.Events:
		return mapper(u, eventsOf)
	case language.Phrases:
		return mapper(u, phrasesOf)
	}
	return nil
}

// Found is what a mapper finds in the text of a capture.
type Found[T any] struct {
	State string // of the page: VersionRow.State
	What  T
}

// mapper makes a unit of the texts of captures. take returns what is kept of a reading, and about how many bytes that is.
func mapper[T any](u language.Unit, take func(*language.Reading) (what T, size int)) *scan.Mapper {
	m := scan.Mapper{Name: string(u), Needs: []string{"pages"}}
	for _, n := range u.Needs() {
		m.Needs = append(m.Needs, string(n))
	}
	key := func(_ *scan.Item, s *shared) digest { return s.text }
	if u.Dated() {
		key = func(_ *scan.Item, s *shared) digest { return s.dated }
	}
	return textMapper(m, []language.Unit{u}, key, func(_ context.Context, s *shared) (T, int, error) {
		what, size := take(s.reading)
		return what, size, nil
	})
}

// textMapper makes a mapper of texts that needs units. take returns what is kept of a text, and about how many bytes that is; it depends on key alone.
func textMapper[T any](m scan.Mapper, units []language.Unit, key func(*scan.Item, *shared) digest, take func(context.Context, *shared) (what T, size int, err error)) *scan.Mapper {
	m.Limits, m.Trusted = limits, scan.Plain
	met := newMemory[T](remembered)
	return scan.New(m, func() func(context.Context, *scan.Item) (*Found[T], error) {
		a := language.New()
		return func(ctx context.Context, it *scan.Item) (*Found[T], error) {
			s := scan.Share(it, sharedKey{}, func() *shared { return read(it) })
			if s == nil || slices.ContainsFunc(units, func(u language.Unit) bool { return u.Known(s.language) != nil }) {
				return nil, nil
			}
			k := key(it, s)
			if what, ok := met.find(k); ok {
				return &Found[T]{s.state, what}, nil
			}
			for _, u := range units {
				if err := a.Do(ctx, s.reading, u); err != nil {
					return nil, err
				}
			}
			what, size, err := take(ctx, s)
			if err != nil {
				return nil, err
			}
			met.add(k, what, size)
			return &Found[T]{s.state, what}, nil
		}
	})
}

// shared is the reading of an item that the mappers of all units have in common.
type shared struct {
	reading  *language.Reading
	content  string // the text
	title    string
	date     time.Time
	language string
	state    string
	text     digest             // of language and text
	dated    digest             // and of the date of the document
	rows     []fact.Observation // what the rows of the page say, for facts
}

type sharedKey struct{}

// read begins the reading of a capture; nil if it shows no text that a version could have.
func read(it *scan.Item) *shared {
	row, ok := it.Result("pages").(*derive.Row)
	if !ok || row.Page.Text == "" || row.Page.Status >= 300 {
		return nil
	}
	p := &row.Page
	r, err := language.Read(language.Text{Text: p.Text, Language: p.Language, Date: dateOf(p)})
	if err != nil {
		return nil // pages keeps no longer texts
	}
	text := digest(sha256.Sum256([]byte(p.Language + "\x00" + p.Text)))
	dated := digest(sha256.Sum256(append(text[:], dateOf(p).UTC().Format(time.RFC3339Nano)...)))
	return &shared{r, p.Text, p.Title, dateOf(p), p.Language, p.State(), text, dated, nil}
}

// dateOf returns the date of a document: what it or its server says, else when it was captured.
func dateOf(p *derive.PageRow) time.Time {
	if !p.Dated.IsZero() {
		return p.Dated
	}
	return p.Time
}

// Version says of which version of a page a row is, and where that was met. It begins every row.
type Version struct {
	URL    string    `parquet:"url,zstd,dict"`
	SURT   string    `parquet:"surt,zstd,dict"`
	Time   time.Time `parquet:"time,timestamp(microsecond),delta"`
	State  string    `parquet:"state,zstd,dict"`
	Offset int64     `parquet:"offset,delta"` // of the record in the file
}

// rows makes rows, and the values of facets, of what was found in a text.
type rows[T, R any] func(v Version, what T) ([]R, []derive.FacetValue)

// open makes the Open of a job that writes a table, and facets if there are some.
func open[T, R any](table string, make rows[T, R], facets *derive.FacetTable) func(*job.Task) (job.Sink, error) {
	return func(t *job.Task) (job.Sink, error) {
		s := &sink[T, R]{make: make, seen: map[digest]bool{}}
		var err error
		if s.out, err = derive.NewTable[R](t, table); err == nil && facets != nil {
			s.facets, err = facets.Create(t)
		}
		return s, err
	}
}

// sink writes the rows of one file.
type sink[T, R any] struct {
	out    *derive.Table[R]
	facets *derive.FacetWriter // nil for none
	make   rows[T, R]
	seen   map[digest]bool // versions that have their rows
}

// Take writes the rows of a version that is new, and the facets of every capture.
func (s *sink[T, R]) Take(t *scan.Taken) error {
	found, ok := t.Result.(*Found[T])
	if !ok {
		return nil // what failed is in the list of failures
	}
	v := Version{t.URI, t.Note.CDX.Key, t.Time.UTC().Truncate(time.Microsecond), found.State, t.Offset}
	list, values := s.make(v, found.What)
	if s.facets != nil {
		if err := s.facets.Put(t, values); err != nil {
			return err
		}
	}
	key := digest(sha256.Sum256([]byte(v.SURT + "\x00" + v.State)))
	if s.seen[key] {
		return nil
	}
	s.seen[key] = true
	for i := range list {
		if err := s.out.Add(list[i], 200); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the tables.
func (s *sink[T, R]) Close() error {
	err := s.out.Close()
	if s.facets != nil {
		err = errors.Join(err, s.facets.Close())
	}
	return err
}

// nothing is the sink of a unit that others are made from and that has no table.
type nothing struct{}

func openNothing(*job.Task) (job.Sink, error) { return nothing{}, nil }

// Take does nothing.
func (nothing) Take(*scan.Taken) error { return nil }

// Close does nothing.
func (nothing) Close() error { return nil }

// Lengths are the counts of a text.
type Lengths struct {
	Language  string
	Sentences int32
	Tokens    int32
	Analysed  int32
}

func lengthsOf(r *language.Reading) (Lengths, int) {
	out := Lengths{Language: r.Language, Sentences: int32(len(r.Sentences)), Analysed: int32(r.Analysed)}
	for _, s := range r.Sentences {
		out.Tokens += int32(len(s.Tokens))
	}
	return out, 16
}

// TextRow is a row of texts.
type TextRow struct {
	Version
	Language  string   `parquet:"language,dict"`
	Sentences int32    `parquet:"sentences"`
	Tokens    int32    `parquet:"tokens"`
	Analysed  int32    `parquet:"analysed"`     // bytes of the text that were looked at
	Missing   []string `parquet:"missing,dict"` // units that do not know the language
}

func textRow(v Version, l Lengths) ([]TextRow, []derive.FacetValue) {
	row := TextRow{Version: v, Language: l.Language, Sentences: l.Sentences, Tokens: l.Tokens, Analysed: l.Analysed}
	for _, u := range language.Units() {
		if u.Known(l.Language) != nil {
			row.Missing = append(row.Missing, string(u))
		}
	}
	return []TextRow{row}, nil
}

// Unknown counts the texts of languages that a unit does not know.
type Unknown struct {
	Unit      string           `json:"unit"`
	Texts     int64            `json:"texts"`
	Languages map[string]int64 `json:"languages"` // "" is a text too short to tell
}

// Coverage is how many texts there are in the tables of a folder of derivatives, and how many of them units do not know the language of.
type Coverage struct {
	Texts   int64     `json:"texts"`
	Unknown []Unknown `json:"unknown,omitempty"` // by unit, of those that were asked for
}

// Covered reads the tables of texts that jobs make; nil if none of them does.
func Covered(dir string, parts []job.Part, jobs []job.Job) (*Coverage, error) {
	at := map[string]*Unknown{}
	i := slices.IndexFunc(jobs, func(j job.Job) bool { return j.Name == string(language.Sentences) })
	if i < 0 {
		return nil, nil
	}
	out := &Coverage{}
	for _, p := range parts {
		path, ok := job.Table(dir, jobs[i], p, "texts")
		if !ok {
			continue
		}
		err := derive.Rows(path, func(r *TextRow) (bool, error) {
			out.Texts++
			for _, j := range jobs {
				if language.Unit(j.Name).Known(r.Language) == nil {
					continue
				}
				if at[j.Name] == nil {
					at[j.Name] = &Unknown{Unit: j.Name, Languages: map[string]int64{}}
				}
				at[j.Name].Texts++
				at[j.Name].Languages[r.Language]++
			}
			return true, nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	for _, j := range jobs {
		if u := at[j.Name]; u != nil {
			out.Unknown = append(out.Unknown, *u)
		}
	}
	return out, nil
}
