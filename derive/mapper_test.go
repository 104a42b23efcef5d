package derive_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/archive/scan"
	"varve/derive"
	"varve/derive/job"
)

// mapperWorkerEnv makes this test binary a worker that knows the mappers of the tests.
const mapperWorkerEnv = "VARVE_TEST_DERIVE_WORKER"

func mapperWorker() int {
	return scan.Main(func(name string, config []byte) (*scan.Mapper, error) {
		switch name {
		case "pages", "media":
			var o derive.Options
			if err := json.Unmarshal(config, &o); err != nil {
				return nil, err
			}
			if name == "pages" {
				return derive.PagesMapper(&o), nil
			}
			return derive.MediaMapper(&o), nil
		case "shouts":
			return shoutsMapper(), nil
		}
		return nil, errors.New("there is none")
	})
}

// Shout is a row of the toy's table: an analysis that this repository has not heard of.
type Shout struct {
	URL   string `parquet:"url"`
	Title string `parquet:"title"` // in capitals
	Crawl string `parquet:"crawl"`
}

// shoutsMapper needs what the mapper of pages found, and is stuck on one page for ever.
func shoutsMapper() *scan.Mapper {
	return scan.New(scan.Mapper{Name: "shouts", Needs: []string{"pages"}, Limits: scan.Limits{Time: 5 * time.Second}}, func() func(context.Context, *scan.Item) (*Shout, error) {
		return func(_ context.Context, it *scan.Item) (*Shout, error) {
			if strings.HasSuffix(it.URI, "/p3") {
				for n := 0; n >= 0; n &= 0xff { // for ever
					n++
				}
			}
			row, ok := it.Result("pages").(*derive.Row)
			if !ok || row.Page.Title == "" {
				return nil, nil
			}
			return &Shout{URL: it.URI, Title: strings.ToUpper(row.Page.Title)}, nil
		}
	})
}

// A new analysis brings a mapper with a table of its own; the scan knows nothing of it. It can be added later, what is there is not
// made again; the page that it is stuck on is lost to it alone, and told.
func TestAnotherMapper(t *testing.T) {
	files, dir := collection(t, 1, 6), t.TempDir()
	cfg := job.Config{Dir: dir, Cores: 2, Worker: func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), mapperWorkerEnv+"=1")
		return c
	}}
	if _, err := derive.Run(t.Context(), cfg, files, derive.Options{}); err != nil {
		t.Fatal(err)
	}
	before := tables(t, dir)
	shouts := job.Job{Name: "shouts", Version: 1, Scan: &job.Scan{
		Mapper: shoutsMapper(),
		Open: derive.Into("shouts", func(t *scan.Taken) ([]Shout, error) {
			s, ok := t.Result.(*Shout)
			if !ok {
				return nil, nil
			}
			s.Crawl = t.Crawl
			return []Shout{*s}, nil
		}),
	}}
	sum, err := derive.Run(t.Context(), cfg, files, derive.Options{More: []job.Job{shouts}})
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range sum.Jobs {
		if want := map[bool]int{true: 1}[j.Job == "shouts"]; j.Done != want {
			t.Errorf("%s: %d files done, want %d", j.Job, j.Done, want)
		}
	}
	var got []Shout
	if err := derive.Rows(filepath.Join(dir, "shouts", files[0].Name+".parquet"), func(s *Shout) (bool, error) {
		got = append(got, *s)
		return true, nil
	}); err != nil {
		t.Fatal(err)
	}
	if len(got) == 0 || got[0].Title != strings.ToUpper(got[0].Title) || got[0].Crawl != "crawl-0" {
		t.Errorf("%+v", got)
	}
	for _, s := range got {
		if strings.HasSuffix(s.URL, "/p3") {
			t.Error("a row of the page that never ended")
		}
	}
	bad, err := job.Standing(dir)
	if err != nil || len(bad) != 1 || bad[0].Job != "shouts" || !strings.Contains(bad[0].Cause, "took too long") {
		t.Errorf("%+v, %v", bad, err)
	}
	for name, sum := range before {
		if tables(t, dir)[name] != sum {
			t.Errorf("%s was made again", name)
		}
	}
}

// The tables are the same to the byte wherever the mappers run.
func TestWorkersMakeTheSame(t *testing.T) {
	files := collection(t, 2, 10)
	here, there := t.TempDir(), t.TempDir()
	if _, err := derive.Run(t.Context(), job.Config{Dir: here}, files, derive.Options{}); err != nil {
		t.Fatal(err)
	}
	jobs := derive.Jobs(derive.Options{})
	for _, j := range jobs {
		if j.Scan != nil {
			j.Scan.Mapper.Trusted = nil
		}
	}
	parts, err := derive.Parts(files)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := job.Run(t.Context(), job.Config{Dir: there, Worker: func() *exec.Cmd {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), mapperWorkerEnv+"=1")
		return c
	}}, jobs, parts)
	if err != nil || sum.Scan.Workers == 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	a, b := tables(t, here), tables(t, there)
	for name, want := range a {
		if b[name] != want {
			t.Errorf("%s differs", name)
		}
	}
	t.Logf("%d tables, %d processes", len(b), sum.Scan.Workers)
}
