package retention_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/bag"
	"varve/archive/catalog"
	"varve/archive/fixity"
	"varve/archive/spool"
	"varve/archive/store"
	"varve/archive/store/storetest"
	"varve/archive/warc"
	"varve/coherence/statement"
	"varve/index/cdx"
	"varve/lab/servetest"
	"varve/serve/access"
	"varve/serve/retention"
)

// house is an archive with its decisions and a clock.
type house struct {
	t     *testing.T
	dir   string
	col   *catalog.Collection
	audit *access.Audit
	book  *retention.Book
	at    time.Time
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := &house{t: t, dir: t.TempDir(), at: time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC)}
	if err := servetest.Small(t.Context(), h.dir); err != nil {
		t.Fatal(err)
	}
	var err error
	if h.col, err = catalog.Open(h.dir).Collection("aachen"); err != nil {
		t.Fatal(err)
	}
	h.index()
	h.audit = access.OpenAudit(filepath.Join(h.dir, "access"))
	h.reopen()
	return h
}

func (h *house) reopen() {
	h.book = retention.Open(h.dir, h.audit, rand.Reader, func() time.Time { return h.at })
}

func (h *house) index() {
	h.t.Helper()
	b, err := cdx.NewBuilder(h.col.IndexDir("cdx"), cdx.Config{})
	if err != nil {
		h.t.Fatal(err)
	}
	defer b.Close()
	files, err := h.col.Files()
	if err != nil {
		h.t.Fatal(err)
	}
	var list []cdx.File
	for _, f := range files {
		list = append(list, cdx.File{Name: f.Name, Path: f.Path, Kind: cdx.Kind(f.Kind), From: f.From})
	}
	if _, err := b.Refresh(h.t.Context(), list); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) verdicts() []retention.Verdict {
	h.t.Helper()
	s, err := h.book.State()
	if err != nil {
		h.t.Fatal(err)
	}
	seen, err := retention.Look(h.t.Context(), h.col, s)
	if err != nil {
		h.t.Fatal(err)
	}
	return retention.Judge(seen.Units, seen.Needs, s, h.at)
}

func (h *house) statuses() string {
	h.t.Helper()
	var out []string
	for _, v := range h.verdicts() {
		out = append(out, string(v.Status))
	}
	return strings.Join(out, " ")
}

func (h *house) delete() *retention.Deletion {
	h.t.Helper()
	d, err := h.book.Delete(h.t.Context(), retention.Order{Collection: h.col, By: "ada"})
	if err != nil {
		h.t.Fatal(err)
	}
	return d
}

