package review_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/archive/journal"
	"varve/serve/holdings"
	"varve/serve/review"
)

// desk is an archive with a missing file, one that is not indexed, and a crawl that was killed.
func desk(t *testing.T, at *time.Time) (*review.Desk, *catalog.Collection) {
	t.Helper()
	dir := t.TempDir()
	cat := catalog.Open(dir)
	col, err := cat.Collection("news")
	if err == nil {
		err = col.Create()
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"warc/a.warc.gz": "a", "crawls/20260301T060000Z/definition.json": `{"name":"daily","seeds":["https://a.example/"]}`,
	} {
		path := filepath.Join(col.Dir(), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.AddDate(0, 0, -3), now.AddDate(0, 0, -3)); err != nil {
			t.Fatal(err)
		}
	}
	day := func(n int) time.Time { return now.AddDate(0, 0, -n) }
	if err := journal.Append(fixity.LedgerFile(col),
		fixity.Look{Time: day(9), File: "warc/b.warc.gz", Outcome: fixity.Recorded}, fixity.Look{Time: day(8), File: "warc/b.warc.gz", Outcome: fixity.Missing},
		fixity.Look{Time: day(7), File: "warc/b.warc.gz", Outcome: fixity.Missing},
		fixity.Look{Time: day(8), File: "warc/c.warc.gz", Outcome: fixity.Changed}, fixity.Look{Time: day(7), File: "warc/c.warc.gz", Outcome: fixity.Accepted},
	); err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return *at }
	return &review.Desk{Archive: dir, Holdings: holdings.New(cat, clock), Now: clock, Disk: func(string) (review.Disk, error) { return review.Disk{Free: 1 << 30, Size: 1 << 40}, nil }}, col
}

func open(t *testing.T, d *review.Desk) *review.Tray {
	t.Helper()
	tray, err := d.Tray(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tray
}

func TestDesk(t *testing.T) {
	at := now
	d, col := desk(t, &at)
	tray := open(t, d)
	if got := told(tray.Open); got != "audit warc/b.warc.gz@02, disk disk@10, crawl-failed 20260301T060000Z@01, index-behind index@07" {
		t.Fatal(got)
	}
	audit, disk := tray.Open[0], tray.Open[1]
	for _, dec := range []review.Decision{
		{ID: audit.ID, Do: review.Snooze, Until: now.AddDate(0, 0, 7), By: "eva", Why: "the copy is on its way"}, {ID: disk.ID, Do: review.Done, By: "eva"},
	} {
		if _, err := d.Decide(t.Context(), dec); err != nil {
			t.Fatal(err)
		}
	}
	tray = open(t, d)
	if len(tray.Open) != 2 || len(tray.Aside) != 2 || tray.Aside[0].Decision.By != "eva" || tray.Aside[0].Decision.Kind != review.AuditFinding {
		t.Fatalf("%s / %+v", told(tray.Open), tray.Aside)
	}
	at = now.AddDate(0, 0, 8) // the snooze is over, and what was said about the disk held for a day
	if got := told(open(t, d).Open); !strings.HasPrefix(got, "audit warc/b.warc.gz@02, disk disk@18") {
		t.Error(got)
	}
	at = now
	if _, err := d.Decide(t.Context(), review.Decision{ID: disk.ID, Do: review.Reopen, By: "max"}); err != nil {
		t.Fatal(err)
	}
	if tray := open(t, d); len(tray.Open) != 3 || tray.Open[0].Decision.By != "max" {
		t.Errorf("%s", told(tray.Open))
	}
	// A torn line is told of and hides nothing else.
	f, err := os.OpenFile(review.DecisionsFile(col.Dir()), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteString("nonsense\n")
	if err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	if tray := open(t, d); len(tray.Aside) != 1 || !strings.Contains(told(tray.Open), "unreadable labels/tray.jsonl") {
		t.Errorf("%s", told(tray.Open))
	}
}

func TestRefusedDecisions(t *testing.T) {
	at := now
	d, _ := desk(t, &at)
	id := open(t, d).Open[0].ID
	for name, c := range map[string]struct {
		dec  review.Decision
		kind varve.Kind
	}{
		"no id":             {review.Decision{ID: "../../x", Do: review.Done}, varve.Invalid},
		"unknown":           {review.Decision{ID: "0123456789abcdef", Do: review.Done}, varve.NotFound},
		"what":              {review.Decision{ID: id, Do: "burn"}, varve.Invalid},
		"snooze into past":  {review.Decision{ID: id, Do: review.Snooze, Until: now.Add(-time.Hour)}, varve.Invalid},
		"snooze for ever":   {review.Decision{ID: id, Do: review.Snooze}, varve.Invalid},
		"done until":        {review.Decision{ID: id, Do: review.Done, Until: now.Add(time.Hour)}, varve.Invalid},
		"too long a reason": {review.Decision{ID: id, Do: review.Done, Why: strings.Repeat("x", 4001)}, varve.Invalid},
	} {
		if _, err := d.Decide(t.Context(), c.dec); varve.KindOf(err) != c.kind {
			t.Errorf("%s: %v", name, err)
		}
	}
	if tray := open(t, d); len(tray.Aside) != 0 {
		t.Errorf("%+v", tray.Aside)
	}
}
