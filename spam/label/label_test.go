package label_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/spam/label"
)

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func entry(host string, v label.Verdict, minute int) label.Entry {
	return label.Entry{Host: host, Label: v, Who: "eva", When: noon.Add(time.Duration(minute) * time.Minute)}
}

func TestAppendAndLatest(t *testing.T) {
	l := label.Open(t.TempDir())
	if all, err := l.All(); err != nil || len(all) != 0 {
		t.Fatal(all, err)
	}
	first := entry("A.Example:80", label.Spam, 0)
	first.Genre, first.Trust, first.Note, first.Why = []string{"news", "commercial"}, 1, "zwei\nZeilen", "ring"
	for _, e := range []label.Entry{first, entry("http://b.example/x", label.Normal, 1), entry("a.example", label.Normal, 2), entry("c.example:8080", label.Undecided, 3)} {
		if err := l.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	all, err := l.All()
	if err != nil || len(all) != 4 {
		t.Fatal(all, err)
	}
	if all[0].Host != "a.example" || !slices.Equal(all[0].Genre, first.Genre) || all[0].Note != first.Note || !all[0].When.Equal(noon) {
		t.Errorf("read back %+v", all[0])
	}
	latest, err := l.Latest()
	if err != nil {
		t.Fatal(err)
	}
	if got := label.Hosts(latest, label.Normal); !slices.Equal(got, []string{"a.example", "b.example"}) {
		t.Errorf("normal: %v", got)
	}
	if n := label.Count(latest); n[label.Undecided] != 1 || n[label.Spam] != 0 {
		t.Errorf("counts %v", n)
	}
	if said := label.Of(all, "a.example"); len(said) != 2 {
		t.Errorf("said of a.example: %v", said)
	}
}

// Own labels stay in force whatever others say later; later own ones take their place, also when written out of order.
func TestPrecedence(t *testing.T) {
	theirs := entry("a.example", label.Normal, 10)
	theirs.From = "library"
	got := label.Latest([]label.Entry{entry("a.example", label.Spam, 5), theirs, entry("a.example", label.Undecided, 1)})["a.example"]
	if got.Label != label.Spam {
		t.Errorf("in force: %+v", got)
	}
	got = label.Latest([]label.Entry{theirs, entry("a.example", label.Undecided, 1)})["a.example"]
	if got.Label != label.Undecided {
		t.Errorf("in force: %+v", got)
	}
}

func TestBadEntries(t *testing.T) {
	l := label.Open(t.TempDir())
	for name, change := range map[string]func(*label.Entry){
		"host":  func(e *label.Entry) { e.Host = "" },
		"odd":   func(e *label.Entry) { e.Host = "a b" },
		"label": func(e *label.Entry) { e.Label = "ham" },
		"genre": func(e *label.Entry) { e.Genre = []string{"poetry"} },
		"level": func(e *label.Entry) { e.Trust = 4 },
		"who":   func(e *label.Entry) { e.Who = "" },
		"when":  func(e *label.Entry) { e.When = time.Time{} },
		"long":  func(e *label.Entry) { e.Note = strings.Repeat("x", 4001) },
		"utf8":  func(e *label.Entry) { e.Why = "\xff" },
	} {
		e := entry("a.example", label.Spam, 0)
		change(&e)
		if err := l.Append(entry("good.example", label.Spam, 0), e); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
	if all, err := l.All(); err != nil || len(all) != 0 {
		t.Errorf("a part of a bad batch was written: %v, %v", all, err)
	}
}

// A kill may leave half a line: readers pass over it and the next writer cuts it; whole lines are never lost.
func TestTornLine(t *testing.T) {
	l := label.Open(t.TempDir())
	if err := l.Append(entry("a.example", label.Spam, 0), entry("b.example", label.Spam, 0)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(l.Path(), whole[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		before, err := l.All()
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if err := l.Append(entry("c.example", label.Normal, 1)); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		after, err := l.All()
		if err != nil || len(after) != len(before)+1 || after[len(after)-1].Host != "c.example" {
			t.Fatalf("cut at %d: %d entries before, after %v, %v", cut, len(before), after, err)
		}
	}
}

func TestReadTellsTheLine(t *testing.T) {
	const head = `{"format":"varve-spam-labels","version":1}` + "\n"
	for name, c := range map[string]struct{ text, want string }{
		"no header": {`{"host":"a.example","label":"spam","who":"x","when":"2026-01-01T00:00:00Z"}` + "\n", "line 1"},
		"other":     {`{"format":"x","version":1}` + "\n", `"x"`},
		"newer":     {`{"format":"varve-spam-labels","version":2}` + "\n", "version 2"},
		"no JSON":   {head + "spam\n", "line 2"},
		"no host":   {head + "\n" + `{"label":"spam","who":"x","when":"2026-01-01T00:00:00Z"}` + "\n", "line 3"},
		"long":      {head + strings.Repeat("x", 5<<20) + "\n", "longer"},
	} {
		err := label.Read(strings.NewReader(c.text), func(label.Entry) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// One bad line loses only itself, wherever it is, and is named; what is appended behind it counts.
func TestBadLineLosesOnlyItself(t *testing.T) {
	for line := 1; line <= 4; line++ {
		l := label.Open(t.TempDir())
		if err := l.Append(entry("a.example", label.Spam, 0), entry("b.example", label.Spam, 0), entry("c.example", label.Spam, 0)); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(l.Path())
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(b), "\n")
		lines[line-1] = "#" + lines[line-1][1:]
		if err := os.WriteFile(l.Path(), []byte(strings.Join(lines, "")), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := l.Append(entry("d.example", label.Normal, 1)); err != nil {
			t.Fatal(err)
		}
		want := 3
		if line == 1 { // the header
			want = 4
		}
		latest, err := l.Latest()
		if err != nil || len(latest) != want || latest["d.example"].Label != label.Normal {
			t.Errorf("line %d: %d labels, %v", line, len(latest), err)
		}
		if err := l.Unread(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("line %d:", line)) {
			t.Errorf("line %d: not named: %v", line, err)
		}
	}
}

func TestShare(t *testing.T) {
	ours, theirs := label.Open(t.TempDir()), label.Open(t.TempDir())
	noted := entry("a.example", label.Spam, 0)
	noted.Note = "between us"
	if err := ours.Append(noted, entry("a.example", label.Normal, 1), entry("u.example", label.Undecided, 1)); err != nil {
		t.Fatal(err)
	}
	if err := theirs.Append(entry("a.example", label.Spam, 2)); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if n, err := ours.Export(&b, label.Sharing{Who: "library"}); n != 2 || err != nil || strings.Contains(b.String(), "eva") || strings.Contains(b.String(), "between") {
		t.Fatal(n, err, b.String())
	}
	file := b.String()
	got, err := theirs.Import(strings.NewReader(file), "the library")
	if err != nil || got.Added != 2 || !slices.Equal(got.Conflicts, []string{"a.example"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = theirs.Import(strings.NewReader(file), "the library"); err != nil || got.Added != 0 || got.Known != 2 {
		t.Errorf("again: %+v, %v", got, err)
	}
	if latest, _ := theirs.Latest(); latest["a.example"].Label != label.Spam {
		t.Errorf("their own label is not in force: %+v", latest)
	}
	b.Reset()
	if n, err := theirs.Export(&b, label.Sharing{Own: true, Latest: true, Notes: true, Undecided: true}); n != 1 || err != nil {
		t.Errorf("%d own labels, %v", n, err)
	}
}

func TestManyWriters(t *testing.T) {
	l := label.Open(t.TempDir())
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 10 {
				if err := l.Append(entry(fmt.Sprintf("h%d-%d.example", w, i), label.Spam, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if all, err := l.All(); err != nil || len(all) != 80 {
		t.Errorf("%d entries, %v", len(all), err)
	}
}

// The file of version 1 can be read for ever.
func TestVersion1(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "spam.v1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	if err := label.Read(f, func(label.Entry) error { n++; return nil }); err != nil || n != 3 {
		t.Errorf("%d entries, %v", n, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"format":"varve-spam-labels","version":1}` + "\n" + `{"host":"a.example","label":"spam","who":"x","when":"2026-01-01T00:00:00Z"}` + "\n")
	f.Add("{}\n{\n")
	f.Fuzz(func(t *testing.T, text string) {
		var all []label.Entry
		if label.Read(strings.NewReader(text), func(e label.Entry) error { all = append(all, e); return nil }) != nil {
			return
		}
		var b bytes.Buffer
		if err := label.Write(&b, all); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		var again []label.Entry
		if err := label.Read(&b, func(e label.Entry) error { again = append(again, e); return nil }); err != nil || len(again) != len(all) {
			t.Fatalf("%d entries, then %d: %v", len(all), len(again), err)
		}
	})
}
