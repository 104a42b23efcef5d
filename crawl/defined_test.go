package crawl_test

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/relevance"
	"varve/crawl/scope"
	"varve/text/layer"
)

// filled sets every field of a struct to something of its own.
func filled(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			filled(v.Field(i), path+v.Type().Field(i).Name)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), path)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		filled(v.Index(0), path+"0")
		filled(v.Index(1), path+"1")
	case reflect.String:
		v.SetString("“" + path + "” \\ \"\n")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(len(path)) * 1_000_000_007)
	case reflect.Float64:
		v.SetFloat(0.125)
	default:
		panic(fmt.Sprint(v.Type()))
	}
}

// What is written as TOML is read as the same crawl, whatever is set.
func TestPlannedAsTOML(t *testing.T) {
	var all crawl.Planned
	all.Scope.Domains = nil
	v := reflect.ValueOf(&all).Elem()
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.Name == "Definition" {
			for j := range v.Field(i).NumField() {
				if g := f.Type.Field(j); g.Name != "Scope" && g.Name != "About" {
					filled(v.Field(i).Field(j), g.Name)
				}
			}
		}
	}
	all.Layers, all.Priorities, all.SeedList = layer.Names()[:2], nil, nil // these are set when a crawl runs
	all.Every, all.Name = scope.Duration(36*time.Hour), `odd "name".`
	all.NoHistory, all.Network, all.Revision = false, crawl.Network{}, 0 // of command lines, and of the journal
	all.About = relevance.About{
		Purpose: "\"why\"", Languages: []string{"de", "pt-BR"}, Threshold: 0.25, StopUnder: 0.125, Weights: map[string]float64{"anchor": 0, "time": 1.5},
		Keywords: []relevance.Keyword{{Word: "flood", Weight: 2}, {Word: "sport \\ \"", Weight: -1.5}}, Patterns: []relevance.Pattern{{Regex: `\d+"`, Weight: -1}},
		Entities: []relevance.Entity{{Name: "Rhine", Other: []string{"Rhein", "Rhin"}, Weight: 3}}, Events: []relevance.Event{{Name: "e", From: "2024", To: "2025-01"}},
		References: []relevance.Reference{{Name: "r", Text: strings.Repeat("line\n", 20), Unwanted: true}},
	}
	hops, none, yes, spam, pages, size := 3, scope.Duration(0), true, 0.5, int64(7), scope.Size(1<<20)
	all.Scope = scope.Definition{Mode: scope.Domain, MaxHops: &hops, Rules: []scope.Rule{
		{Name: "no \"search\"", Do: scope.Reject, Prefix: []string{"https://a.example/search?q=\\"}},
		{Do: scope.Accept, Not: true, Regex: []string{`/\d+\.html$`, `"`}, SpamOver: &spam, LargerThan: 5, HopsOver: &hops},
	}, Domains: map[string]scope.Settings{
		"a.example": {Delay: &none, Paused: &yes, MaxPages: &pages, MaxBytes: &size}, "b.example": {UserAgent: "x"},
	}}
	plain := crawl.Planned{Definition: crawl.Definition{Name: "daily", Seeds: []string{"https://a.example/", "b.example"}, Delay: &none}}
	for _, p := range []crawl.Planned{all, plain} {
		text, err := p.TOML()
		if err != nil {
			t.Fatal(err)
		}
		plan, err := crawl.ParsePlan(text, t.TempDir())
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if got := plan.Crawls[p.Name]; !reflect.DeepEqual(got, p) {
			t.Errorf("got  %+v\nwant %+v\nfrom\n%s", got, p, text)
		}
		var back crawl.Planned
		b, err := json.Marshal(p)
		if err == nil {
			err = json.Unmarshal(b, &back)
		}
		if err != nil || !reflect.DeepEqual(back, p) {
			t.Errorf("as JSON: %v\ngot  %+v\nwant %+v", err, back, p)
		}
	}
}

func newCollection(t *testing.T) *catalog.Collection {
	t.Helper()
	col, err := catalog.Open(t.TempDir()).Collection("news")
	if err == nil {
		err = col.Create()
	}
	if err != nil {
		t.Fatal(err)
	}
	return col
}

func defined(name, seed string, at time.Time) crawl.Defined {
	return crawl.Defined{Name: name, By: "eva", At: at, Crawl: &crawl.Planned{
		Definition: crawl.Definition{Seeds: []string{seed}}, Every: scope.Duration(time.Hour),
	}}
}

