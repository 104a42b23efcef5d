// Package quads tells what is known of a collection as RDF, in the words of kb/model: from its catalogue, the reports of its crawls and the tables
// that derive made.
//
//	graph of the collection     title, purpose, rights; files with digests; packages of OAIS (what was imported, what was given out)
//	graph of each crawl         when, seeds, whether it is complete; verdicts of coherence, if they were measured
//	graph of each version       address, validity, how often it was seen: the graph is named after its captures
//	graph of each capture       address, time, status, type, digest, where it lies; what was found in its text: mentions of names, terms and times,
//	                            opinions, events, facts with what sentences state of them
//
// A graph is named after what its statements were taken from, so that whoever may not see that can be kept from them (serve). For this reason a capture
// does not tell addresses of others, such as where it redirects to, and the end of a version stands in a graph of its own.
//
// Quads come file by file and table by table as rows are read: memory is that of a row group, and the same collection gives the same quads in the same
// order. Nothing is a blank node, so loading twice is loading once.
package quads

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/coherence/report"
	"varve/crawl"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/kb/model"
	"varve/kb/rdf"
	"varve/language"
	"varve/language/mention"
	"varve/text/layer"
)

// Export is what is told of a collection.
type Export struct {
	Collection *catalog.Collection
	Dir        string // of the derivatives

	// After a reading: how many files have no table of captures, and which tables of what texts say are not there for how many files.
	NoPages int
	Absent  map[language.Unit]int
}

// Quads returns all statements. The first error ends them.
func (e *Export) Quads(ctx context.Context) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		e.NoPages, e.Absent = 0, map[language.Unit]int{}
		t := &teller{ctx: ctx, collection: e.Collection.Name, yield: yield}
		if err := e.tell(t); err != nil && !t.stopped {
			yield(rdf.Quad{}, fmt.Errorf("export of %s: %w", e.Collection.Name, err))
		}
	}
}

// errStopped ends a reading whose reader wants no more.
var errStopped = errors.New("stopped")

