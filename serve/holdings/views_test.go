package holdings

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/web/canon"
)

// capture makes a capture of day d with a digest and a status.
func capture(url string, d int, digest string, status int) IndexedCapture {
	return IndexedCapture{Key: canon.SURT(url), Capture: varve.Capture{
		URL: url, Time: time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, d), Status: status, MIME: "text/html", Digest: digest,
	}}
}

// history makes captures from words such as "a200", one a day.
func history(url, words string) (out []IndexedCapture) {
	for i, w := range strings.Fields(words) {
		var status int
		if _, err := fmt.Sscanf(w[1:], "%d", &status); err != nil {
			panic(err)
		}
		out = append(out, capture(url, i, w[:1], status))
	}
	return out
}

func TestVersions(t *testing.T) {
	for _, tt := range []struct{ words, want string }{
		{"a200", "a200×1"},
		{"a200 a200 a200", "a200×3"},
		{"a200 b200 a200", "a200×1 b200×1 a200×1"},
		{"a200 x304 x304 b200", "a200×3 b200×1"},
		{"a200 a304 a200 a304 a200 b200", "a200×5 b200×1"}, // visits that are asked conditionally, revisits that are not
		{"a200 x304 a200", "a200×3"},                       // the digest of a 304 by others may be of nothing
		{"a200 x503 x429 a200", "a200×2"},
		{"a200 x404 y404 z410 a200", "a200×1 x404×3 a200×1"},
		{"a301 a301 b301", "a301×2 b301×1"},
		{"-200 a200 -200", "a200×1"}, // what has no digest says nothing
		{"x503", ""},
		{"", ""},
	} {
		var got []string
		for _, v := range Versions(history("http://a.example/", tt.words), nil) {
			got = append(got, fmt.Sprintf("%s%d×%d", v.Digest, v.Status, v.Captures))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%q: %s, want %s", tt.words, s, tt.want)
		}
	}
}

func TestTrivialChangesAreMerged(t *testing.T) {
	same := func(a, b IndexedCapture) bool { return strings.EqualFold(a.Digest, b.Digest) }
	got := Versions(history("http://a.example/", "a200 A200 a200 b200"), same)
	if len(got) != 2 || got[0].Captures != 3 || got[0].Trivial != 2 || !got[0].Valid.To.Equal(got[1].Valid.From) || !got[1].Valid.To.IsZero() {
		t.Errorf("%+v", got)
	}
}

func TestDays(t *testing.T) {
	if again := Days(history("http://a.example/", "a200 a304 a200")); len(again) != 3 || again[1].Changed || again[2].Changed {
		t.Errorf("nothing changed: %+v", again)
	}
	list := history("http://a.example/", "a200 a200 b200 x404")
	list = append(list, list[3])
	got := Days(list)
	var text []string
	for _, d := range got {
		text = append(text, fmt.Sprintf("%s %d %v %v", d.Date.Format(time.DateOnly), len(d.Captures), d.Changed, d.Gone))
	}
	want := []string{"2026-01-01 1 true false", "2026-01-02 1 false false", "2026-01-03 1 true false", "2026-01-04 2 true true"}
	if !slices.Equal(text, want) {
		t.Errorf("%q", text)
	}
}

