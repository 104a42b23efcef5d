package api_test

import (
	"encoding/json"
	"log/slog"
	"os"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/archive/journal"
	"varve/serve/access"
	"varve/serve/api"
	"varve/serve/holdings"
	"varve/serve/review"
)

func TestTray(t *testing.T) {
	dir := t.TempDir()
	cat := catalog.Open(dir)
	col, err := cat.Collection("news")
	if err == nil {
		err = col.Create()
	}
	if err == nil {
		err = journal.Append(fixity.LedgerFile(col), fixity.Look{Time: time.Now(), File: "warc/a.warc.gz", Outcome: fixity.Missing})
	}
	if err != nil {
		t.Fatal(err)
	}
	w := &world{API: api.New(api.Config{Holdings: holdings.New(cat, time.Now), Archive: dir, Now: time.Now, Log: slog.New(slog.DiscardHandler), Version: "test"})}
	show := func() (tray review.Tray) {
		t.Helper()
		resp := w.do(t, access.Curator, "GET", "/api/tray", "")
		if err := json.NewDecoder(resp.Body).Decode(&tray); err != nil || resp.StatusCode != 200 {
			t.Fatal(resp.StatusCode, err)
		}
		return tray
	}
	tray := show()
	if len(tray.Open) == 0 || tray.Open[0].Kind != review.AuditFinding {
		t.Fatalf("%+v", tray)
	}
	id := tray.Open[0].ID
	for _, c := range []struct {
		role         access.Role
		target, body string
		want         int
	}{
		{access.Viewer, "/api/tray/" + id, `{"do":"done"}`, 403},
		{access.Curator, "/api/tray/" + id, `{"do":"burn"}`, 400},
		{access.Curator, "/api/tray/" + id, `{"do":"snooze"}`, 400},
		{access.Curator, "/api/tray/" + id, `{"until":1}`, 400},
		{access.Curator, "/api/tray/0123456789abcdef", `{"do":"done"}`, 404},
		{access.Curator, "/api/tray/" + id, `{"do":"done","why":"a copy is there"}`, 200},
	} {
		if resp := w.do(t, c.role, "POST", c.target, c.body); resp.StatusCode != c.want {
			t.Errorf("%s %s %s: %d, want %d", c.role, c.target, c.body, resp.StatusCode, c.want)
		}
	}
	if tray := show(); len(tray.Aside) != 1 || tray.Aside[0].Decision.By != "eva" || tray.Aside[0].ID != id {
		t.Errorf("%+v", tray)
	}
	if resp := w.do(t, access.Viewer, "GET", "/api/tray", ""); resp.StatusCode != 403 {
		t.Errorf("a viewer sees it: %d", resp.StatusCode)
	}
	if _, err := os.Stat(review.DecisionsFile(col.Dir())); err != nil {
		t.Error(err)
	}
}