// The last line of a name is in force, a name of collection.toml goes before, and a retired one is gone.
func TestDefined(t *testing.T) {
	col := newCollection(t)
	at := time.Date(2026, 11, 15, 9, 0, 0, 0, time.UTC)
	if _, err := crawl.ReadPlan(col); varve.KindOf(err) != varve.NotFound {
		t.Errorf("without anything: %v", err)
	}
	for i, d := range []crawl.Defined{
		defined("daily", "https://old.example/", at),
		defined("weekly", "https://weekly.example/", at),
		defined("gone", "https://gone.example/", at),
		defined("daily", "https://new.example/", at.Add(time.Hour)),
		{Name: "gone", Retired: true, By: "max", At: at.Add(2 * time.Hour)},
	} {
		if err := crawl.Define(col, d); err != nil {
			t.Fatal(i, err)
		}
	}
	plan, err := crawl.ReadPlan(col) // there is no collection.toml
	if err != nil || plan.Trouble != nil || len(plan.Crawls) != 2 {
		t.Fatalf("%+v, %v", plan, err)
	}
	if c := plan.Crawls["daily"]; c.Name != "daily" || c.Seeds[0] != "https://new.example/" || plan.Defined["daily"].At != at.Add(time.Hour) {
		t.Errorf("%+v", c)
	}
	if due := plan.Due(at, nil); len(due) != 2 {
		t.Errorf("due: %+v", due)
	}
	text := "title = \"News\"\n[crawl.daily]\nseeds = [\"https://people.example/\"]\n"
	if err := os.WriteFile(col.DefinitionFile(), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	plan, err = crawl.ReadPlan(col)
	if err != nil || plan.Title != "News" || plan.Crawls["daily"].Seeds[0] != "https://people.example/" {
		t.Fatalf("%+v, %v", plan, err)
	}
	if _, ours := plan.Defined["daily"]; ours || plan.Hidden["daily"].By != "eva" || len(plan.Crawls) != 2 {
		t.Errorf("%+v", plan)
	}
}

func TestDefinedIsChecked(t *testing.T) {
	col := newCollection(t)
	file := defined("a", "https://a.example/", time.Time{})
	file.Crawl.SeedFile = "/etc/passwd"
	both := defined("a", "https://a.example/", time.Time{})
	both.Retired = true
	for _, d := range []crawl.Defined{
		defined("", "https://a.example/", time.Time{}), defined("../a", "https://a.example/", time.Time{}), defined("-a", "https://a.example/", time.Time{}),
		defined("a b", "https://a.example/", time.Time{}), defined(strings.Repeat("a", 65), "https://a.example/", time.Time{}),
		file, both,
		{Name: "a"},
	} {
		if err := crawl.Define(col, d); varve.KindOf(err) != varve.Invalid {
			t.Errorf("%+v: %v", d, err)
		}
	}
	if _, err := os.Stat(crawl.DefinitionsFile(col)); err == nil {
		t.Error("something was written")
	}
}

// A line that cannot be read is told of, and hides none of the others.
func TestUnreadableDefinitions(t *testing.T) {
	col := newCollection(t)
	if err := crawl.Define(col, defined("daily", "https://a.example/", time.Now())); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(crawl.DefinitionsFile(col), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(f, `{"version":7,"name":"daily","crawl":{}}`+"\n"+`{"name":"x"}`+"\nnothing")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	plan, err := crawl.ReadPlan(col)
	if err != nil || len(plan.Crawls) != 1 {
		t.Fatalf("%+v, %v", plan, err)
	}
	if plan.Trouble == nil || !strings.Contains(plan.Trouble.Error(), "version 7") {
		t.Errorf("told: %v", plan.Trouble)
	}
}

func FuzzParsePlan(f *testing.F) {
	f.Add("[crawl.daily]\nseeds = [\"https://a.example/\"]\nevery = \"24h\"\n[[crawl.daily.rule]]\ndo = \"reject\"\nhost = [\"b\"]\n[crawl.daily.domain.\"a.b\"]\ndelay = 2\n")
	f.Add("title = \"a\"\n[metadata]\nsubject = [\"b\"]\n[crawl.\"a b\"]\nseeds = [\"c\"]\nscope = \"web\"\nmax-hops = 2\n")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		plan, err := crawl.ParsePlan(text, dir)
		if err != nil {
			return
		}
		for name, p := range plan.Crawls {
			out, err := p.TOML()
			if err != nil {
				t.Fatal(err)
			}
			again, err := crawl.ParsePlan(out, dir)
			if err != nil || len(again.Crawls) != 1 {
				t.Fatalf("%v: %q", err, out)
			}
			want, _ := json.Marshal(p)
			if got, _ := json.Marshal(again.Crawls[name]); string(got) != string(want) {
				t.Fatalf("%s\n%s\n%q", got, want, out)
			}
		}
	})
}
