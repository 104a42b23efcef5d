package annotate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"varve/archive/scan"
	"varve/crawl/webapp"
	"varve/derive"
	"varve/derive/job"
	"varve/page"
	"varve/web/canon"
	"varve/web/markup"
)

// Objects is the name of the unit that cuts web objects (posts, comments, articles) out of pages of applications that are known
// (crawl/webapp): it makes the table objects.
const Objects = "objects"

// objectLimits bound one page. A page of 8 MiB takes about a second.
var objectLimits = scan.Limits{Time: 20 * time.Second, Memory: 512 << 20}

// objectContent is how much of a page is looked at.
const objectContent = 8 << 20

// ObjectRow is a row of objects: one web object on one capture of a page.
type ObjectRow struct {
	Version
	Application string    `parquet:"application,dict"`
	Release     string    `parquet:"release,dict"` // of the application; "" if the page does not say
	Kind        string    `parquet:"kind,dict"`    // forum, blog, wiki
	Level       string    `parquet:"level,dict"`
	Number      int32     `parquet:"number"` // on the page, from 0
	Type        string    `parquet:"type,dict"`
	ID          string    `parquet:"id,zstd"`
	Reply       string    `parquet:"reply,zstd"`
	Title       string    `parquet:"title,zstd,dict"`
	Author      string    `parquet:"author,zstd,dict"`
	When        string    `parquet:"when,zstd"`
	Written     time.Time `parquet:"written,optional,timestamp(microsecond)"`
	Text        string    `parquet:"text,zstd"`
	Link        string    `parquet:"link,zstd"`
	Tags        []string  `parquet:"tags,dict"`
}

// Object returns the web object of a row.
func (r *ObjectRow) Object() webapp.Object {
	return webapp.Object{Type: r.Type, ID: r.ID, Reply: r.Reply, Title: r.Title, Author: r.Author, When: r.When, Time: r.Written, Text: r.Text, Link: r.Link, Tags: r.Tags}
}

// ObjectsFound is what a page of an application has.
type ObjectsFound struct {
	State       string
	Application string
	Release     string
	Kind        string
	Level       string
	List        []webapp.Object
	Left        int // beyond what a page may have
}

var objectFacets = derive.FacetTable{Job: Objects, Facets: []derive.Facet{
	{Name: "application", Title: "Application", Kind: derive.FacetNames, Most: 3},
	{Name: "author", Title: "Author", Kind: derive.FacetNames, Most: 20},
}}

// WebappFolder is where the knowledge files of a collection are, in its folder.
const WebappFolder = "webapp"

// objectConfig is what a worker needs to make the mapper: the knowledge files of the collection.
type objectConfig struct {
	Names   []string
	Sources []string
}

// ReadKnowledge returns what is known of applications in a collection: what comes with the program, and before it the files of its own.
func ReadKnowledge(collection string) (*webapp.Knowledge, error) {
	c, err := readObjectConfig(collection)
	if err != nil {
		return nil, err
	}
	return c.knowledge()
}

func readObjectConfig(collection string) (c objectConfig, err error) {
	dir := os.DirFS(collection)
	if c.Names, err = fs.Glob(dir, WebappFolder+"/*.toml"); err != nil {
		return c, err
	}
	for _, name := range c.Names {
		src, err := fs.ReadFile(dir, name)
		if err != nil {
			return c, err
		}
		c.Sources = append(c.Sources, string(src))
	}
	return c, nil
}

