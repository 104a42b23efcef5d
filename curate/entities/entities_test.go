package entities

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/entity"
	"varve/entity/base"
	"varve/entity/emerging"
)

func day(n int) time.Time { return time.Date(2020, 1, n, 0, 0, 0, 0, time.UTC) }

func occurrence(n int, document, name string, words ...string) emerging.Occurrence {
	return emerging.Occurrence{Document: document, Time: day(n), Name: name, Type: "PER", Count: 1, Words: words}
}

var texts = []emerging.Occurrence{
	occurrence(2, "b", "Ada Fox", "laboratory", "machine"),
	occurrence(3, "c", "Ada Fox", "laboratory", "computer"),
	occurrence(4, "d", "Ada Lovefox", "laboratory", "letters"),
	occurrence(5, "e", "Berta Lind", "opera", "stage"),
}

func clusters(t *testing.T, list []emerging.Occurrence) []emerging.Cluster {
	t.Helper()
	out, err := emerging.Clusters(context.Background(), list, emerging.Default())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func find(t *testing.T, entries []Entry, name string) *Entry {
	t.Helper()
	for i := range entries {
		if entries[i].Name == name {
			return &entries[i]
		}
	}
	t.Fatalf("no entry %s", name)
	return nil
}

func TestDecisions(t *testing.T) {
	dir := t.TempDir()
	entries := Apply(clusters(t, texts), nil)
	fox, love, lind := find(t, entries, "Ada Fox"), find(t, entries, "Ada Lovefox"), find(t, entries, "Berta Lind")
	for _, d := range []Decision{
		{Do: Merge, ID: love.ID, Anchor: love.Anchor(), Into: fox.Anchor(), IntoID: fox.ID},
		{Do: Name, ID: fox.ID, Anchor: fox.Anchor(), Label: "Ada Fox-Love"},
		{Do: Promote, ID: fox.ID, Anchor: fox.Anchor()},
		{Do: Dismiss, ID: lind.ID, Anchor: lind.Anchor()},
	} {
		d.By, d.At = "ada", day(9)
		if err := Keep(dir, d); err != nil {
			t.Fatal(err)
		}
	}
	decisions, err := Read(dir)
	if err != nil || len(decisions) != 4 {
		t.Fatalf("%v %v", decisions, err)
	}
	// A text from before the others comes in: ids of clusters change, those of decisions do not.
	later := append([]emerging.Occurrence{occurrence(1, "a", "Ada Fox", "laboratory")}, texts...)
	fresh := clusters(t, later)
	entries = Apply(fresh, decisions)
	if len(entries) != 2 {
		t.Fatalf("%d entries, want 2", len(entries))
	}
	got := find(t, entries, "Ada Fox-Love")
	if got.ID != fox.ID || got.State != Promoted || got.Documents != 4 || !reflect.DeepEqual(got.Merged, []string{love.ID}) || !got.First.Equal(day(1)) {
		t.Errorf("%+v", got)
	}
	if l := find(t, entries, "Berta Lind"); l.State != Dismissed || l.ID != lind.ID {
		t.Errorf("%+v", l)
	}
	if e, err := Find(entries, love.ID); err != nil || e.Name != "Ada Fox-Love" {
		t.Errorf("by the id of what was merged: %v %v", e, err)
	}
	if e, err := Find(entries, "berta lind"); err != nil || e.ID != lind.ID {
		t.Errorf("by its name: %v %v", e, err)
	}
	if _, err := Find([]Entry{*lind, *lind}, "Berta Lind"); err == nil || !strings.Contains(varve.HintOf(err), lind.ID) {
		t.Errorf("a name that two have: %v", err)
	}
	if _, err := Find(entries, "new:nothing"); err == nil {
		t.Error("what is not there was found")
	}
	if err := Keep(dir, Decision{Do: Reopen, ID: lind.ID, Anchor: lind.Anchor(), At: day(10)}); err != nil {
		t.Fatal(err)
	}
	decisions, _ = Read(dir)
	if l := find(t, Apply(fresh, decisions), "Berta Lind"); l.State != Open {
		t.Errorf("open again it is %s", l.State)
	}
}

// What is promoted is an entity of the base, under all its names; a second telling replaces the first.
func TestTell(t *testing.T) {
	entries := Apply(clusters(t, texts), nil)
	find(t, entries, "Ada Fox").State = Promoted
	dir := t.TempDir()
	for range 2 {
		in, err := base.OpenIntake(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := Tell(in, "news", entries); err != nil {
			t.Fatal(err)
		}
		about, err := in.Build(context.Background(), base.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if about.Entities != 1 || len(about.Sources) != 1 {
			t.Errorf("%d entities of %d sources, want one of one", about.Entities, len(about.Sources))
		}
		if err := in.Close(); err != nil {
			t.Fatal(err)
		}
	}
	b, err := base.Open(filepath.Join(dir, base.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	candidates, err := b.Candidates("ada fox")
	if err != nil || len(candidates) != 1 {
		t.Fatalf("%v %v", candidates, err)
	}
	e, err := b.Entity(candidates[0].Entity)
	if err != nil || e.Label != "Ada Fox" || !strings.HasPrefix(e.ID, "new:") || !reflect.DeepEqual(e.Kinds, []string{"person"}) {
		t.Errorf("%+v %v", e, err)
	}
}

func TestBadLines(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "labels"), 0o755); err != nil {
		t.Fatal(err)
	}
	good := `{"version":1,"do":"dismiss","id":"new:1","anchor":{"key":"ada","document":"d"},"by":"b","at":"2020-01-01T00:00:00Z"}`
	if err := os.WriteFile(File(dir), []byte("not json\n"+`{"version":9,"do":"dismiss","id":"x","anchor":{"key":"k"}}`+"\n"+`{"version":1,"do":"dance","id":"x","anchor":{"key":"k"}}`+"\n"+good+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Read(dir)
	if err == nil || len(got) != 1 || got[0].Anchor.Key != entity.Key("Ada") {
		t.Errorf("%v %v", got, err)
	}
}
