package servetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"varve/crawl"
	"varve/crawl/frontier"
)

// Many makes an archive of many collections with so many crawls each: folders with a definition, a report and, in
// every fifth, a coherence report, but no WARC files. Crawls are a day apart; of each collection the last is stopped.
func Many(dir string, collections, crawls int) error {
	begin := time.Date(2020, 1, 1, 3, 0, 0, 0, time.UTC)
	for i := range collections {
		name := fmt.Sprintf("site-%05d", i)
		col := filepath.Join(dir, "collections", name)
		if err := os.MkdirAll(filepath.Join(col, "warc"), 0o755); err != nil {
			return err
		}
		toml := fmt.Sprintf("title = \"Site %d\"\n\n[crawl.daily]\nseeds = [\"https://s%d.example/\"]\nevery = \"24h\"\n", i, i)
		if err := os.WriteFile(filepath.Join(col, "collection.toml"), []byte(toml), 0o644); err != nil {
			return err
		}
		for n := range crawls {
			at := begin.Add(time.Duration(n)*24*time.Hour/time.Duration(1+crawls/2000) + time.Duration(i)*time.Second)
			if err := manyCrawl(filepath.Join(col, "crawls", at.Format("20060102T150405Z")), name, at, n, n == crawls-1); err != nil {
				return err
			}
		}
	}
	return nil
}

func manyCrawl(dir, host string, at time.Time, n int, last bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	seed := "https://" + host + ".example/"
	rep := crawl.Report{
		Crawl: filepath.Base(dir), Complete: !last, Why: "all done", Started: at, Ended: at.Add(time.Hour),
		Totals: crawl.Totals{Pages: int64(100 + n%7), URLs: int64(300 + n%11), Bytes: 5_000_000, Failed: int64(n % 3), Seeds: map[string]crawl.Seed{seed: {Outcome: "ok", Status: 200, Links: 40}}},
	}
	if last {
		rep.Why, rep.Queued = "page limit reached", 7
	}
	for h := range 30 {
		rep.Hosts = append(rep.Hosts, frontier.HostStats{Host: fmt.Sprintf("h%02d.%s.example:443", h, host), Done: 10})
	}
	def := crawl.Definition{Name: "daily", Seeds: []string{seed}, Contact: "archive@varve.example"}
	for file, v := range map[string]any{"report.json": rep, "definition.json": def} {
		b, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, file), b, 0o644); err != nil {
			return err
		}
	}
	if n%5 != 0 {
		return nil
	}
	return os.WriteFile(filepath.Join(dir, "coherence.json"), []byte(`{"layers":{"text":{"coherent":80,"changed":15,"unknown":5}}}`), 0o644)
}