func (c *objectConfig) knowledge() (*webapp.Knowledge, error) {
	var own []*webapp.Application
	var errs []error
	for i, name := range c.Names {
		a, err := webapp.Parse(name, []byte(c.Sources[i]))
		own, errs = append(own, a), append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return webapp.Default().With(own...), nil
}

// ObjectsJob returns the job of the unit Objects for a collection, and the facets that it fills: for derive.Options.
func ObjectsJob(collection string) (j job.Job, facets derive.FacetTable, err error) {
	c, err := readObjectConfig(collection)
	if err != nil {
		return j, facets, err
	}
	k, err := c.knowledge()
	if err != nil {
		return j, facets, err
	}
	return job.Job{
		Name: Objects, Version: 1, Mark: "knowledge=" + k.Digest(),
		Scan: &job.Scan{Mapper: objectsMapper(c, k), Open: openObjects},
	}, objectFacets, nil
}

// ObjectsMapper makes the mapper from its configuration. Workers ask for it.
func ObjectsMapper(config []byte) (*scan.Mapper, error) {
	var c objectConfig
	if err := json.Unmarshal(config, &c); err != nil {
		return nil, err
	}
	k, err := c.knowledge()
	if err != nil {
		return nil, err
	}
	return objectsMapper(c, k), nil
}

func objectsMapper(c objectConfig, k *webapp.Knowledge) *scan.Mapper {
	m := scan.Mapper{Name: Objects, Needs: []string{"pages"}, Config: c, Limits: objectLimits, Wants: wantsCaptions, Trusted: scan.Plain}
	return scan.New(m, func() func(context.Context, *scan.Item) (*ObjectsFound, error) {
		pages, reader := page.NewReader(), k.NewReader()
		return func(_ context.Context, it *scan.Item) (*ObjectsFound, error) {
			row, ok := it.Result("pages").(*derive.Row)
			if !ok || row.Page.Detected != "text/html" && row.Page.Detected != "application/xhtml+xml" {
				return nil, nil
			}
			body, _, err := it.ContentUpTo(objectContent)
			if err != nil && len(body) == 0 || len(k.Marked(body)) == 0 {
				return nil, nil // pages says why it could not be read
			}
			u, err := canon.Parse(it.URI)
			if err != nil {
				return nil, nil
			}
			if _, err := pages.Read(page.Input{URL: it.URI, MIME: it.ContentType(), Body: body}, page.Want{Brief: true, With: []markup.Subscriber{reader}}); err != nil {
				return nil, err
			}
			var header func(string) string
			if it.Head != nil {
				header = it.Head.Header.Get
			}
			s := reader.Sight(u, header)
			if s == nil {
				return nil, nil
			}
			found := &ObjectsFound{State: row.Page.State(), Application: s.App.Name, Release: s.Version, Kind: s.App.Kind, Level: s.LevelName()}
			found.List, found.Left = s.Extract(u, reader.Root())
			return found, nil
		}
	})
}

// openObjects makes what writes the objects of a file. Every capture has its rows: a comment may be edited or deleted where the main text,
// by which versions are told apart, stays the same. Answers that did not change are revisits, which have none.
func openObjects(t *job.Task) (job.Sink, error) {
	out, err := derive.NewTable[ObjectRow](t, Objects)
	if err != nil {
		return nil, err
	}
	facets, err := objectFacets.Create(t)
	return &objectSink{t, out, facets}, err
}

type objectSink struct {
	task   *job.Task
	out    *derive.Table[ObjectRow]
	facets *derive.FacetWriter
}

// Take writes the objects of a capture.
func (s *objectSink) Take(t *scan.Taken) error {
	found, ok := t.Result.(*ObjectsFound)
	if !ok || found == nil {
		return nil
	}
	v := Version{t.URI, t.Note.CDX.Key, t.Time.UTC().Truncate(time.Microsecond), found.State, t.Offset}
	values := []derive.FacetValue{{Facet: "application", Value: found.Application, Count: 1}}
	authors := map[string]int{} // places in values
	for i := range found.List {
		o := &found.List[i]
		err := s.out.Add(ObjectRow{
			Version: v, Application: found.Application, Release: found.Release, Kind: found.Kind, Level: found.Level, Number: int32(i),
			Type: o.Type, ID: o.ID, Reply: o.Reply, Title: o.Title, Author: o.Author, When: o.When, Written: o.Time, Text: o.Text, Link: o.Link, Tags: o.Tags,
		}, 200+len(o.Text))
		if err != nil {
			return err
		}
		if at, known := authors[o.Author]; known {
			values[at].Count++
		} else if o.Author != "" {
			authors[o.Author] = len(values)
			values = append(values, derive.FacetValue{Facet: "author", Value: o.Author, Count: 1})
		}
	}
	if err := s.facets.Put(t, values); err != nil {
		return err
	}
	if found.Left > 0 {
		return s.task.Partial(t.Name(), fmt.Sprintf("objects: %d and more on the page are left out", found.Left))
	}
	return nil
}

// Close ends the tables.
func (s *objectSink) Close() error { return errors.Join(s.out.Close(), s.facets.Close()) }

// ObjectsSeen counts the web objects in the tables of a folder of derivatives.
type ObjectsSeen struct {
	Objects      int64            `json:"objects"`
	Applications map[string]int64 `json:"applications"` // objects of each
}

// CountObjects reads the tables of objects that jobs make; nil if none of them does.
func CountObjects(dir string, parts []job.Part, jobs []job.Job) (*ObjectsSeen, error) {
	for _, j := range jobs {
		if j.Name != Objects {
			continue
		}
		out := &ObjectsSeen{Applications: map[string]int64{}}
		return out, EachObject(dir, parts, j, func(r *ObjectRow) error {
			out.Objects++
			out.Applications[r.Application]++
			return nil
		})
	}
	return nil, nil
}

// EachObject calls each for every row of the tables of objects of some files; it must not keep the row.
func EachObject(dir string, parts []job.Part, j job.Job, each func(*ObjectRow) error) error {
	for _, p := range parts {
		path, ok := job.Table(dir, j, p, Objects)
		if !ok {
			continue
		}
		if err := derive.Rows(path, func(r *ObjectRow) (bool, error) { return true, each(r) }); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}
