package dash_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
	"varve/web/playlist/dash"
)

var update = flag.Bool("update", false, "write the golden files anew")

const at = "https://cdn.example/show/manifest.mpd"

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// outline writes what a manifest means, with the segments that are there at noon.
func outline(m *dash.Manifest) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "live %v start %v duration %v refresh %v %v window %v locations %v cut %v\n", m.Live, m.Start.Format(time.RFC3339), m.Duration, m.Refreshed, m.Refresh, m.Window, m.Locations, m.Cut)
	for _, d := range m.Periods {
		fmt.Fprintf(&b, "period %q from %v for %v\n", d.ID, d.Start, d.Duration)
		for _, s := range d.Sets {
			fmt.Fprintf(&b, "  set %q %s %s %q protected %v\n", s.ID, s.Kind, s.MIME, s.Language, s.Protected)
			for i := range s.Reps {
				r := &s.Reps[i]
				fmt.Fprintf(&b, "    %s %d bit/s %dx%d %s %s base %s\n", r.ID, r.Bandwidth, r.Width, r.Height, r.MIME, r.Codecs, r.Base)
				if init, ok := r.Init(); ok {
					fmt.Fprintf(&b, "      init %s %d+%d\n", init.URL, init.Offset, init.Length)
				}
				if index, ok := r.Whole(); ok {
					fmt.Fprintf(&b, "      whole, index %d+%d\n", index.Offset, index.Length)
				}
				list, cut := r.Segments(noon, 12)
				for _, g := range list {
					fmt.Fprintf(&b, "      %d t=%d d=%d %v %s %d+%d\n", g.Number, g.Time, g.Ticks, g.Duration, g.URL, g.Offset, g.Length)
				}
				if cut {
					b.WriteString("      and more\n")
				}
			}
		}
	}
	return b.Bytes()
}

