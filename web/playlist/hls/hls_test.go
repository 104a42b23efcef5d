package hls_test

import (
	"bytes"
	"encoding/json"
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
	"varve/web/playlist/hls"
)

var update = flag.Bool("update", false, "write the golden files anew")

const at = "https://cdn.example/show/list.m3u8?token=t0&q=1"

func parse(t *testing.T, text string) *hls.Playlist {
	t.Helper()
	p, err := hls.Parse([]byte(text), at, hls.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each list in testdata is held against the JSON of what it means, and, if it has segments, against the
// recording that is written of it.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.m3u8")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			p := parse(t, string(text))
			var got bytes.Buffer
			enc := json.NewEncoder(&got)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", " ")
			if err := enc.Encode(p); err != nil {
				t.Fatal(err)
			}
			if len(p.Segments) > 0 {
				got.WriteString("\n")
				got.Write(p.Append(nil))
			}
			golden := strings.TrimSuffix(name, ".m3u8") + ".golden"
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("differs from %s (go test -update shows how):\n%s", golden, got.Bytes())
			}
		})
	}
}

func TestNoPlaylist(t *testing.T) {
	for _, text := range []string{"", "hello", "#EXTINF:1,\na.ts", "<html>", "\n#EXTM3U"} {
		if _, err := hls.Parse([]byte(text), at, hls.Limits{}); !errors.Is(err, hls.ErrNoPlaylist) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := hls.Parse([]byte("#EXTM3U\n"), "not a url", hls.Limits{}); err == nil {
		t.Error("a list without an address was read")
	}
}

func TestRangesGoOn(t *testing.T) {
	p := parse(t, "#EXTM3U\n#EXTINF:2,\n#EXT-X-BYTERANGE:100@50\na.mp4\n#EXTINF:2,\n#EXT-X-BYTERANGE:30\na.mp4\n#EXTINF:2,\n#EXT-X-BYTERANGE:7\nb.mp4\n")
	for i, want := range []hls.Resource{{"https://cdn.example/show/a.mp4", 50, 100}, {"https://cdn.example/show/a.mp4", 150, 30}, {"https://cdn.example/show/b.mp4", 0, 7}} {
		if p.Segments[i].Resource != want {
			t.Errorf("segment %d is %+v, want %+v", i, p.Segments[i].Resource, want)
		}
	}
}

func TestKeysHoldTogether(t *testing.T) {
	p := parse(t, "#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"a.key\"\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://b\",KEYFORMAT=\"com.apple\"\n#EXTINF:1,\n1.ts\n#EXT-X-KEY:METHOD=AES-128,URI=\"c.key\"\n#EXTINF:1,\n2.ts\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:1,\n3.ts\n")
	for i, want := range []int{2, 1, 0} {
		if got := len(p.Segments[i].Keys); got != want {
			t.Errorf("segment %d has %d keys, want %d", i, got, want)
		}
	}
	if k := p.Segments[0].Keys[1]; k.URL != "skd://b" || k.Format != "com.apple" {
		t.Errorf("%+v", k)
	}
}

// A recording with a hole: the numbers that are IVs are written out, and the hole is a discontinuity.
func TestRecordingWithHole(t *testing.T) {
	p := parse(t, "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:2,\n7.ts\n#EXTINF:2,\n8.ts\n#EXTINF:2,\n9.ts\n")
	p.Segments = append(p.Segments[:1:1], p.Segments[2])
	again := parse(t, string(p.Append(nil)))
	if !again.Ended || len(again.Segments) != 2 || !again.Segments[1].Discontinuity {
		t.Errorf("%+v", again)
	}
	if iv := again.Segments[1].Keys[0].IV; iv != "0x00000000000000000000000000000009" {
		t.Errorf("IV %s", iv)
	}
}

// Addresses are written as they are: quoted values have no escapes.
func TestAddressesAreWrittenPlain(t *testing.T) {
	text := "#EXTM3U\n#EXT-X-MAP:URI=\"init.mp4?a\\b\"\n#EXTINF:2,\n1.ts?a\\b\n"
	p := parse(t, text)
	again := parse(t, string(p.Append(nil)))
	if a, b := p.Segments[0].Map.URL, again.Segments[0].Map.URL; a != b || !strings.HasSuffix(a, `?a\b`) {
		t.Errorf("%s became %s", a, b)
	}
}

func TestLimits(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(6)
	text := "#EXTM3U\n" + strings.Repeat("#EXTINF:1,\nx.ts\n", 50) + strings.Repeat("a", 200) + "\n"
	p, err := hls.Parse([]byte(text), at, hls.Limits{Segments: 10, Line: 100, Problems: 1})
	if err != nil || len(p.Segments) != 10 || !p.Cut || len(p.Problems) != 1 {
		t.Errorf("%d segments, cut %v, problems %v, %v", len(p.Segments), p.Cut, p.Problems, err)
	}
	p = parse(t, "#EXTM3U\n#EXTINF:1e99,\na.ts\n#EXTINF:-3,\nb.ts\n#EXTINF:NaN,\nc.ts\n")
	if p.Duration() != 0 || len(p.Problems) != 3 {
		t.Errorf("%v, %v", p.Duration(), p.Problems)
	}
	if d := parse(t, "#EXTM3U\n#EXTINF:2.5,t\na.ts\n").Duration(); d != 2500*time.Millisecond {
		t.Error(d)
	}
}

func TestLines(t *testing.T) {
	text := "\ufeff#EXTM3U\r\n# comment\n #EXT-X-KEY:METHOD=NONE, URI=\"a,b\" ,X=1\n\n  c.ts \n#EXT-X-ENDLIST"
	var got []string
	for l := range hls.Lines([]byte(text)) {
		got = append(got, fmt.Sprintf("%d %s %s", l.Number, l.Name, l.Value))
		if string(l.Value) != text[l.From:l.From+len(l.Value)] {
			t.Errorf("line %d: %q is not at %d", l.Number, l.Value, l.From)
		}
		for a := range l.Attributes() {
			got = append(got, fmt.Sprintf("%s=%s %v", a.Name, a.Value, a.Quoted))
			if string(a.Value) != text[a.From:a.From+len(a.Value)] {
				t.Errorf("%s: %q is not at %d", a.Name, a.Value, a.From)
			}
		}
	}
	want := []string{"1 #EXTM3U ", `3 #EXT-X-KEY METHOD=NONE, URI="a,b" ,X=1`, "METHOD=NONE false", "URI=a,b true", "X=1 false", "5  c.ts", "6 #EXT-X-ENDLIST "}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Lines and attributes come in order, and stand where they say.
func FuzzLines(f *testing.F) {
	f.Add([]byte("#EXTM3U\n#EXT-X-MAP:URI=\"a\",B=c\nd\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		end := 0
		for l := range hls.Lines(text) {
			if l.From < end || !bytes.Equal(text[l.From:l.From+len(l.Value)], l.Value) {
				t.Fatalf("line %d: %q at %d", l.Number, l.Value, l.From)
			}
			end = l.From
			for a := range l.Attributes() {
				if a.From < end || !bytes.Equal(text[a.From:a.From+len(a.Value)], a.Value) {
					t.Fatalf("%s: %q at %d", a.Name, a.Value, a.From)
				}
				end = a.From + len(a.Value)
			}
			end = l.From + len(l.Value)
		}
	})
}

// What is written of any list can be read again and says the same.
func FuzzParse(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.m3u8")
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := hls.Parse(text, at, hls.Limits{Segments: 1000})
		if err != nil {
			return
		}
		if len(p.Segments) > 1000 || len(p.Problems) > 100 {
			t.Fatalf("%d segments, %d problems", len(p.Segments), len(p.Problems))
		}
		again, err := hls.Parse(p.Append(nil), at, hls.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if len(again.Segments) != len(p.Segments) {
			t.Fatalf("%d segments became %d:\n%s", len(p.Segments), len(again.Segments), p.Append(nil))
		}
		for i := range p.Segments {
			if p.Segments[i].Resource != again.Segments[i].Resource {
				t.Fatalf("segment %d: %+v became %+v", i, p.Segments[i].Resource, again.Segments[i].Resource)
			}
		}
	})
}
