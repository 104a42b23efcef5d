package annotate_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/archive/catalog"
	"varve/archive/scan"
	"varve/archive/warc"
	"varve/derive"
	"varve/derive/annotate"
	"varve/derive/job"
	"varve/language"
)

const workerEnv = "VARVE_TEST_ANNOTATE_WORKER"

func TestMain(m *testing.M) {
	if os.Getenv(workerEnv) != "" {
		os.Exit(scan.Main(func(name string, config []byte) (*scan.Mapper, error) {
			var o derive.Options
			switch name {
			case "pages", "media":
				if err := json.Unmarshal(config, &o); err != nil {
					return nil, err
				}
				if name == "pages" {
					return derive.PagesMapper(&o), nil
				}
				return derive.MediaMapper(&o), nil
			case annotate.Entities:
				return annotate.EntitiesMapper(config)
			}
			if name == annotate.Facts {
				return annotate.FactsMapper(config)
			}
			if name == annotate.Objects {
				return annotate.ObjectsMapper(config)
			}
			if m := annotate.Mapper(name); m != nil {
				return m, nil
			}
			return nil, errors.New("there is none")
		}))
	}
	os.Exit(m.Run())
}

// capture is one answer of a file.
type capture struct {
	path, body string
	revisit    bool
	mime       string // "" for HTML
}

func page(chrome, text string) string {
	return fmt.Sprintf(`<!doctype html><html lang="en"><head><title>News</title></head><body><nav><a href="/">%s</a></nav><article><h1>News of the town</h1><p>%s</p></article></body></html>`, chrome, text)
}

const (
	english = "Chancellor Angela Merkel met Barack Obama in Berlin on Monday. Merkel said that Germany does not want to leave the European Union. They are friends, she told reporters after the meeting."
	german  = "Die Bundeskanzlerin hat am Montag mit dem Minister gesprochen und danach vor dem alten Rathaus der Stadt versprochen, dass alles so bleibt, wie es ist."
)