func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.mpd")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			m, err := dash.Parse(text, at, dash.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got := outline(m)
			golden := strings.TrimSuffix(name, ".mpd") + ".golden"
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("differs from %s (go test -update shows how):\n%s", golden, got)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]error{"": dash.ErrNoManifest, "<html></html>": dash.ErrNoManifest, "nothing": dash.ErrNoManifest} {
		if _, err := dash.Parse([]byte(text), at, dash.Limits{}); !errors.Is(err, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	deep := "<MPD>" + strings.Repeat("<Period>", 100)
	if _, err := dash.Parse([]byte(deep), at, dash.Limits{}); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
	many := "<MPD>" + strings.Repeat("<S/>", 100)
	if _, err := dash.Parse([]byte(many), at, dash.Limits{Elements: 50}); err == nil {
		t.Error("100 elements passed a limit of 50")
	}
	if _, err := dash.Parse([]byte("<MPD><Period></MPD"), at, dash.Limits{}); err == nil {
		t.Error("half a tag was read")
	}
}

// A segment of a nanosecond for ten years, and a timeline that repeats for ever.
func TestHugeCounts(t *testing.T) {
	tally := attack.Count(t)
	for _, body := range []string{
		`<SegmentTemplate media="$Number$" duration="1" timescale="1000000000"/>`,
		`<SegmentTemplate media="$Time$" timescale="1000000000"><SegmentTimeline><S t="0" d="1" r="-1"/></SegmentTimeline></SegmentTemplate>`,
		`<SegmentTemplate media="$Time$"><SegmentTimeline><S t="0" d="0" r="9007199254740992"/></SegmentTimeline></SegmentTemplate>`,
		`<SegmentTemplate media="$Number$" endNumber="9007199254740992"/>`,
	} {
		tally.Try(1)
		text := `<MPD mediaPresentationDuration="P9Y"><Period><AdaptationSet><Representation id="a">` + body + `</Representation></AdaptationSet></Period></MPD>`
		m, err := dash.Parse([]byte(text), at, dash.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		list, cut := m.Periods[0].Sets[0].Reps[0].Segments(noon, 1000)
		if len(list) != 1000 || !cut {
			t.Errorf("%s: %d segments, cut %v", body, len(list), cut)
		}
	}
}

// The recording of a live presentation, read again, has the same segments, holes too.
func TestRecording(t *testing.T) {
	text, err := os.ReadFile("testdata/live-time.mpd")
	if err != nil {
		t.Fatal(err)
	}
	m, err := dash.Parse(text, at, dash.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	set := m.Periods[0].Sets[0]
	list, _ := set.Reps[0].Segments(noon, 100)
	kept := append(list[:1:1], list[2:]...)
	rec := dash.Recording{Tracks: []dash.Track{{Set: set, Rep: set.Reps[0], Segments: kept}}}
	again, err := dash.Parse(rec.Append(nil), at, dash.Limits{})
	if err != nil {
		t.Fatalf("%v:\n%s", err, rec.Append(nil))
	}
	r := &again.Periods[0].Sets[0].Reps[0]
	got, _ := r.Segments(noon, 100)
	if again.Live || len(got) != len(kept) || again.Duration != 8*time.Second {
		t.Fatalf("live %v, %d of %d segments, %v:\n%s", again.Live, len(got), len(kept), again.Duration, rec.Append(nil))
	}
	for i := range got {
		if got[i].Resource != kept[i].Resource {
			t.Errorf("segment %d: %+v, want %+v", i, got[i].Resource, kept[i].Resource)
		}
	}
	if init, ok := r.Init(); !ok || init.URL != "https://cdn.example/show/v1/init.mp4" {
		t.Error(init)
	}
}

// sidx makes an index box.
func sidx(version byte, first uint64, sizes ...uint32) []byte {
	b := append([]byte("....sidx"), version, 0, 0, 0)
	b = append(b, make([]byte, 8)...)
	if version == 0 {
		b = binary.BigEndian.AppendUint32(b, 0)
		b = binary.BigEndian.AppendUint32(b, uint32(first))
	} else {
		b = binary.BigEndian.AppendUint64(b, 0)
		b = binary.BigEndian.AppendUint64(b, first)
	}
	b = append(b, 0, 0)
	b = binary.BigEndian.AppendUint16(b, uint16(len(sizes)))
	for _, n := range sizes {
		b = binary.BigEndian.AppendUint32(b, n)
		b = append(b, make([]byte, 8)...)
	}
	binary.BigEndian.PutUint32(b, uint32(len(b)))
	return b
}

func TestIndex(t *testing.T) {
	for version := range byte(2) {
		box := sidx(version, 10, 100, 200|1<<31, 0, 50)
		free := append([]byte{0, 0, 0, 9}, "free!"...)
		got, err := dash.ParseIndex(append(free, box...), 1000)
		if err != nil {
			t.Fatal(err)
		}
		start := int64(1000 + 9 + len(box) + 10)
		want := []dash.Resource{{Offset: start, Length: 100}, {Offset: start + 100, Length: 200}, {Offset: start + 300, Length: 50}}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("version %d: %v, want %v", version, got, want)
		}
	}
	for _, bad := range [][]byte{nil, []byte("abcdefgh"), {0, 0, 0, 8, 's', 'i', 'd', 'x'}, {0, 0, 0, 4, 'f', 'r', 'e', 'e'}} {
		if _, err := dash.ParseIndex(bad, 0); !errors.Is(err, dash.ErrNoIndex) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// What stands behind the representations that it is for holds for them, too.
func TestOrderOfElements(t *testing.T) {
	m, err := dash.Parse([]byte(`<MPD type="static"><Period duration="PT6S"><AdaptationSet><Representation id="a"/><SegmentList duration="3"><SegmentURL media="1.ts"/><SegmentURL media="2.ts"/></SegmentList></AdaptationSet></Period></MPD>`), at, dash.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if list, _ := m.Periods[0].Sets[0].Reps[0].Segments(time.Time{}, 10); len(list) != 2 {
		t.Errorf("segments %v", list)
	}
}

// Of a manifest with a fault, what stands before it is kept.
func TestFault(t *testing.T) {
	m, err := dash.Parse([]byte(`<MPD type="static"><Period><AdaptationSet><Representation id="a"><BaseURL>a.mp4</BaseURL></Representation><Representation <`), at, dash.Limits{})
	if err == nil || m == nil || len(m.Periods[0].Sets[0].Reps) != 1 {
		t.Errorf("%+v, %v", m, err)
	}
}

func TestAddresses(t *testing.T) {
	text := `<MPD xmlns="http://schema.example/" xsi:schemaLocation="http://s.example/ x.xsd"><BaseURL> http://a.example/?b&amp;c
 </BaseURL><X schemeIdUri="http://dash.example/x" value='https://b.example/' y="c"/><BaseURL>rel/</BaseURL></MPD>`
	var got []string
	for from, to := range dash.Addresses([]byte(text)) {
		got = append(got, text[from:to])
	}
	if want := []string{"http://a.example/?b&amp;c", "https://b.example/"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if spans := dash.Spans([]byte("<a><b>x</b><b/></a>"), "b"); !slices.Equal(spans, [][2]int{{3, 11}, {11, 15}}) {
		t.Errorf("spans %v", spans)
	}
}

func FuzzAddresses(f *testing.F) {
	f.Add([]byte(`<MPD a="http://a.example/">https://b.example/<!-- x --></MPD>`))
	f.Fuzz(func(t *testing.T, text []byte) {
		end := 0
		for from, to := range dash.Addresses(text) {
			if from < end || to <= from || to > len(text) || !bytes.HasPrefix(text[from:to], []byte("http")) {
				t.Fatalf("%d-%d after %d", from, to, end)
			}
			end = to
		}
	})
}

func FuzzParse(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.mpd")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := dash.Parse(text, at, dash.Limits{Runs: 1000})
		if err != nil {
			return
		}
		var rec dash.Recording
		for _, d := range m.Periods {
			for _, s := range d.Sets {
				for i := range s.Reps {
					list, _ := s.Reps[i].Segments(noon, 50)
					if len(list) > 50 {
						t.Fatalf("%d segments", len(list))
					}
					s.Reps[i].Init()
					s.Reps[i].Whole()
					rec.Tracks = append(rec.Tracks, dash.Track{Set: s, Rep: s.Reps[i], Segments: list})
				}
			}
		}
		if _, err := dash.Parse(rec.Append(nil), at, dash.Limits{}); err != nil {
			t.Fatalf("%v:\n%s", err, rec.Append(nil))
		}
	})
}

func FuzzIndex(f *testing.F) {
	f.Add(sidx(0, 0, 5, 6), int64(0))
	f.Add(sidx(1, 1<<40, 5, 6), int64(77))
	f.Fuzz(func(t *testing.T, b []byte, at int64) {
		list, err := dash.ParseIndex(b, at)
		for _, r := range list {
			if err != nil || r.Offset < 0 || r.Length <= 0 {
				t.Fatalf("%+v, %v", r, err)
			}
		}
	})
}
