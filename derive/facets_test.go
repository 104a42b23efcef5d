package derive_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"varve/archive/scan"
	"varve/derive"
	"varve/derive/job"
)

// figures is a toy analysis: the digits of a title, each as often as it is there, and how many there are.
type figures struct{ Values []derive.FacetValue }

var figureFacets = derive.FacetTable{Job: "figures", Facets: []derive.Facet{
	{Name: "digit", Title: "Digits", Kind: derive.FacetNames, Most: 2},
	{Name: "many", Title: "How many", Kind: derive.FacetNumbers},
}}

func figuresJob(of func(title string) []derive.FacetValue) job.Job {
	return job.Job{Name: "figures", Version: 1, Scan: &job.Scan{
		Mapper: scan.New(scan.Mapper{Name: "figures", Needs: []string{"pages"}}, func() func(context.Context, *scan.Item) (*figures, error) {
			return func(_ context.Context, it *scan.Item) (*figures, error) {
				row, ok := it.Result("pages").(*derive.Row)
				if !ok || row.Page.Title == "" {
					return nil, nil
				}
				return &figures{of(row.Page.Title)}, nil
			}
		}),
		Open: func(t *job.Task) (job.Sink, error) {
			w, err := figureFacets.Create(t)
			return figuresSink{w}, err
		},
	}}
}

type figuresSink struct{ *derive.FacetWriter }

func (s figuresSink) Take(t *scan.Taken) error {
	if f, ok := t.Result.(*figures); ok && f != nil {
		return s.Put(t, f.Values)
	}
	return nil
}

func digitsOf(title string) (out []derive.FacetValue) {
	for _, r := range title {
		if r >= '0' && r <= '9' {
			out = append(out, derive.FacetValue{Facet: "digit", Value: " " + string(r) + "\n", Count: 1})
		}
	}
	return append(out, derive.FacetValue{Facet: "many", Number: float64(len(out)), Value: ""}, derive.FacetValue{Facet: "many", Number: 0.5, Value: "nothing"})
}

// An analysis declares facets and writes values of captures; the table beside the versions has those of each version's first capture, the
// commonest, and says what they are and how many were left out.
func TestFacets(t *testing.T) {
	files, dir := collection(t, 2, 12), t.TempDir()
	opts := derive.Options{More: []job.Job{figuresJob(func(title string) []derive.FacetValue {
		return digitsOf(title + strings.Repeat(" 7", 1) + " 8 8")
	})}, Facets: []derive.FacetTable{figureFacets}}
	if _, err := derive.Run(t.Context(), job.Config{Dir: dir}, files, opts); err != nil {
		t.Fatal(err)
	}
	path := derive.FacetsOf(filepath.Join(dir, "versions.parquet"))
	declared, err := derive.Declared(path)
	want := []derive.Facet{
		{Name: "digit", Title: "Digits", Kind: derive.FacetNames, Most: 2, Left: 0},
		{Name: "many", Title: "How many", Kind: derive.FacetNumbers, Most: 50},
	}
	var left int64
	got := map[int64][]string{}
	for _, r := range all[derive.VersionFacetRow](t, path) {
		got[r.Version] = append(got[r.Version], fmt.Sprintf("%s=%s/%g x%d", r.Facet, r.Value, r.Number, r.Count))
	}
	titled := 0
	for i, v := range all[derive.VersionRow](t, filepath.Join(dir, "versions.parquet")) {
		number, ok := strings.CutPrefix(v.Title, "Page ")
		if !ok {
			continue
		}
		titled++
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		list := map[int]string{7: "digit=7/0 x2; digit=8/0 x2", 8: "digit=8/0 x3; digit=7/0 x1"}[n]
		switch {
		case n == 10:
			list = "digit=8/0 x2; digit=0/0 x1"
			left += 2
		case n == 11:
			list = "digit=1/0 x2; digit=8/0 x2"
			left++
		case n != 7 && n != 8:
			list = fmt.Sprintf("digit=8/0 x2; digit=%d/0 x1", min(n, 7))
			left++
		}
		list += fmt.Sprintf("; many=/%d x1; many=nothing/0.5 x1", 3+len(number))
		if have := strings.Join(got[int64(i)], "; "); have != list {
			t.Errorf("%s: %s, want %s", v.URL, have, list)
		}
	}
	want[0].Left = left
	if titled != 24 || err != nil || !reflect.DeepEqual(declared, want) {
		t.Errorf("%d versions; %+v, %v", titled, declared, err)
	}
	rows := all[derive.FacetRow](t, filepath.Join(dir, "facets_figures", "f1.warc.gz.parquet"))
	if r := rows[0]; r.SURT != "test,h1)/p0" || r.Offset == 0 || r.Facet != "digit" || r.Value != "8" || r.Count != 2 || !r.Time.Equal(at(16)) {
		t.Errorf("%+v", r)
	}

	// Without the analysis the next run has no values, and does not keep old ones.
	if _, err := derive.Run(t.Context(), job.Config{Dir: dir}, files, derive.Options{}); err != nil {
		t.Fatal(err)
	}
	if declared, err := derive.Declared(path); err != nil || len(declared) != 0 || len(all[derive.VersionFacetRow](t, path)) != 0 {
		t.Errorf("%+v, %v", declared, err)
	}
}

func TestFacetsRefused(t *testing.T) {
	files := collection(t, 1, 1)
	names := func(n ...string) (out derive.FacetTable) {
		out.Job = "figures"
		for _, name := range n {
			out.Facets = append(out.Facets, derive.Facet{Name: name, Kind: derive.FacetNames})
		}
		return out
	}
	for want, table := range map[string]derive.FacetTable{
		"small letters":         names("Person"),
		"means something else":  names("host"),
		"is of both":            names("a", "a"),
		"not names or numbers":  {Job: "figures", Facets: []derive.Facet{{Name: "a"}}},
		`needs "other", which`:  {Job: "other"},
		"is no facet of figure": names("a"), // the toy writes digits
	} {
		job1 := figuresJob(digitsOf)
		if want == "is no facet of figure" {
			job1.Scan.Open = func(t *job.Task) (job.Sink, error) { w, err := table.Create(t); return figuresSink{w}, err }
		}
		_, err := derive.Run(t.Context(), job.Config{Dir: t.TempDir()}, files, derive.Options{More: []job.Job{job1}, Facets: []derive.FacetTable{table}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	bad := figuresJob(func(string) []derive.FacetValue { return []derive.FacetValue{{Facet: "many", Number: math.NaN()}} })
	if _, err := derive.Run(t.Context(), job.Config{Dir: t.TempDir()}, files, derive.Options{More: []job.Job{bad}, Facets: []derive.FacetTable{figureFacets}}); err == nil || !strings.Contains(err.Error(), "is no number") {
		t.Error(err)
	}
}
