package serve_test

import (
	"context"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
	"varve/serve"
	"varve/serve/access"
)

// No answer tells where in the file system of the server the archive lies: files of each kind are damaged, every route is asked as viewer
// and admin, and the name of the folder never comes back.
func TestAnswersTellNoPathsOfTheServer(t *testing.T) {
	h := buildHushed(t)
	telling := filepath.Base(h.dir)
	told, tally := 0, attack.Count(t)
	for _, round := range []struct {
		name   string
		damage func(path string) bool
	}{
		{"journals", func(path string) bool { return filepath.Ext(path) == ".jsonl" && filepath.Base(path) != "rules.jsonl" }},
		{"records", func(path string) bool { return strings.Contains(path, "/warc/") }},
		{"documents", func(path string) bool { return filepath.Ext(path) == ".json" || filepath.Ext(path) == ".toml" }},
		{"indexes and tables", func(path string) bool { return !strings.Contains(path, "/access/") }},
		{"rules", func(path string) bool { return filepath.Base(path) == "rules.jsonl" }},
	} {
		spoil(t, h, round.damage)
		ctx, cancel := context.WithCancel(t.Context())
		srv, err := serve.Listen(ctx, serve.Config{Archive: h.dir, Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- srv.Run(ctx) }()
		a := &asking{t: t, ui: srv.URL(), content: srv.ReplayURL()}
		a.main, a.replay = srv.Handlers()
		users := access.OpenUsers(filepath.Join(h.dir, "access"))
		for _, r := range []access.Role{access.Viewer, access.Admin} {
			if err := users.Put(string(r), r, "", time.Now()); err != nil {
				t.Fatal(err)
			}
			token, _, err := users.NewToken(string(r), "", time.Now(), time.Time{})
			if err != nil {
				t.Fatal(err)
			}
			who := role{name: string(r), token: token, from: "203.0"}
			failed := map[int]int{}
			for _, d := range h.doors(t, srv, a) {
				for i, q := range d.asks {
					if i >= 4 && d.pattern != "sent" && d.pattern != "replay" || q.changes && r == access.Admin || strings.HasSuffix(q.target, "/events") || strings.HasSuffix(q.target, "/fetched") {
						continue
					}
					status, body, head := a.whole(who, q)
					failed[status]++
					tally.Try(1)
					all := unpacked(body)
					for _, list := range head {
						all += "\n" + strings.Join(list, "\n")
					}
					if at := strings.Index(all, telling); at >= 0 {
						if told++; told < 40 {
							t.Errorf("%s, %s: %s %s tells where the archive is: ...%q", round.name, r, q.method, q.target, all[max(0, at-120):min(len(all), at+80)])
						}
					}
				}
			}
			t.Logf("%s, %s: answers by status %v", round.name, r, failed)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// whole asks; an answer that broke off is none.
func (a *asking) whole(who role, q query) (status int, body string, head http.Header) {
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler { //nolint:errorlint // net/http compares it so
			panic(v)
		}
	}()
	return a.ask(who, q.method, q.target, q.body)
}

// spoil adds a line that is none to the files of the archive that are to be damaged, and to journals that are not there.
func spoil(t *testing.T, h *hushed, which func(path string) bool) {
	t.Helper()
	col := filepath.Join(h.dir, "collections", "site")
	var files []string
	for _, name := range []string{
		"fixity.jsonl", "events.jsonl", "references.jsonl", "media/queue.jsonl", "labels/notes.jsonl", "labels/spam.jsonl", "labels/searches.jsonl", "labels/media.jsonl",
		"labels/definitions.jsonl", "labels/tray.jsonl", "labels/selection-town.jsonl", "derived/failures.jsonl", "../../access/rules.jsonl", "../../labels/tray.jsonl",
	} {
		files = append(files, filepath.Join(col, name))
	}
	err := filepath.WalkDir(h.dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == h.live.ID || e.Name() == "catalogue" || e.Name() == "history"):
			return fs.SkipDir
		case e.Type().IsRegular() && !strings.Contains(path, "users"):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		if !which(path) || strings.Contains(path, "/access/") && filepath.Base(path) != "rules.jsonl" {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if ext := filepath.Ext(path); ext != ".jsonl" {
			b = b[:len(b)/2] // and what is left begins wrong
		}
		if err := os.WriteFile(path, append([]byte("{\"id\":7,\n"), b...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