func seq(list []IndexedCapture) iter.Seq2[IndexedCapture, error] {
	return func(yield func(IndexedCapture, error) bool) {
		for _, c := range list {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// site makes random captures in index order.
func site(rng *rand.Rand, pages, days int) (out []IndexedCapture) {
	for p := range pages {
		url := "http://a.example/" + strings.Repeat("d/", rng.IntN(4)) + fmt.Sprintf("p%03d", p)
		for d := range days {
			if rng.IntN(3) > 0 {
				out = append(out, capture(url, d*9, string(rune('a'+rng.IntN(2))), []int{200, 200, 200, 404, 503}[rng.IntN(5)]))
			}
		}
	}
	slices.SortStableFunc(out, func(a, b IndexedCapture) int {
		if k := strings.Compare(a.Key, b.Key); k != 0 {
			return k
		}
		return a.Time.Compare(b.Time)
	})
	return out
}

// Pages given in pieces are the pages given at once.
func TestPagesByCursor(t *testing.T) {
	list := site(rand.New(rand.NewPCG(3, 4)), 50, 6)
	all, cursor, err := Pages(seq(list), nil, 1000)
	if err != nil || cursor != "" || len(all) < 40 {
		t.Fatalf("%d pages, cursor %q, %v", len(all), cursor, err)
	}
	for _, size := range []int{1, 7, len(all), len(all) + 1} {
		var got []HeldPage
		after := ""
		for range 1000 {
			rest := slices.DeleteFunc(slices.Clone(list), func(c IndexedCapture) bool { return c.Key <= after })
			part, next, err := Pages(seq(rest), nil, size)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, part...)
			if after = next; next == "" {
				break
			}
		}
		if !slices.Equal(got, all) {
			t.Errorf("in pieces of %d: %d pages, want %d", size, len(got), len(all))
		}
	}
	n := 0
	for _, p := range all {
		n += p.Captures
	}
	if n != len(list) {
		t.Errorf("%d captures counted, want %d", n, len(list))
	}
}

// The map counts every capture once, in the row and column it belongs to.
func TestMapCountsEverything(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		list := site(rng, 1+rng.IntN(30), 1+rng.IntN(40))
		from, to := time.Time{}, time.Time{}
		if rng.IntN(2) > 0 {
			from = time.Date(2026, 1, 20, 0, 0, 0, 0, time.UTC)
			to = from.AddDate(0, rng.IntN(6), 3)
		}
		m, err := Map(seq(list), from, to, "", 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		type place struct{ row, depth int }
		want := map[place]int{}
		total := 0
		for _, c := range list {
			if !from.IsZero() && c.Time.Before(from) || !to.IsZero() && !c.Time.Before(to) {
				continue
			}
			total++
			for i, r := range m.Rows {
				if !c.Time.Before(r.From) && c.Time.Before(r.To) {
					want[place{i, Depth(c.URL)}]++
				}
			}
		}
		got := 0
		for i, r := range m.Rows {
			for depth, cell := range r.Cells {
				if cell.Total() != want[place{i, depth}] {
					t.Fatalf("row %d depth %d: %d, want %d", i, depth, cell.Total(), want[place{i, depth}])
				}
				got += cell.Total()
			}
		}
		if got != total || m.Captures != total || len(m.Rows) > maxRows+2 {
			t.Fatalf("%d of %d captures, %d rows", got, total, len(m.Rows))
		}
		inSections := 0
		for _, s := range m.Sections {
			inSections += s.Cell.Total()
		}
		if inSections != total {
			t.Fatalf("sections have %d of %d", inSections, total)
		}
	}
}

func TestMapIsBounded(t *testing.T) {
	m, err := Map(seq(site(rand.New(rand.NewPCG(7, 8)), 40, 10)), time.Time{}, time.Time{}, "", 25)
	if err != nil || !m.Partial || m.Captures != 25 {
		t.Errorf("%+v, %v", m.Captures, err)
	}
}

func TestSections(t *testing.T) {
	for _, tt := range []struct{ url, base, want string }{
		{"http://a.example/", "", "http://a.example/"},
		{"http://a.example/x", "", "http://a.example/"},
		{"http://a.example/news/1", "", "http://a.example/news/"},
		{"http://a.example/news/?p=1", "", "http://a.example/news/"},
		{"http://a.example/news/2026/1", "http://a.example/news/", "http://a.example/news/2026/"},
		{"http://a.example/news/x", "http://a.example/news/", "http://a.example/news/"},
		{"dns:a.example", "", "dns:a.example"},
	} {
		if got := sectionOf(tt.url, tt.base); got != tt.want {
			t.Errorf("%s below %q: %s, want %s", tt.url, tt.base, got, tt.want)
		}
	}
}

func TestUnits(t *testing.T) {
	at := time.Date(2026, 11, 15, 13, 14, 15, 0, time.UTC) // a Sunday
	for u, want := range map[Unit]string{Year: "2026", Quarter: "2026 Q4", Month: "2026-11", Week: "2026-11-09", DayUnit: "2026-11-15", Hour: "2026-11-15 13:00"} {
		low := u.Floor(at)
		if u.Label(low) != want || low.After(at) || !u.Next(low).After(at) {
			t.Errorf("%s: %s to %s, %s", u, low, u.Next(low), u.Label(low))
		}
	}
	if u := UnitFor(at, at.AddDate(10, 0, 0)); u != Year {
		t.Errorf("ten years in %s", u)
	}
	if u := UnitFor(at, at); u != Hour {
		t.Errorf("an instant in %s", u)
	}
}

func TestKeysOfFolders(t *testing.T) {
	for _, tt := range []struct {
		text string
		in   []string
		out  []string
	}{
		{"http://a.example/news/", []string{"http://a.example/news/", "http://a.example/news/1", "http://a.example/news/?p"}, []string{"http://a.example/newsletter", "http://a.example/"}},
		{"a.example", []string{"http://a.example/", "http://sub.a.example/x"}, []string{"http://ba.example/"}},
		{"http://a.example/ne", []string{"http://a.example/news"}, []string{"http://a.example/old"}},
		{"a.example/ne*", []string{"http://a.example/news"}, []string{"http://a.example/old"}},
		{"*.a.example", []string{"http://sub.a.example/"}, []string{"http://b.example/"}},
	} {
		match, target := Typed(tt.text)
		from, to, keep, err := Query{URL: target, Match: match}.Keys()
		if err != nil {
			t.Fatal(err)
		}
		has := func(url string) bool {
			k := canon.SURT(url)
			return k >= from && (to == "" || k < to) && keep(k)
		}
		for _, u := range tt.in {
			if !has(u) {
				t.Errorf("%s does not find %s", tt.text, u)
			}
		}
		for _, u := range tt.out {
			if has(u) {
				t.Errorf("%s finds %s", tt.text, u)
			}
		}
	}
}