// files writes WARC files with a capture a minute.
func files(t *testing.T, of ...[]capture) (out []catalog.File) {
	t.Helper()
	dir := t.TempDir()
	n := 0
	for i, captures := range of {
		var b bytes.Buffer
		enc, err := warc.NewEncoder(warc.Packing{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range captures {
			block := "HTTP/1.1 200 OK\r\nContent-Type: " + cmp.Or(c.mime, "text/html; charset=utf-8") + "\r\n\r\n" + c.body
			kind := warc.TypeResponse
			if c.revisit {
				kind = warc.TypeRevisit
			}
			e := warc.New(kind, fmt.Sprintf("<urn:%d>", n), time.Date(2024, 1, 1, 0, n, 0, 0, time.UTC), warc.Bytes(block)).
				With(warc.FieldTargetURI, "http://news.test"+c.path).With(warc.FieldContentType, warc.ContentTypeResponse)
			if c.revisit {
				e = e.With(warc.FieldProfile, "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest").With(warc.FieldPayloadDigest, "sha1:ABC")
			}
			if err := enc.Encode(&b, e); err != nil {
				t.Fatal(err)
			}
			n++
		}
		f := catalog.File{Name: fmt.Sprintf("f%d.warc.gz", i), Path: filepath.Join(dir, fmt.Sprintf("f%d.warc.gz", i)), Kind: catalog.KindWARC}
		if err := os.WriteFile(f.Path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

func options() derive.Options {
	var o derive.Options
	o.More, o.Facets = annotate.Jobs(language.Units())
	return o
}

func run(t *testing.T, cfg job.Config, files []catalog.File, o derive.Options) job.Summary {
	t.Helper()
	sum, err := derive.Run(t.Context(), cfg, files, o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func all[T any](t *testing.T, path string) (out []T) {
	t.Helper()
	if err := derive.Rows(path, func(r *T) (bool, error) {
		own := *r
		out = append(out, own)
		return true, nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// tables returns the bytes of all tables.
func tables(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*.parquet", "*/*.parquet"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			b, err := os.ReadFile(n)
			if err != nil {
				t.Fatal(err)
			}
			out[n[len(dir):]] = string(b)
		}
	}
	return out
}

// Names stand in the table with their places in the text of the page, once for each version of it; a text without a model is told; and the
// facets of every version are there, also of one that comes back and of a revisit.
func TestMentions(t *testing.T) {
	other := strings.ReplaceAll(english, "Berlin", "Paris")
	in := files(t, []capture{
		{path: "/a", body: page("home", english)},
		{path: "/a", body: page("start", english)}, // the same version
		{path: "/a", body: page("home", other)},
		{path: "/a", body: page("home", english)}, // the first version again
		{path: "/a", revisit: true},
		{path: "/b", body: page("home", german)},
		{path: "/c", body: "<p>no</p>"},
	})
	dir := t.TempDir()
	run(t, job.Config{Dir: dir}, in, options())
	texts := map[string]string{}
	for _, p := range all[derive.PageRow](t, filepath.Join(dir, "pages", in[0].Name+".parquet")) {
		texts[p.SURT+" "+p.State()] = p.Text
	}
	got := map[string]int{}
	for _, m := range all[annotate.MentionRow](t, filepath.Join(dir, "mentions", in[0].Name+".parquet")) {
		text := texts[m.SURT+" "+m.State]
		if int(m.End) > len(text) || text[m.Start:m.End] != m.Text || !(m.Confidence > 0 && m.Confidence <= 1) || m.URL != "http://news.test/a" || m.Time.IsZero() {
			t.Errorf("%+v is not in %q", m, text)
		}
		got[m.Type+" "+m.Text]++
	}
	if got["PER Angela Merkel"] != 2 || got["PER Merkel"] != 2 || got["LOC Berlin"] != 1 || got["LOC Paris"] != 1 {
		t.Errorf("%v", got)
	}
	var missing []string
	rows := all[annotate.TextRow](t, filepath.Join(dir, "texts", in[0].Name+".parquet"))
	for _, r := range rows {
		missing = append(missing, r.URL[len("http://news.test"):]+" "+r.Language+" "+strings.Join(r.Missing, "+"))
		if r.Analysed == 0 || r.Sentences == 0 || r.Tokens < r.Sentences {
			t.Errorf("%+v", r)
		}
	}
	if want := []string{"/a en ", "/a en ", "/b de tags+opinions+quality+events+phrases", "/c  tags+mentions+times+terms+opinions+quality+events+phrases"}; !slices.Equal(missing, want) {
		t.Errorf("%q, want %q", missing, want)
	}
	values := map[int64][]string{}
	for _, v := range all[derive.VersionFacetRow](t, filepath.Join(dir, "facets.parquet")) {
		if slices.Contains([]string{"person", "place", "organisation"}, v.Facet) {
			values[v.Version] = append(values[v.Version], fmt.Sprintf("%s %s %d", v.Facet, v.Value, v.Count))
		}
	}
	first := []string{"person Angela Merkel 2", "person Barack Obama 1", "place Berlin 1", "place Germany 1", "organisation European Union 1"}
	if !slices.Equal(values[0], first) || !slices.Contains(values[1], "place Paris 1") || !slices.Equal(values[2], first) || len(values) != 3 {
		t.Errorf("%v", values)
	}
	parts, err := derive.Parts(in)
	if err != nil {
		t.Fatal(err)
	}
	cover, err := annotate.Covered(dir, parts, options().More)
	if err != nil || cover.Texts != 4 || len(cover.Unknown) != 8 || cover.Unknown[1].Unit != "mentions" || cover.Unknown[1].Texts != 1 || cover.Unknown[0].Languages["de"] != 1 {
		t.Errorf("%+v, %v", cover, err)
	}
	if cover, err := annotate.Covered(dir, parts, nil); cover != nil || err != nil {
		t.Errorf("%+v, %v", cover, err)
	}
}

// Expressions of time are resolved against the date of the document, which is part of what is remembered of a text.
func TestTimes(t *testing.T) {
	const text = "The bridge was closed on 3 May 1997, and it opened again last year. It will be painted in March 2031 by the people of the town, who met in the hall."
	dated := strings.Replace(page("home", text), "<title>", `<meta property="article:modified_time" content="2010-02-03T04:05:06Z"><title>`, 1)
	in := files(t, []capture{{path: "/a", body: page("home", text)}, {path: "/b", body: dated}})
	dir := t.TempDir()
	run(t, job.Config{Dir: dir, Cores: 1}, in, options())
	got := map[string]string{}
	for _, r := range all[annotate.TimeRow](t, filepath.Join(dir, "times", in[0].Name+".parquet")) {
		got[r.URL[len("http://news.test"):]+" "+r.Text] = r.Earliest.Format(time.DateOnly) + " " + r.Latest.Format(time.DateOnly)
		if len(r.Timex) != 1 || r.Confidence != 1 {
			t.Errorf("%+v", r)
		}
	}
	for what, want := range map[string]string{
		"/a 3 May 1997": "1997-05-03 1997-05-04", "/a last year": "2023-01-01 2024-01-01", "/b last year": "2009-01-01 2010-01-01", "/b March 2031": "2031-03-01 2031-04-01",
	} {
		if got[what] != want {
			t.Errorf("%s: %q, want %q", what, got[what], want)
		}
	}
	var years []string
	for _, v := range all[derive.VersionFacetRow](t, filepath.Join(dir, "facets.parquet")) {
		if v.Facet == "when" {
			years = append(years, fmt.Sprint(v.Version, " ", v.Value))
		}
	}
	if want := []string{"0 1997", "0 2023", "0 2031", "1 1997", "1 2009", "1 2031"}; !slices.Equal(years, want) {
		t.Errorf("%q, want %q", years, want)
	}
}

// many makes files of pages that differ, and some that do not.
func many(t *testing.T) []catalog.File {
	var of [][]capture
	for f := range 3 {
		var list []capture
		for p := range 8 {
			text := strings.ReplaceAll(english, "Monday", fmt.Sprintf("day %d", p/2))
			list = append(list, capture{path: fmt.Sprintf("/%d/%d", f, p), body: page("home", text)})
		}
		of = append(of, list)
	}
	return files(t, of...)
}

// The tables are the same to the byte with any number of processors, wherever the mappers run, and whether a text was met before or not.
func TestSameBytes(t *testing.T) {
	in := many(t)
	want := map[string]string{}
	for i, cfg := range []job.Config{{Cores: 1}, {Cores: 4}, {Cores: 2, Worker: func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), workerEnv+"=1")
		return c
	}}} {
		cfg.Dir = t.TempDir()
		o := options()
		if cfg.Worker != nil {
			for _, j := range o.More {
				j.Scan.Mapper.Trusted = nil
			}
		}
		sum := run(t, cfg, in, o)
		got := tables(t, cfg.Dir)
		if i == 0 {
			want = got
		}
		if !maps.Equal(got, want) {
			t.Errorf("%+v: other tables", cfg)
		}
		if cfg.Worker != nil && sum.Scan.Workers == 0 {
			t.Error("no worker was started")
		}
	}
	if len(want) < 10 {
		t.Errorf("%d tables", len(want))
	}
}

// Another unit comes later: what is there is not made again.
func TestLater(t *testing.T) {
	in, dir := many(t), t.TempDir()
	var o derive.Options
	o.More, o.Facets = annotate.Jobs([]language.Unit{language.Sentences})
	run(t, job.Config{Dir: dir}, in, o)
	for _, j := range run(t, job.Config{Dir: dir}, in, options()).Jobs {
		if want := map[string]int{"tags": 3, "mentions": 3, "times": 3, "terms": 3, "opinions": 3, "quality": 3, "events": 3, "phrases": 3, "versions": 3}[j.Job]; j.Done != want {
			t.Errorf("%s: %d files, want %d", j.Job, j.Done, want)
		}
	}
}

// A unit that takes too long is lost for that text alone; the others have theirs.
func TestOverTime(t *testing.T) {
	in, dir := many(t), t.TempDir()
	o := options()
	i := slices.IndexFunc(o.More, func(j job.Job) bool { return j.Name == "tags" })
	late := *o.More[i].Scan.Mapper
	late.Limits.Time = time.Nanosecond
	o.More[i].Scan.Mapper = &late
	run(t, job.Config{Dir: dir}, in, o)
	bad, err := job.Standing(dir)
	if err != nil || len(bad) == 0 || bad[0].Job != "tags" || !strings.Contains(bad[0].Cause, "took too long") {
		t.Errorf("%+v, %v", bad, err)
	}
	if rows := all[annotate.MentionRow](t, filepath.Join(dir, "mentions", in[0].Name+".parquet")); len(rows) == 0 {
		t.Error("no mentions, which make their tags themselves")
	}
	if rows := all[annotate.TextRow](t, filepath.Join(dir, "texts", in[0].Name+".parquet")); len(rows) != 8 {
		t.Errorf("%d texts", len(rows))
	}
}

// Every column is told in the page on formats.
func TestColumnsAreDescribed(t *testing.T) {
	page, err := os.ReadFile("../../docs/formats/derivatives.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*parquet.Schema{"texts": parquet.SchemaOf(annotate.TextRow{}), "mentions": parquet.SchemaOf(annotate.MentionRow{}), "entities": parquet.SchemaOf(annotate.EntityRow{}), "times": parquet.SchemaOf(annotate.TimeRow{}), "terms": parquet.SchemaOf(annotate.TermRow{}), "opinions": parquet.SchemaOf(annotate.OpinionRow{}), "events": parquet.SchemaOf(annotate.EventRow{}), "phrases": parquet.SchemaOf(annotate.PhraseRow{}), "pictures": parquet.SchemaOf(annotate.PictureRow{}), "captions": parquet.SchemaOf(annotate.CaptionRow{}), "shows": parquet.SchemaOf(annotate.ShownRow{}), "objects": parquet.SchemaOf(annotate.ObjectRow{})} {
		_, section, ok := strings.Cut(string(page), "\n## "+name+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		for _, f := range s.Fields() {
			if !ok || !strings.Contains(section, "`"+f.Name()+"`") {
				t.Errorf("%s.%s is not described", name, f.Name())
			}
		}
	}
}

// What a text is about and how it judges are tables and facets, too; the opinion of a text, and of a name, is a number.
func TestTermsAndOpinions(t *testing.T) {
	const text = "The new bridge of the town is a terrible mistake, said Angela Merkel. The wind turbine beside it is ugly, and the wind turbine is loud. But Barack Obama loves the wonderful harbour. Obama is great."
	in := files(t, []capture{{path: "/a", body: page("home", text)}, {path: "/b", body: page("home", german)}})
	dir := t.TempDir()
	run(t, job.Config{Dir: dir, Cores: 1}, in, options())
	var terms []string
	for _, r := range all[annotate.TermRow](t, filepath.Join(dir, "terms", in[0].Name+".parquet")) {
		if strings.HasSuffix(r.URL, "/a") {
			terms = append(terms, r.Key)
		} else if r.Text == "" || r.Count < 1 {
			t.Errorf("%+v", r)
		}
	}
	if len(terms) < 2 || terms[0] != "wind turbine" || terms[1] != "wind turbine" {
		t.Errorf("%q", terms)
	}
	about := map[string]float32{}
	for _, r := range all[annotate.OpinionRow](t, filepath.Join(dir, "opinions", in[0].Name+".parquet")) {
		if strings.HasSuffix(r.URL, "/b") {
			t.Errorf("an opinion in German: %+v", r)
		}
		about[r.About] = r.Score
	}
	if about["Barack Obama"] <= 0.2 {
		t.Errorf("%v", about)
	}
	numbers := map[string]float64{}
	found := false
	for _, v := range all[derive.VersionFacetRow](t, filepath.Join(dir, "facets.parquet")) {
		if v.Facet == "opinion" {
			numbers[v.Value] = v.Number
		}
		found = found || v.Facet == "term" && v.Value == "wind turbine"
	}
	if _, alone := numbers["Obama"]; alone {
		t.Errorf("a last name alone counts for the person: %v", numbers)
	}
	if whole, ok := numbers[""]; !ok || whole >= numbers["Barack Obama"] || !found {
		t.Errorf("%v, %v", numbers, found)
	}
}

// Events are a table with the places of all that has a role, and a facet of classes, alone and with whom they are about.
func TestEvents(t *testing.T) {
	in := files(t, []capture{{path: "/a", body: page("home", english)}, {path: "/b", body: page("home", german)}})
	dir := t.TempDir()
	run(t, job.Config{Dir: dir, Cores: 1}, in, options())
	text := all[derive.PageRow](t, filepath.Join(dir, "pages", in[0].Name+".parquet"))[0].Text
	var got []string
	for _, r := range all[annotate.EventRow](t, filepath.Join(dir, "events", in[0].Name+".parquet")) {
		got = append(got, fmt.Sprintf("%s %s: %s > %s @%s in %s", r.Verb, r.Class, strings.Join(r.Who, "+"), strings.Join(r.Whom, "+"), r.When, r.Where))
		for i, w := range r.Who {
			if !strings.HasPrefix(text[r.WhoStart[i]:], w) {
				t.Errorf("%s is not at %d", w, r.WhoStart[i])
			}
		}
		if r.When != "" && (!strings.HasPrefix(text[r.WhenStart:], r.When) || !r.Earliest.Before(r.Latest)) || !strings.HasSuffix(r.URL, "/a") || r.Confidence <= 0 {
			t.Errorf("%+v", r)
		}
	}
	want := []string{"meet meet: Angela Merkel > Barack Obama @Monday in Berlin", "say say: Merkel >  @ in ", "tell say: she > reporters @ in "}
	for i, g := range got {
		got[i] = strings.Replace(g, "@on Monday", "@Monday", 1)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	var values []string
	for _, v := range all[derive.VersionFacetRow](t, filepath.Join(dir, "facets.parquet")) {
		if v.Facet == "event" {
			values = append(values, fmt.Sprintf("%s %d", v.Value, v.Count))
		}
	}
	if want := []string{"say 2", "meet 1", "meet: Angela Merkel 1", "meet: Barack Obama 1", "say: Angela Merkel 1"}; !slices.Equal(values, want) {
		t.Errorf("%q, want %q", values, want)
	}
}
