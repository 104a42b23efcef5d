package review_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/serve/review"
)

// What people did to a crawl is told with who and when, also after it has ended.
func TestSteered(t *testing.T) {
	dir := t.TempDir()
	if list, err := review.Steered(t.Context(), dir); err != nil || list != nil {
		t.Errorf("without events: %v, %v", list, err)
	}
	const events = `{"time":"2026-03-01T06:00:00Z","event":"started","seeds":1}
{"time":"2026-03-01T06:01:00Z","event":"paused","why":"by eva"}
{"time":"2026-03-01T06:02:00Z","event":"running","why":""}
{"time":"2026-03-01T06:02:30Z","event":"refused","url":"http://a.example/?q=\"event\":\"scope\"","why":"scope"}
{"time":"2026-03-01T06:03:00Z","event":"limits","by":"max","was":{"maxPages":40},"now":{"maxPages":45,"maxTime":"1h0m0s"}}
{"time":"2026-03-01T06:04:00Z","event":"priority","by":"eva","prefix":"http://a.example/law/","score":1,"lifted":false,"changed":12}
not json "event":"paused"
{"time":"2026-03-01T06:05:00Z","event":"scope","by":"eva","rules":3,"domains":0,"now":{}}
{"time":"2026-03-01T06:06:00Z","event":"paused","why":"the disk is nearly full"}
`
	if err := os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(events), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := review.Steered(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range list {
		got = append(got, s.Time.Format("15:04 ")+s.By+": "+s.What)
	}
	want := `06:01 eva: paused
06:02 : went on
06:03 max: changed the limits: pages 40 to 45, time 0s to 1h0m0s (0: no limit)
06:04 eva: fetch first: http://a.example/law/ (12 queued addresses moved)
06:05 eva: changed what is fetched: 3 rules in force
06:06 : paused: the disk is nearly full`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
}