// whole tells whether every revisit that is left stands for content that is left.
func (h *house) whole() (records int) {
	h.t.Helper()
	files, err := h.col.WARCs()
	if err != nil {
		h.t.Fatal(err)
	}
	have, want := map[string]bool{}, map[string]string{}
	for _, f := range files {
		in, err := os.Open(f.Path)
		if err != nil {
			h.t.Fatal(err)
		}
		r, err := warc.NewReader(in, warc.Options{Name: f.Path})
		if err != nil {
			h.t.Fatal(err)
		}
		for {
			rec, err := r.Next()
			if err != nil {
				break
			}
			records++
			switch d := rec.Header.Get("WARC-Payload-Digest"); rec.Type() {
			case warc.TypeResponse, warc.TypeResource:
				have[d] = true
			case warc.TypeRevisit:
				want[d] = f.Name + " " + rec.TargetURI()
			}
		}
		r.Close()
		in.Close()
	}
	for d, of := range want {
		if !have[d] {
			h.t.Errorf("the content of the revisit %s is gone", of)
		}
	}
	return records
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The whole way: a rule makes units due, nothing goes without a review and its days, a hold beats both, what stays keeps its content, and what
// went is written down.
func TestRetention(t *testing.T) {
	h := newHouse(t)
	units := h.verdicts()
	if len(units) < 3 {
		t.Fatalf("%d units", len(units))
	}
	if s := h.statuses(); strings.Trim(strings.ReplaceAll(s, "no-rule", ""), " ") != "" {
		t.Errorf("without a rule: %s", s)
	}
	last := units[len(units)-1]

	// A rule with a longer time for the collection goes before one for all; of the same reach the longest counts.
	all, err := h.book.AddRule(retention.Rule{Days: 30, Reason: "schedule 4"}, "ada")
	must(t, err)
	own, err := h.book.AddRule(retention.Rule{Collection: "aachen", Days: 100 * 365, Reason: "permanent"}, "ada")
	must(t, err)
	if s := h.statuses(); strings.Contains(s, "due") {
		t.Errorf("the rule of the collection does not count: %s", s)
	}
	must(t, h.book.EndRule(own.ID, "ada", "revised"))
	if s := h.statuses(); s != strings.TrimSpace(strings.Repeat("due ", len(units))) {
		t.Errorf("by the rule for all: %s", s)
	}

	// A hold on the time of the last crawl keeps it, and the units whose content its revisits stand for.
	hold, err := h.book.AddHold(retention.Hold{Matter: "Doe v. Roe", Collection: "aachen", From: last.First, Reason: "letter of counsel"}, "ada")
	must(t, err)
	now := h.verdicts()
	if v := now[len(now)-1]; v.Status != retention.Held || !slices.Contains(v.Held, hold.ID) {
		t.Errorf("the last crawl: %s", v.Status)
	}
	needed := 0
	for _, v := range now {
		if v.Status == retention.Needed {
			needed++
			if v.Needers == 0 || len(v.NeededBy) == 0 {
				t.Errorf("%s is needed by nobody", v.Unit.Unit)
			}
		}
		if v.Status == retention.Held || v.Status == retention.Needed {
			if err := h.book.Approve(v, "eva", "old"); varve.KindOf(err) != varve.Conflict {
				t.Errorf("%s, %s, was approved: %v", v.Unit.Unit, v.Status, err)
			}
		}
	}
	if needed == 0 {
		t.Error("the last crawl needs none of the others: the test shows nothing")
	}

	// Released, all are due again. Approved before, a hold that comes later still wins.
	must(t, h.book.Release(hold.ID, "ada", "settled"))
	for _, v := range h.verdicts() {
		must(t, h.book.Approve(v, "eva", "old"))
	}
	if d := h.delete(); len(d.Deleted) != 0 || len(d.Left) != len(units) {
		t.Fatalf("deleted on the day of the review: %+v", d)
	}
	h.at = h.at.Add(retention.Grace + time.Hour)
	hold, err = h.book.AddHold(retention.Hold{Matter: "Doe v. Roe II", Prefix: "http://aachen.sim.test/", From: last.First, Reason: "letter"}, "ada")
	must(t, err)
	before := h.whole()
	d := h.delete()
	if after := h.whole(); len(d.Deleted)+len(d.Left) != len(units) || (len(d.Deleted) > 0) != (after < before) {
		t.Errorf("%d deleted, %d left of %d; %d records, %d before", len(d.Deleted), len(d.Left), len(units), after, before)
	}
	if !slices.ContainsFunc(d.Left, func(v retention.Verdict) bool { return v.UnitName == last.UnitName && v.Status == retention.Held }) {
		t.Errorf("the unit under a hold: %+v", d.Left)
	}

	// One that a curator keeps is not deleted though it was approved; the rest goes when the hold is gone, and nothing is left that misses its content.
	must(t, h.book.Release(hold.ID, "ada", "settled"))
	must(t, h.book.Keep(last.UnitName, h.at.AddDate(1, 0, 0), "eva", "exhibition"))
	h.delete()
	h.whole()
	if v := h.verdicts(); len(v) == 0 || v[len(v)-1].Status != retention.Deferred {
		t.Errorf("kept by a curator: %s", h.statuses())
	}
	h.at = h.at.AddDate(1, 0, 1)
	for _, v := range h.verdicts() {
		if v.Status == retention.Due {
			must(t, h.book.Approve(v, "eva", "old"))
		}
	}
	h.at = h.at.Add(retention.Grace)
	h.delete()
	if left := h.verdicts(); len(left) != 0 {
		t.Errorf("left: %+v", left)
	}
	if files, _ := h.col.WARCs(); len(files) != 0 {
		t.Errorf("files left: %v", files)
	}
	if crawls, _ := h.col.Crawls(); len(crawls) != 0 {
		t.Errorf("crawls left: %v", crawls)
	}
	ix, err := cdx.Open(h.col.IndexDir("cdx"))
	must(t, err)
	defer ix.Close()
	if st, _ := ix.Stats(); st.Lines != 0 {
		t.Errorf("the index has %d lines", st.Lines)
	}

	// What went stands in the journal with its digests, and the ledger does not miss it.
	s, err := h.book.State()
	must(t, err)
	if len(s.Gone) != len(units) {
		t.Errorf("%d of %d are written down", len(s.Gone), len(units))
	}
	for _, g := range s.Gone {
		if g.Done.IsZero() || g.Counts.Captures == 0 || len(g.Files) == 0 || len(g.Files[0].SHA256) != 64 {
			t.Errorf("%+v", g)
		}
	}
	rep, err := fixity.Audit(t.Context(), h.col, fixity.Config{By: "t", Now: time.Now})
	if err != nil || rep.Bad() {
		t.Errorf("the ledger: %+v, %v", rep, err)
	}
	for _, err := range h.audit.Entries() {
		must(t, err)
	}
	_ = all
}

// Files of an archive with a store lie there, here, or in both places: an export has them, a deletion leaves nothing of them, and what
// stays is still in the index.
func TestFilesInAStore(t *testing.T) {
	for _, keep := range []bool{false, true} {
		t.Run(fmt.Sprintf("copies kept %v", keep), func(t *testing.T) {
			h := newHouse(t)
			far := store.NewCached(store.NewDirectory(t.TempDir()), store.CacheConfig{})
			archive := catalog.OpenWith(h.dir, far)
			var err error
			h.col, err = archive.Collection("aachen")
			must(t, err)
			cfg := spool.Config{Store: far, KeepLocal: keep, Now: func() time.Time { return h.at }}
			frontiers, err := filepath.Glob(filepath.Join(h.col.Dir(), "crawls", "*", "frontier")) // files of crawls that can be resumed stay here
			must(t, err)
			for _, dir := range frontiers {
				must(t, os.RemoveAll(dir))
			}
			sent, err := spool.Push(t.Context(), h.col, cfg)
			if err != nil || sent.Files == 0 || (sent.Removed == 0) != keep {
				t.Fatalf("%+v, %v", sent, err)
			}
			_, err = h.book.AddRule(retention.Rule{Days: 30, Reason: "schedule 4"}, "ada")
			must(t, err)
			units := h.verdicts()
			if s := h.statuses(); s != strings.TrimSpace(strings.Repeat("due ", len(units))) {
				t.Fatalf("by the rule: %s", s)
			}

			hold, err := h.book.AddHold(retention.Hold{Matter: "Doe v. Roe", Collection: "aachen", Reason: "letter"}, "ada")
			must(t, err)
			x := &retention.Export{Archive: archive, Hold: hold, By: "ada", Software: "test", Keys: statement.Keys{Dir: filepath.Join(h.dir, "keys"), Random: rand.Reader}}
			items, bagged, err := h.book.Prepare(t.Context(), x, t.TempDir())
			must(t, err)
			out := filepath.Join(t.TempDir(), "bag")
			_, err = bag.Write(t.Context(), out, items, bagged)
			must(t, err)
			if rep, err := retention.CheckExport(t.Context(), out, nil, nil); err != nil || len(rep.Findings) != 0 || len(rep.Inventory.Files) != sent.Files {
				t.Errorf("export of %d files: %+v, %v", sent.Files, rep, err)
			}
			must(t, h.book.Release(hold.ID, "ada", "settled"))

			last := units[len(units)-1] // nothing stands on its content
			must(t, h.book.Approve(last, "eva", "old"))
			h.at = h.at.Add(retention.Grace + time.Hour)
			order := retention.Order{Collection: h.col, By: "ada"}
			if _, err := h.book.Delete(t.Context(), order); err == nil {
				t.Error("deleted without a way to the store")
			}
			order.Drop = func(ctx context.Context, name string) error { return spool.Drop(ctx, h.col, cfg, name) }
			_, err = h.book.Delete(t.Context(), order) // goes on with the one that was broken off
			must(t, err)
			if left := h.verdicts(); len(left) != len(units)-1 || slices.ContainsFunc(left, func(v retention.Verdict) bool { return v.Status != retention.Due }) {
				t.Errorf("%d of %d left: %s", len(left), len(units), h.statuses())
			}
			if n := len(storetest.Keys(t, far, "")); n != sent.Files-len(last.Files) {
				t.Errorf("%d objects left of %d, %d should be gone", n, sent.Files, len(last.Files))
			}
			ix, err := cdx.Open(h.col.IndexDir("cdx"))
			must(t, err)
			defer ix.Close()
			want := int64(0)
			for _, v := range units[:len(units)-1] {
				want += v.Captures
			}
			if st, err := ix.Stats(); err != nil || st.Lines < want {
				t.Errorf("the index has %d lines for %d captures, %v", st.Lines, want, err)
			}
		})
	}
}

// Nothing is deleted while a line of the journal cannot be read: it may be a hold.
func TestDamagedDecisionsDeleteNothing(t *testing.T) {
	h := newHouse(t)
	_, err := h.book.AddRule(retention.Rule{Days: 1, Reason: "x"}, "ada")
	must(t, err)
	for _, v := range h.verdicts() {
		must(t, h.book.Approve(v, "eva", "old"))
	}
	_, err = h.book.AddHold(retention.Hold{Matter: "m", Prefix: "http://aachen.sim.test/", Reason: "r"}, "ada")
	must(t, err)
	h.at = h.at.Add(retention.Grace)
	text, err := os.ReadFile(h.book.Path())
	must(t, err)
	for _, turn := range []struct{ from, to string }{
		{"aachen.sim.test/\"", "aacxen.sim.test/\""}, // about another address: it could be read
		{`"do":"hold"`, `"do":"hald"`},
		{`"matter":"m"`, `"matter":"m`},
	} {
		must(t, os.WriteFile(h.book.Path(), []byte(strings.Replace(string(text), turn.from, turn.to, 1)), 0o600))
		h.reopen()
		if _, err := h.book.Delete(t.Context(), retention.Order{Collection: h.col, By: "ada"}); err == nil {
			t.Errorf("with %s it was deleted", turn.to)
		}
		for _, v := range h.verdicts() {
			if v.Status == retention.Due || v.Status == retention.Approved {
				t.Errorf("with %s a unit is %s", turn.to, v.Status)
			}
		}
		if _, err := h.book.HeldBy("aachen"); err == nil {
			t.Errorf("with %s a purge would be told that nothing is held", turn.to)
		}
	}
}

// A deletion that was killed between two files is finished by the next one; a hold that came between keeps the rest.
func TestBrokenOffDeletion(t *testing.T) {
	for _, held := range []bool{false, true} {
		h := newHouse(t)
		_, err := h.book.AddRule(retention.Rule{Days: 1, Reason: "x"}, "ada")
		must(t, err)
		for _, v := range h.verdicts() {
			must(t, h.book.Approve(v, "eva", "old"))
		}
		h.at = h.at.Add(retention.Grace)
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		_, err = h.book.Delete(ctx, retention.Order{Collection: h.col, By: "ada", Forget: func(context.Context, string) error {
			if calls++; calls == 2 { // the second unit was written down, and none of its files is gone
				cancel()
				return ctx.Err()
			}
			return nil
		}})
		cancel()
		if err == nil {
			t.Fatal("it was not broken off")
		}
		s, _ := h.book.State()
		if len(s.Gone) != 2 || s.Gone[0].Done.IsZero() || !s.Gone[1].Done.IsZero() {
			t.Fatalf("%+v", s.Gone)
		}
		h.at = h.at.Add(time.Hour)
		if held {
			_, err := h.book.AddHold(retention.Hold{Matter: "m", Reason: "r"}, "ada")
			must(t, err)
			if _, err := h.book.Delete(t.Context(), retention.Order{Collection: h.col, By: "ada"}); varve.KindOf(err) != varve.Conflict {
				t.Errorf("with a hold: %v", err)
			}
			continue
		}
		h.delete()
		if files, _ := h.col.WARCs(); len(files) != 0 {
			t.Errorf("files left: %v", files)
		}
	}
}

// A purge removes nothing that is under a hold, nor content that such a capture stands for; a takedown may withhold it.
func TestPurgeUnderHold(t *testing.T) {
	h := newHouse(t)
	units := h.verdicts()
	rules := access.OpenDecisions(filepath.Join(h.dir, "access"), h.audit)
	purge := func(prefix string) error {
		rep, err := access.Purge(t.Context(), access.PurgeOrder{
			Collection: h.col, Prefix: prefix, Reason: "order", By: "ada", Now: h.at, Rules: rules, Holds: h.book, Audit: h.audit, Software: "test",
		})
		if err == nil && rep.Records == 0 {
			t.Errorf("purge %s removed nothing", prefix)
		}
		return err
	}
	before := h.whole()
	hold, err := h.book.AddHold(retention.Hold{Matter: "m", Prefix: "http://aachen.sim.test/culture/", Reason: "r"}, "ada")
	must(t, err)
	if err := purge("http://aachen.sim.test/culture/"); varve.KindOf(err) != varve.Conflict {
		t.Errorf("what is held: %v", err)
	}
	set, err := rules.InForce()
	if err != nil || set.Check(access.Visitor{Role: access.Admin}, "aachen", "test,sim,aachen)/culture/x", h.at, h.at).Allowed {
		t.Error("what is held cannot be taken down")
	}
	must(t, h.book.Release(hold.ID, "ada", "over"))
	// Only the last crawl is held, but its revisits stand for what earlier ones recorded.
	_, err = h.book.AddHold(retention.Hold{Matter: "m", From: units[len(units)-1].First, Reason: "r"}, "ada")
	must(t, err)
	if err := purge("http://aachen.sim.test/"); varve.KindOf(err) != varve.Conflict {
		t.Errorf("what the held stand for: %v", err)
	}
	if after := h.whole(); after != before {
		t.Errorf("%d records, %d before", after, before)
	}
	_, err = access.Purge(t.Context(), access.PurgeOrder{Collection: h.col, Prefix: "http://aachen.sim.test/", Reason: "x", By: "y", Now: h.at, Rules: rules, Audit: h.audit})
	if varve.KindOf(err) != varve.Internal {
		t.Errorf("a purge that asks nobody about holds: %v", err)
	}
}

// An export with proof can be checked by others, and tells what was changed.
func TestExport(t *testing.T) {
	h := newHouse(t)
	units := h.verdicts()
	hold, err := h.book.AddHold(retention.Hold{Matter: "Doe v. Roe", Collection: "aachen", Prefix: "http://aachen.sim.test/", From: units[len(units)-1].First, Reason: "letter"}, "ada")
	must(t, err)
	must(t, h.audit.Append(access.Entry{Time: h.at, By: "x", Did: "something else", Collection: "other", Detail: "secret of others"}))
	keys := statement.Keys{Dir: filepath.Join(h.dir, "keys"), Random: rand.Reader}
	x := &retention.Export{Archive: catalog.Open(h.dir), Hold: hold, By: "ada", Software: "test", Keys: keys}
	items, cfg, err := h.book.Prepare(t.Context(), x, t.TempDir())
	must(t, err)
	out := filepath.Join(t.TempDir(), "bag")
	_, err = bag.Write(t.Context(), out, items, cfg)
	must(t, err)
	rep, err := retention.CheckExport(t.Context(), out, nil, nil)
	must(t, err)
	if len(rep.Findings) != 0 || rep.Inventory.Captures == 0 || len(rep.Inventory.Files) < 2 || rep.Audit == 0 {
		t.Fatalf("%+v", rep)
	}
	if b, _ := os.ReadFile(filepath.Join(out, "proof", "audit.jsonl")); strings.Contains(string(b), "secret of others") || !strings.Contains(string(b), hold.ID) {
		t.Errorf("the extract: %s", b)
	}
	lines, err := os.ReadFile(filepath.Join(out, "data", "captures", "aachen.cdxj"))
	if n := int64(strings.Count(string(lines), "\n")); err != nil || n != rep.Inventory.Captures {
		t.Errorf("%d captures are listed, %v", n, err)
	}

	// Each change is found: in content, in the list with all digests made anew, in the log.
	changes := map[string]func(dir string){
		"content": func(dir string) { flip(t, filepath.Join(dir, "data", filepath.FromSlash(rep.Inventory.Files[0].Name))) },
		"list": func(dir string) {
			path := filepath.Join(dir, "proof", "inventory.json")
			var inv retention.Inventory
			b, err := os.ReadFile(path)
			must(t, err)
			must(t, json.Unmarshal(b, &inv))
			inv.Hold.Matter = "another"
			b, err = json.Marshal(inv)
			must(t, err)
			must(t, os.WriteFile(path, b, 0o644))
		},
		"log": func(dir string) {
			path := filepath.Join(dir, "proof", "audit.jsonl")
			b, err := os.ReadFile(path)
			must(t, err)
			must(t, os.WriteFile(path, []byte(strings.Replace(string(b), "Doe", "Moe", 1)), 0o644))
		},
	}
	for name, change := range changes {
		dir := filepath.Join(t.TempDir(), "bag")
		must(t, os.CopyFS(dir, os.DirFS(out)))
		change(dir)
		rep, err := retention.CheckExport(t.Context(), dir, nil, nil)
		must(t, err)
		proof := map[string]string{"content": "data/", "list": "proof/inventory.json", "log": "proof/audit.jsonl"}[name]
		if !slices.ContainsFunc(rep.Findings, func(f retention.Finding) bool {
			return strings.HasPrefix(f.File, proof) && (name == "content" || !strings.HasPrefix(f.Message, "sha256"))
		}) {
			t.Errorf("%s was changed: %+v", name, rep.Findings)
		}
	}
	if _, _, err := h.book.Prepare(t.Context(), &retention.Export{Archive: catalog.Open(h.dir), Hold: retention.Hold{ID: "none", Collection: "nowhere"}, Keys: keys}, t.TempDir()); varve.KindOf(err) != varve.NotFound {
		t.Errorf("a hold about nothing: %v", err)
	}
}

func flip(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	b[len(b)/2] ^= 1
	must(t, os.WriteFile(path, b, 0o644))
}

// plainRecord writes a WARC record as other crawlers do.
func plainRecord(id int, at, head, block string) string {
	return fmt.Sprintf("WARC/1.0\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\nWARC-Date: %s\r\nWARC-Target-URI: http://far.test/page\r\n%sContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
		id, at, head, len(block), block)
}

// Heritrix gives the revisit of a 304 the digest of its empty body. It stands for what was at its address before all the same, which stays as long as it does.
func TestNotModifiedOfOthers(t *testing.T) {
	h := newHouse(t)
	var err error
	h.col, err = catalog.Open(h.dir).Collection("far")
	must(t, errors.Join(err, os.MkdirAll(h.col.WarcDir(), 0o755)))
	for name, text := range map[string]string{
		"old.warc": plainRecord(1, "2010-01-01T00:00:00Z", "WARC-Type: response\r\n", "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>the law of 2010"),
		"new.warc": plainRecord(2, "2029-12-01T00:00:00Z", "WARC-Type: revisit\r\nWARC-Profile: http://netpreserve.org/warc/1.0/revisit/server-not-modified\r\nWARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n", "HTTP/1.1 304 Not Modified\r\n\r\n"),
	} {
		must(t, os.WriteFile(filepath.Join(h.col.WarcDir(), name), []byte(text), 0o644))
	}
	h.index()
	_, err = h.book.AddRule(retention.Rule{Collection: "far", Days: 3650, Reason: "schedule"}, "ada")
	must(t, err)
	if got := h.statuses(); got != "needed kept" {
		t.Errorf("%s, want that the page of 2010 is needed by its 304 of 2029, which is kept", got)
	}
}