func (e *Export) tell(t *teller) error {
	files, err := e.Collection.Files()
	if err != nil {
		return err
	}
	parts, err := derive.Parts(files)
	if err != nil {
		return err
	}
	crawls, err := e.Collection.Crawls()
	if err != nil {
		return err
	}
	if err := e.tellCollection(t, files); err != nil {
		return err
	}
	for _, id := range crawls {
		if err := e.tellCrawl(t, id); err != nil {
			return err
		}
	}
	if err := e.tellVersions(t); err != nil {
		return err
	}
	for _, p := range parts {
		if err := e.tellFile(t, p); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}

// teller says statements of one subject after the other in one graph after the other.
type teller struct {
	ctx        context.Context
	collection string
	yield      func(rdf.Quad, error) bool
	stopped    bool
	graph      rdf.Term
}

// say tells a statement about a subject. Errors are sticky: ended tells them.
func (t *teller) say(s rdf.Term, property string, o rdf.Term) {
	if t.stopped || o.Kind == rdf.Literal && o.Value == "" {
		return
	}
	t.stopped = !t.yield(rdf.Quad{Triple: rdf.Triple{Subject: s, Predicate: model.IRI(property), Object: o}, Graph: t.graph}, nil)
}

// is tells the class of a subject.
func (t *teller) is(s rdf.Term, class string) {
	if !t.stopped {
		t.stopped = !t.yield(rdf.Quad{Triple: rdf.Triple{Subject: s, Predicate: rdf.NewIRI(rdf.Type), Object: model.IRI(class)}, Graph: t.graph}, nil)
	}
}

func (t *teller) ended() error {
	if t.stopped {
		return errStopped
	}
	return t.ctx.Err()
}

// The values of properties. No value is an empty literal, which is not told.

func text(s string) rdf.Term { return rdf.NewString(strings.ToValidUTF8(s, "\uFFFD")) }

func address(url string) rdf.Term {
	return rdf.NewLiteral(strings.ToValidUTF8(url, "\uFFFD"), rdf.XSD+"anyURI")
}

func number(n int64) rdf.Term { return rdf.NewLiteral(strconv.FormatInt(n, 10), rdf.Integer) }

func share(f float32) rdf.Term {
	return rdf.NewLiteral(strconv.FormatFloat(float64(f), 'g', -1, 32), rdf.Double)
}

func truth(b bool) rdf.Term { return rdf.NewLiteral(strconv.FormatBool(b), rdf.Boolean) }

func instant(at time.Time) rdf.Term {
	if at.IsZero() {
		return rdf.NewLiteral("", rdf.DateTime)
	}
	return rdf.NewLiteral(at.UTC().Format("2006-01-02T15:04:05.999999999Z"), rdf.DateTime)
}

func (e *Export) name(kind model.NameKind, local string) rdf.Term {
	return model.Name{Kind: kind, Collection: e.Collection.Name, Local: local}.IRI()
}

func (e *Export) tellCollection(t *teller, files []catalog.File) error {
	self := e.name(model.OfCollection, "")
	t.graph = self
	t.is(self, "Collection")
	t.say(self, "name", text(e.Collection.Name))
	plan, err := crawl.ReadPlan(e.Collection)
	if err == nil {
		t.say(self, "title", text(cmp.Or(plan.Metadata.Title, plan.Title)))
		t.say(self, "purpose", text(cmp.Or(plan.Metadata.Description, plan.Purpose)))
		for _, r := range plan.Metadata.Rights {
			t.say(self, "rights", text(r))
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	objects, err := fixity.Objects(e.Collection)
	if err != nil {
		return err
	}
	digests, err := fixity.Known(e.Collection)
	if err != nil {
		return err
	}
	for _, f := range files {
		i := slices.IndexFunc(objects, func(o fixity.Object) bool { return o.Path == f.Path })
		if i < 0 {
			continue // it came while we looked
		}
		file := e.name(model.OfFile, f.Name)
		t.is(file, "File")
		t.say(file, "collection", self)
		t.say(file, "name", text(f.Name))
		t.say(file, "size", number(objects[i].Size))
		if d := digests[objects[i].File]; d != "" {
			t.say(file, "digest", text("sha256:"+d))
		}
	}
	events, _ := e.Collection.Events()
	for i, event := range events {
		class := map[string]string{"ingestion": "SubmissionPackage", "replication": "DisseminationPackage"}[event.Type]
		if class == "" {
			continue
		}
		self := e.name(model.OfPackage, strconv.Itoa(i+1))
		t.is(self, class)
		t.say(self, "collection", t.graph)
		t.say(self, "time", instant(event.Time))
		for _, o := range event.Objects {
			t.say(self, "name", text(filepath.Base(o)))
		}
	}
	return t.ended()
}

func (e *Export) tellCrawl(t *teller, id string) error {
	dir, err := e.Collection.CrawlDir(id)
	if err != nil {
		return err
	}
	self := e.name(model.OfCrawl, id)
	t.graph = self
	t.is(self, "Crawl")
	t.say(self, "name", text(id))
	t.say(self, "collection", e.name(model.OfCollection, ""))
	switch def, err := crawl.ReadDefinition(dir); {
	case err == nil:
		for _, s := range def.Seeds {
			t.say(self, "seed", address(s))
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	switch rep, err := crawl.ReadReport(dir); {
	case err == nil:
		t.say(self, "started", instant(rep.Started))
		t.say(self, "ended", instant(rep.Ended))
		t.say(self, "complete", truth(rep.Complete))
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("report of %s: %w", id, err)
	}
	return e.tellCoherence(t, dir, self)
}

// tellCoherence tells how many pages of a crawl have which verdict, and the verdicts of pages with defects: as many as the report lists.
func (e *Export) tellCoherence(t *teller, dir string, of rdf.Term) error {
	b, err := os.ReadFile(filepath.Join(dir, "coherence.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return t.ended()
	}
	var rep report.Report
	if err == nil {
		err = json.Unmarshal(b, &rep)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Join(dir, "coherence.json"), err)
	}
	t.say(of, "referenceTime", instant(rep.Reference))
	for _, n := range layer.Names() {
		tally := rep.Layers[n]
		if tally == nil {
			continue
		}
		self := rdf.NewIRI(of.Value + "+tally." + string(n))
		t.is(self, "Tally")
		t.say(self, "crawl", of)
		t.say(self, "layer", text(string(n)))
		t.say(self, "coherent", number(tally.Coherent))
		t.say(self, "changed", number(tally.Changed))
		t.say(self, "relinked", number(tally.Links))
		t.say(self, "missing", number(tally.Missing))
		t.say(self, "unknown", number(tally.Unknown))
	}
	for i, d := range rep.Worst {
		self := rdf.NewIRI(of.Value + "+verdict." + strconv.Itoa(i+1))
		t.is(self, "Verdict")
		t.say(self, "crawl", of)
		t.say(self, "url", address(d.URL))
		t.say(self, "time", instant(d.Visit))
		t.say(self, "state", text(string(d.State)))
		t.say(self, "layer", text(string(d.Layer)))
	}
	return t.ended()
}

// versionRow is what is told of a version.
type versionRow struct {
	URL       string    `parquet:"url,zstd"`
	SURT      string    `parquet:"surt,zstd,delta"`
	From      time.Time `parquet:"from,timestamp(microsecond)"`
	Last      time.Time `parquet:"last,timestamp(microsecond)"`
	Until     time.Time `parquet:"until,optional,timestamp(microsecond)"`
	Captures  int32     `parquet:"captures"`
	MIME      string    `parquet:"mime,dict"`
	Language  string    `parquet:"language,dict"`
	Title     string    `parquet:"title,zstd"`
	Published string    `parquet:"published,dict"`
	Digest    string    `parquet:"digest,zstd"`
}

func (e *Export) tellVersions(t *teller) error {
	err := derive.Rows(filepath.Join(e.Dir, "versions.parquet"), func(r *versionRow) (bool, error) {
		capture := model.CaptureName(t.collection, r.URL, r.SURT, r.From)
		all := capture
		all.Kind, all.Until = model.OfCaptures, r.Last
		if r.Until.After(r.Last) {
			all.Until = r.Until
		}
		t.graph = all.IRI()
		version := capture
		version.Kind = model.OfVersion
		self := version.IRI()
		t.is(self, "Version")
		t.say(self, "collection", e.name(model.OfCollection, ""))
		t.say(self, "url", address(r.URL))
		t.say(self, "firstCapture", capture.IRI())
		t.say(self, "validFrom", instant(r.From))
		t.say(self, "validUntil", instant(r.Until))
		t.say(self, "lastSeen", instant(r.Last))
		t.say(self, "captures", number(int64(r.Captures)))
		t.say(self, "title", text(r.Title))
		t.say(self, "language", text(r.Language))
		t.say(self, "mediaType", text(r.MIME))
		t.say(self, "published", text(r.Published))
		t.say(self, "digest", text(r.Digest))
		return true, t.ended()
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // NoPages tells it
	}
	return err
}

// captureRow is what is told of a capture.
type captureRow struct {
	URL       string    `parquet:"url,zstd"`
	SURT      string    `parquet:"surt,zstd"`
	Time      time.Time `parquet:"time,timestamp(microsecond),delta"`
	Record    string    `parquet:"record,dict"`
	Status    int32     `parquet:"status"`
	Crawl     string    `parquet:"crawl,dict"`
	Detected  string    `parquet:"mime_detected,dict"`
	Language  string    `parquet:"language,dict"`
	Title     string    `parquet:"title,zstd"`
	Published string    `parquet:"published,dict"`
	Digest    string    `parquet:"digest,zstd"`
	Size      int64     `parquet:"size"`
	File      string    `parquet:"file,dict"`
	Offset    int64     `parquet:"offset,delta"`
}

// tellFile tells the captures of a WARC file, and what was found in their texts.
func (e *Export) tellFile(t *teller, p job.Part) error {
	pages, ok := job.Table(e.Dir, derive.Jobs(derive.Options{})[0], p, "pages")
	if !ok {
		e.NoPages++
		return t.ended()
	}
	err := derive.Rows(pages, func(r *captureRow) (bool, error) {
		self := model.CaptureName(t.collection, r.URL, r.SURT, r.Time).IRI()
		t.graph = self
		t.is(self, "Capture")
		t.say(self, "collection", e.name(model.OfCollection, ""))
		if r.Crawl != "" {
			t.say(self, "crawl", e.name(model.OfCrawl, r.Crawl))
		}
		t.say(self, "url", address(r.URL))
		t.say(self, "time", instant(r.Time))
		t.say(self, "record", text(r.Record))
		if r.Status != 0 {
			t.say(self, "status", number(int64(r.Status)))
		}
		t.say(self, "mediaType", text(r.Detected))
		t.say(self, "language", text(r.Language))
		t.say(self, "title", text(r.Title))
		t.say(self, "published", text(r.Published))
		t.say(self, "digest", text(r.Digest))
		t.say(self, "size", number(r.Size))
		t.say(self, "file", e.name(model.OfFile, r.File))
		t.say(self, "offset", number(r.Offset))
		return true, t.ended()
	})
	if err != nil {
		return err
	}
	return errors.Join(
		units(e, t, p, language.Mentions, func(r *annotate.MentionRow) {
			self := t.found(&r.Version, "Mention", "mention", r.Start, r.End)
			t.say(self, "text", text(r.Text))
			t.say(self, "confidence", share(r.Confidence))
			t.say(self, "names", t.named(classOf(r.Type), r.Text))
		}),
		units(e, t, p, language.Terms, func(r *annotate.TermRow) {
			self := t.found(&r.Version, "Mention", "term", r.Start, r.End)
			t.say(self, "text", text(r.Text))
			t.say(self, "names", t.topic(r.Key))
		}),
		units(e, t, p, language.Times, func(r *annotate.TimeRow) {
			self := t.found(&r.Version, "Mention", "time", r.Start, r.End)
			t.say(self, "text", text(r.Text))
			t.say(self, "confidence", share(r.Confidence))
			t.say(self, "earliest", instant(r.Earliest))
			t.say(self, "latest", instant(r.Latest))
		}),
		units(e, t, p, language.Opinions, func(r *annotate.OpinionRow) {
			kind := "opinion"
			if r.About != "" {
				kind = "opinion-about"
			}
			self := t.found(&r.Version, "Opinion", kind, r.Start, r.End)
			t.say(self, "score", share(r.Score))
			t.say(self, "confidence", share(r.Confidence))
			t.say(self, "quoted", truth(r.Quoted))
			t.say(self, "holder", text(r.Holder))
			if r.About != "" {
				t.say(self, "about", t.named("Entity", r.About))
			}
		}),
		units(e, t, p, language.Events, func(r *annotate.EventRow) {
			self := t.found(&r.Version, "Event", "event", r.Start, r.End)
			t.say(self, "text", text(r.Verb))
			t.say(self, "eventClass", text(r.Class))
			for _, n := range r.WhoNames {
				t.say(self, "who", t.named("Entity", n))
			}
			for _, n := range r.WhomNames {
				t.say(self, "whom", t.named("Entity", n))
			}
			t.say(self, "when", text(r.When))
			t.say(self, "earliest", instant(r.Earliest))
			t.say(self, "latest", instant(r.Latest))
			t.say(self, "where", text(r.Where))
			t.say(self, "confidence", share(r.Confidence))
		}),
		e.tellFacts(t, p),
	)
}

// units tells the rows of a unit of language; a file without a table of it is counted.
func units[R any](e *Export, t *teller, p job.Part, u language.Unit, tell func(*R)) error {
	if err := t.ended(); err != nil {
		return nil // said by the one before
	}
	jobs, _ := annotate.Jobs([]language.Unit{u})
	i := slices.IndexFunc(jobs, func(j job.Job) bool { return j.Name == string(u) })
	path, ok := job.Table(e.Dir, jobs[i], p, string(u))
	if !ok {
		e.Absent[u]++
		return nil
	}
	return derive.Rows(path, func(r *R) (bool, error) {
		tell(r)
		return true, t.ended()
	})
}

// found begins what is told of something at a place of a text.
func (t *teller) found(v *annotate.Version, class, kind string, start, end int32) rdf.Term {
	capture := model.CaptureName(t.collection, v.URL, v.SURT, v.Time)
	t.graph = capture.IRI()
	part := capture
	part.Part = fmt.Sprintf("%s.%d-%d", kind, start, end)
	self := part.IRI()
	t.is(self, class)
	t.say(self, "inCapture", t.graph)
	t.say(self, "start", number(int64(start)))
	t.say(self, "end", number(int64(end)))
	return self
}

// named tells of an entity that is of a class and has a name, and returns it.
func (t *teller) named(class, name string) rdf.Term {
	name = strings.Join(strings.Fields(name), " ")
	self := model.Entity(name)
	t.is(self, class)
	t.say(self, "name", text(name))
	return self
}

// topic tells of a topic, and returns it.
func (t *teller) topic(name string) rdf.Term {
	self := model.Topic(name)
	t.is(self, "Topic")
	t.say(self, "name", text(name))
	return self
}

// classOf is the class of what a mention of a type names.
func classOf(t string) string {
	switch mention.Type(t) {
	case mention.Person:
		return "Person"
	case mention.Location:
		return "Place"
	case mention.Organisation, mention.Group:
		return "Organisation"
	}
	return "Entity"
}
