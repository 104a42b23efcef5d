package review

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Events are found by name, words and time, newest first, in pages that together are all of them; what a visitor may not see is not counted.
func TestEventsOf(t *testing.T) {
	dir := t.TempDir()
	ask := EventQuery{Limit: 7}
	if got, err := EventsOf(t.Context(), dir, ask); err != nil || got.Total != 0 || len(got.Steps) != 0 {
		t.Fatalf("of no file: %+v, %v", got, err)
	}
	start := time.Date(2026, 11, 16, 10, 0, 0, 0, time.UTC)
	var b strings.Builder
	for i := range 40 {
		name, more := "file", fmt.Sprintf(`"file":"varve-%d.warc.gz","records":%d`, i, i)
		if i%4 == 0 {
			name, more = "trap", fmt.Sprintf(`"url":"https://town.example/Calendar/%d","why":["deep","often"]`, i)
		}
		fmt.Fprintf(&b, "{\"time\":%q,\"event\":%q,%s}\n", start.Add(time.Duration(i)*time.Minute).Format(time.RFC3339), name, more)
	}
	b.WriteString("nonsense\n{\"time\":\"never\",\"event\":\"x\"}\n{\"time\":\"2026-11-16T10:00:00Z\"}\n")
	if err := os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	count := func(ask EventQuery) (n int, last *Events) {
		t.Helper()
		ask.Limit = 7
		seen := map[string]bool{}
		for {
			got, err := EventsOf(t.Context(), dir, ask)
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range got.Items {
				if i > 0 && e.Time.After(got.Items[i-1].Time) || seen[e.Time.String()] {
					t.Errorf("%v is at the wrong place", e)
				}
				seen[e.Time.String()] = true
			}
			n += len(got.Items)
			if last = got; got.Next == 0 {
				return n, last
			}
			ask.Before = got.Next
		}
	}
	for name, tt := range map[string]struct {
		ask  EventQuery
		want int
	}{
		"all":            {EventQuery{}, 40},
		"by name":        {EventQuery{Kinds: []string{"trap"}}, 10},
		"by two names":   {EventQuery{Kinds: []string{"trap", "file"}}, 40},
		"no such name":   {EventQuery{Kinds: []string{"none"}}, 0},
		"by words":       {EventQuery{Words: "calendar TOWN"}, 10},
		"in a list":      {EventQuery{Words: "often"}, 10},
		"by a field":     {EventQuery{Words: "varve-39"}, 1},
		"from":           {EventQuery{From: start.Add(30 * time.Minute)}, 10},
		"to":             {EventQuery{To: start.Add(9 * time.Minute)}, 10},
		"all together":   {EventQuery{Kinds: []string{"trap"}, Words: "example", From: start.Add(time.Minute), To: start.Add(12 * time.Minute)}, 3},
		"what one sees":  {EventQuery{Shown: func(l []byte) ([]byte, bool) { return l, !bytes.Contains(l, []byte("town")) }}, 30},
		"words withheld": {EventQuery{Words: "calendar", Shown: func(l []byte) ([]byte, bool) { return l, !bytes.Contains(l, []byte("town")) }}, 0},
	} {
		n, got := count(tt.ask)
		steps := int64(0)
		for _, s := range got.Steps {
			steps += s.Count
		}
		if n != tt.want || got.Total != int64(tt.want) || steps != got.Total || len(got.Steps) > maxSteps {
			t.Errorf("%s: %d listed, %d in all, %d in %d steps; want %d", name, n, got.Total, steps, len(got.Steps), tt.want)
		}
		if name == "all" && (got.Bad != 3 || got.Step != time.Minute || got.Kinds[0] != (EventCount{"file", 30})) {
			t.Errorf("all: %+v", got)
		}
	}
}

// Stretches of time are not more than can be shown, whatever the clock said.
func TestSteps(t *testing.T) {
	for _, of := range [][]int64{{0}, {0, 59}, {0, 61}, {-1, 1}, {0, 1 << 40}, {-1 << 40, 1 << 40}, {1_700_000_000, 1_700_100_000}} {
		seconds := map[int64]int64{}
		for _, s := range of {
			seconds[s] = 2
		}
		_, list := steps(seconds)
		sum := int64(0)
		for _, s := range list {
			sum += s.Count
		}
		if sum != 2*int64(len(of)) || len(list) > maxSteps || list[0].Count == 0 || list[len(list)-1].Count == 0 {
			t.Errorf("%v: %v", of, list)
		}
	}
}
