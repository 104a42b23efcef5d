package review_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/serve/holdings"
	"varve/serve/review"
)

// What was decided about alerts holds when the archive is moved: their ids do not depend on where it lies.
func TestAlertsOfAMovedArchive(t *testing.T) {
	now := func() time.Time { return time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC) }
	ids := func(root string) (out []string) {
		dir := filepath.Join(t.TempDir(), root)
		for name, text := range map[string]string{
			"collections/news/collection.toml": "title = ", "collections/news/labels/notes.jsonl": "{bad}\n", "collections/news/labels/spam.jsonl": "{bad}\n",
			"collections/news/fixity.jsonl": "{bad}\n", "collections/news/references.jsonl": "{bad}\n", "collections/news/labels/definitions.jsonl": "{bad}\n", "access/rules.jsonl": "{bad}\n",
			"collections/news/crawls/20260101000000-aaaa/report.json": "{bad}",
		} {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		desk := &review.Desk{Archive: dir, Holdings: holdings.New(catalog.Open(dir), now), Now: now}
		named := map[string]string{}
		told := false
		for _, a := range open(t, desk).Open {
			named[a.Subject] = a.ID
			told = told || strings.Contains(a.What, dir)
		}
		if len(named) < 6 || !told {
			t.Errorf("%d alerts, with the path of a file %v: %v", len(named), told, named)
		}
		for _, subject := range slices.Sorted(maps.Keys(named)) {
			out = append(out, subject+" "+named[subject])
		}
		return out
	}
	if here, there := ids("here"), ids("there/archive/"); !slices.Equal(here, there) {
		t.Errorf("ids differ:\n%s\n%s", strings.Join(here, "\n"), strings.Join(there, "\n"))
	}
}
