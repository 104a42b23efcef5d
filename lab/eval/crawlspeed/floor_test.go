package crawlspeed

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// The floor writes a file whose digests fit and which has every URL of its plan.
func TestFloor(t *testing.T) {
	spec, err := websim.Preset("tiny")
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 0)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	steps, expected := map[string]*step{}, map[string]bool{}
	for _, seed := range s.Seeds() {
		u, err := url.Parse(seed)
		if err != nil {
			t.Fatal(err)
		}
		request := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", u.RequestURI(), u.Host)
		steps[seed] = &step{url: seed, host: u.Host, request: request, metadata: []byte("via: -\r\n")}
		expected[seed] = true
	}
	dir := t.TempDir()
	plan, file := filepath.Join(dir, "plan"), filepath.Join(dir, "floor.warc.gz")
	if err := writePlan(plan, steps); err != nil {
		t.Fatal(err)
	}
	if err := Floor(plan, s.Addr(), file); err != nil {
		t.Fatal(err)
	}
	if n, err := captured([]string{file}, expected); err != nil || n != len(expected) {
		t.Errorf("%d of %d captured, %v", n, len(expected), err)
	}
	again := map[string]*step{}
	if err := collect(file, again); err != nil {
		t.Fatal(err)
	}
	for u, want := range steps {
		if got := again[u]; got == nil || !bytes.Equal(got.request, want.request) || !bytes.Equal(got.metadata, want.metadata) {
			t.Errorf("%s: recorded %+v, want %+v", u, got, want)
		}
	}
}

func TestTornPlan(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan")
	steps := map[string]*step{"http://a/": {url: "http://a/", host: "a", request: []byte("GET"), metadata: []byte("m")}}
	if err := writePlan(file, steps); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < len(whole); n++ {
		if err := os.WriteFile(file, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readPlan(file); err == nil || !strings.Contains(err.Error(), "torn") {
			t.Errorf("plan cut at %d: %v", n, err)
		}
	}
}

// The terms of a definition are words and pairs of words of the pages, common and rare; what is on one page alone is none.
func TestTerms(t *testing.T) {
	v := newVocabulary()
	for _, text := range []string{"The flood came. The river rose.", "the river rose; the bridge", "the flood, Bridge"} {
		v.add(text)
	}
	if got := fmt.Sprint(v.terms(4)); got != "[the bridge river river rose]" {
		t.Errorf("terms %s", got)
	}
	if got := v.terms(100); len(got) != 8 || len(slices.Compact(slices.Sorted(slices.Values(got)))) != 8 {
		t.Errorf("%d terms: %q", len(got), got)
	}
}

// Guiding is judged by what it costs more than a crawl that is not guided.
func TestJudgeGuided(t *testing.T) {
	for guided, missed := range map[float64]string{4.6: "", 4.8: "of the CPU is what guiding costs, at most", 7: "of the floor, guidedof the CPU is what guiding costs, at most"} {
		s := Set{URLs: 100}
		for _, w := range []struct {
			name string
			cpu  float64
		}{{FloorWay, 3.2}, {VarveWay, 4}, {GuidedWay, guided}} {
			s.Lines = append(s.Lines, lineOf(w.name, []Sample{{CPU: w.cpu, MaxRSS: 1, Captured: 100}}, 100))
		}
		s.judge()
		got := ""
		for _, target := range s.Targets {
			if !target.Met {
				got += target.Name
			}
		}
		if got != missed {
			t.Errorf("%g s: missed %q, want %q", guided, got, missed)
		}
	}
}

func TestJudge(t *testing.T) {
	sample := func(cpu float64, rss int64, n int) []Sample {
		return []Sample{{CPU: cpu, MaxRSS: rss, Captured: n}, {CPU: 2 * cpu, MaxRSS: rss, Captured: n}}
	}
	for _, c := range []struct {
		name                string
		floor, wget, varve  float64
		rss                 int64
		captured            int
		missed              string
		wantWget, wantFloor float64
	}{
		{"all met", 3, 9, 4, 1 << 20, 100, "", 2.25, 0.75},
		{"dearer than the floor allows", 2.9, 9, 4, 1 << 20, 100, "of the floor", 2.25, 0.725},
		{"no cheaper than wget", 3, 4, 4, 1 << 20, 100, "times wget", 1, 0.75},
		{"a page missing", 3, 9, 4, 1 << 20, 99, "captured", 2.25, 0.75},
		{"too much memory", 3, 9, 4, 150 << 20, 100, "MB of memory at most", 2.25, 0.75},
	} {
		s := Set{URLs: 100}
		s.Lines = []Line{
			lineOf(FloorWay, sample(c.floor, 1, 100), 100), lineOf(WgetWay, sample(c.wget, 1, 100), 100),
			lineOf(VarveWay, sample(c.varve, c.rss, c.captured), 100),
		}
		s.judge()
		missed := ""
		for _, target := range s.Targets {
			if !target.Met {
				missed += target.Name
			}
		}
		ours := s.line(VarveWay)
		if missed != c.missed || ours.ToWget != c.wantWget || ours.ToFloor != c.wantFloor {
			t.Errorf("%s: missed %q, %.3f times wget, %.3f of the floor", c.name, missed, ours.ToWget, ours.ToFloor)
		}
		if met := (&Result{Sets: []Set{s}}).Met(); met != (c.missed == "") {
			t.Errorf("%s: met is %v", c.name, met)
		}
	}
}
