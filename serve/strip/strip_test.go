package strip_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"varve/serve/strip"
)

func at(t *testing.T, s string) time.Time {
	t.Helper()
	for _, layout := range []string{"2006-01-02 15:04:05", time.DateOnly} {
		if v, err := time.Parse(layout, s); err == nil {
			return v
		}
	}
	t.Fatal(s)
	return time.Time{}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		from, to string
		most     int
		want     string
	}{
		{"1996-01-01", "2026-01-01", 9, "2000 2005 2010 2015 2020"},
		{"1996-01-01", "2026-01-01", 4, "2000 2010 2020"},
		{"2023-01-01", "2026-01-01", 9, "2023-01 2023-07 2024-01 2024-07 2025-01 2025-07"},
		{"2023-01-01", "2026-01-01", 2, "2023 2024"},
		{"2023-03-06", "2023-11-20", 4, "2023-04 2023-07 2023-10"},
		{"2023-03-06", "2023-03-12", 9, "2023-03-06 2023-03-07 2023-03-08 2023-03-09 2023-03-10 2023-03-11"},
		{"2023-03-06 10:00:00", "2023-03-08 10:00:00", 4, "03-06 12:00 03-07 00:00 03-07 12:00 03-08 00:00"},
		{"2023-03-06 10:02:00", "2023-03-06 10:31:00", 4, "2023-03-06 10:15"},
		{"2023-03-06 10:02:03", "2023-03-06 10:02:04", 4, "2023-03-06 10:02:03"},
	} {
		a := strip.Axis{From: at(t, c.from), To: at(t, c.to)}
		var got []string
		for _, x := range a.Ticks(c.most) {
			got = append(got, x.Label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s to %s, at most %d: %s, want %s", c.from, c.to, c.most, s, c.want)
		}
	}
}

// Whatever the axis: there is a label, there are not too many, they are in order, and each stands where its time is.
func TestTicksOfAnyAxis(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 2000 {
		from := time.Unix(r.Int64N(4e9)-1e9, r.Int64N(1e9)).UTC()
		a := strip.Axis{From: from, To: from.Add(time.Duration(float64(time.Second) * float64(1+r.IntN(1000)) * float64(uint64(1)<<r.IntN(23))))}
		for _, most := range []int{1, 2, 4, 9} {
			ticks := a.Ticks(most)
			if len(ticks) == 0 || len(ticks) > most {
				t.Fatalf("%v to %v: %d labels of at most %d", a.From, a.To, len(ticks), most)
			}
			for i, x := range ticks {
				if x.X < 0 || x.X > 100 || i > 0 && x.X <= ticks[i-1].X {
					t.Fatalf("%v to %v: %v", a.From, a.To, ticks)
				}
			}
		}
	}
}

var rects = regexp.MustCompile(`<rect class="band" x="([\d.]+)%" y="0" width="([\d.]+)%"`)

// places reads where bands were drawn.
func places(t *testing.T, s strip.Strip) (out [][2]float64) {
	t.Helper()
	for _, m := range rects.FindAllStringSubmatch(string(s.Draw()), -1) {
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		w, err := strconv.ParseFloat(m[2], 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, [2]float64{x, w})
	}
	return out
}

// A band stands where its time is, and a time without bands is empty.
func TestBandsStandInTime(t *testing.T) {
	one := []strip.Part{{Class: "coherent", Share: 1}}
	s := strip.Strip{Height: 20, Bands: []strip.Band{
		{From: at(t, "2020-01-01"), To: at(t, "2021-01-01"), Parts: one},
		{From: at(t, "2023-01-01"), To: at(t, "2024-01-01"), Parts: one},
	}}
	got := places(t, s)
	want := [][2]float64{{0, 24.9}, {75, 24.9}}
	for i := range want {
		if len(got) != 2 || got[i][0] < want[i][0]-1 || got[i][0] > want[i][0]+1 || got[i][1] < want[i][1]-1 || got[i][1] > want[i][1]+1 {
			t.Fatalf("%v, want about %v", got, want)
		}
	}
	if html := string(s.Draw()); !strings.Contains(html, `class="axis"`) || !strings.Contains(html, ">2022</text>") {
		t.Errorf("no labelled axis: %s", html)
	}
	s.Bare = true
	if strings.Contains(string(s.Draw()), "axis") {
		t.Error("a bare strip has labels")
	}
}

// Bands that cannot be pointed at one by one are drawn as one, and none is lost.
func TestFold(t *testing.T) {
	s := strip.Strip{Height: 20, Several: func(n int, from, to time.Time) string {
		return fmt.Sprintf("%d, %s to %s", n, from.Format(time.DateOnly), to.Format(time.DateOnly))
	}}
	begin := at(t, "2020-01-01")
	for i := range 5000 {
		s.Bands = append(s.Bands, strip.Band{From: begin.AddDate(0, 0, i), To: begin.AddDate(0, 0, i+1), Weight: 1, Here: i == 4000, Href: fmt.Sprint("/", i), Parts: []strip.Part{{Class: []string{"coherent", "missing"}[i%2], Share: 1}}})
	}
	list := s.Fold()
	var all float64
	for i, b := range list {
		all += b.Weight
		if b.Here != (b.Href == "/4000") {
			t.Errorf("band %d leads to %s, here %v", i, b.Href, b.Here)
		}
	}
	if len(list) > 240 || all != 5000 {
		t.Fatalf("%d bands of weight %v", len(list), all)
	}
	if b := list[1]; !strings.Contains(b.Title, ", 2020-01-2") || len(b.Parts) != 2 || b.Parts[0].Share < 0.4 || b.Parts[0].Share > 0.6 {
		t.Errorf("%+v", b)
	}
	got := places(t, s)
	if !slices.IsSortedFunc(got, func(a, b [2]float64) int { return int(1000 * (a[0] - b[0])) }) {
		t.Error("not in order")
	}
	for i := 1; i < len(got); i++ {
		if got[i-1][0]+got[i-1][1] > got[i][0]+0.01 {
			t.Fatalf("bands %d and %d overlap: %v %v", i-1, i, got[i-1], got[i])
		}
	}
	// The newest stands at the right edge, not beyond it.
	if last := got[len(got)-1]; last[0]+last[1] > 100.01 {
		t.Errorf("%v", last)
	}
}

// What was seen last long before the next version is pale from then on.
func TestPaleWhereNotSeen(t *testing.T) {
	one := []strip.Part{{Class: "plain-a", Share: 1}}
	s := strip.Strip{Height: 20, Bands: []strip.Band{
		{From: at(t, "2020-01-01"), Seen: at(t, "2020-02-01"), To: at(t, "2024-01-01"), Parts: one},
		{From: at(t, "2024-01-01"), Seen: at(t, "2025-01-01"), Parts: one},
	}}
	if html := string(s.Draw()); strings.Count(html, `class="pale"`) != 1 {
		t.Error(html)
	}
}

// What comes out of the archive is escaped, and bands without a time are not drawn.
func TestHostileBands(t *testing.T) {
	s := strip.Strip{Height: 20, Label: `"><script>`, Bands: []strip.Band{{From: at(t, "2020-01-01"), Href: `"><script>`, Title: "</title><script>", Parts: []strip.Part{{Class: `"><script>`, Share: 1}}}, {Title: "no time"}}}
	if html := string(s.Draw()); strings.Contains(html, "<script") || strings.Contains(html, "no time") {
		t.Error(html)
	}
	if html := (strip.Strip{Bands: []strip.Band{{}}}).Draw(); html != "" {
		t.Error(html)
	}
}
