package object

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
)

var update = flag.Bool("update", false, "write the golden files anew")

const at = "https://www.site.example/a/page.html"

func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.html")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			page, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !Likely(page) {
				t.Error("not told as likely")
			}
			list, err := Extract(page, at, "text/html; charset=utf-8")
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			enc := json.NewEncoder(&got)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", " ")
			for _, o := range list {
				if err := enc.Encode(o); err != nil {
					t.Fatal(err)
				}
			}
			golden := strings.TrimSuffix(name, ".html") + ".golden"
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

// Streams that are not HTTP are named, by whatever names them; an address that only looks so is not.
func TestOtherProtocols(t *testing.T) {
	page := `<video src="rtsp://cam.example/harbour"></video><embed src="mms://old.example/news.wmv"><object data="RTMP://live.example/app/one"></object>
<script>play("rtmp://live.example/app/two"); var help = "see rtmp: the protocol"; var s = 'srt://x.example:9000?mode=caller'</script>
<video src="rtmp://"></video><video src="gopher://a.example/film.mp4"></video>`
	if !Likely([]byte(`<script>play("rtmp://live.example/app/two")</script>`)) {
		t.Error("a script with a stream is passed over")
	}
	list, err := Extract([]byte(page), "http://h.example/", "text/html")
	var got []string
	for _, o := range list {
		got = append(got, string(o.Kind)+" "+o.URL)
	}
	want := []string{"stream rtsp://cam.example/harbour", "stream mms://old.example/news.wmv", "stream RTMP://live.example/app/one", "stream rtmp://live.example/app/two", "stream srt://x.example:9000?mode=caller"}
	slices.Sort(got)
	slices.Sort(want)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
}

func TestService(t *testing.T) {
	for url, want := range map[string][2]string{
		"https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0": {"youtube", "https://www.youtube.com/watch?v=dQw4w9WgXcQ"},
		"//www.youtube-nocookie.com/embed/abcdefgh":       {"", "//www.youtube-nocookie.com/embed/abcdefgh"}, // addresses are absolute
		"https://player.vimeo.com/video/123":              {"vimeo", "https://vimeo.com/123"},
		"https://tube.example/videos/embed/0a1b2c3d-9999": {"peertube", "https://tube.example/videos/embed/0a1b2c3d-9999"},
		"https://evil.example/youtube.com/embed/abcdefgh": {"", "https://evil.example/youtube.com/embed/abcdefgh"},
	} {
		name, page := Service(url)
		if name != want[0] || page != want[1] {
			t.Errorf("%s: %q %q, want %q", url, name, page, want)
		}
	}
}

func TestPlayersAreRead(t *testing.T) {
	if _, err := parsePlayers(playersText); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"[[player]]\nname='x'\nmatch='('", "[[player]]\nwhat=1", "[["} {
		if _, err := parsePlayers(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestUnlikely(t *testing.T) {
	if Likely([]byte("<html><p>A page about videos and <b>audio</b></p></html>")) {
		t.Error("a page without media is told as likely")
	}
}

func TestDurations(t *testing.T) {
	for s, want := range map[string]float64{"PT1H2M3S": 3723, "pt4s": 4, "1:02:03": 3723, "4:05": 245, "": 0, "PT-3S": 0, "x:y": 0, "12": 0} {
		if got := isoSeconds(s); got != want {
			t.Errorf("%s: %v, want %v", s, got, want)
		}
	}
}

func FuzzExtract(f *testing.F) {
	names, _ := filepath.Glob("testdata/*.html")
	for _, name := range names {
		page, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page)
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		list, err := Extract(page, at, "text/html")
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, o := range list {
			if seen[o.URL] || o.Kind == "" || len(o.From) == 0 || !strings.HasPrefix(o.URL, "http") || len(o.Title) > maxText+8 {
				t.Fatalf("%+v", o)
			}
			seen[o.URL] = true
		}
		// Words in another case than usual, in references or in other encodings are found only on pages that have
		// an element, too; that is what most have.
		if len(list) > 0 && !Likely(page) && bytes.Contains(page, []byte("<video")) {
			t.Fatalf("%d objects on a page that is not told as likely", len(list))
		}
	})
}

// TestBeyond: what a limit keeps out is counted, and nothing else is.
func TestBeyond(t *testing.T) {
	long := strings.Repeat("x", maxAddress)
	for _, c := range []struct {
		name, page string
		beyond     int
	}{
		{"a page", "<video src=/a.mp4><track src=/t.vtt></video>", 0},
		{"the object itself", "<video src='data:video/mp4;base64," + long + "'></video><iframe src='data:text/html," + long + "'></iframe>", 0},
		{"objects", strings.Repeat("<audio src=/a.mp3></audio>", 3) + many(maxObjects+2, "<video src=/%d.mp4></video>"), 3},
		{"addresses", "<video src=/" + long + ".mp4></video><iframe src=https://player.vimeo.com/video/" + long + "></iframe>", 2},
		{"streams in attributes", "<div data-hls=/" + strings.Repeat("x", 5000) + ".m3u8>", 0},
		{"tracks", "<video src=/a.mp4>" + many(maxTracks+2, "<track src=/%d.vtt>") + "</video>", 2},
		{"properties", many(maxMeta, "<meta property=p%d content=x>") + "<meta property=og:video content=/v.mp4>", 1},
		{"streams in scripts", "<script>" + many(150, "f('/s%d.m3u8');") + "</script>", 0},
		{"depth of JSON-LD", `<script type="application/ld+json">` + strings.Repeat(`[`, maxNesting+2) + `{"@type":"VideoObject","contentUrl":"/v.mp4"}` + strings.Repeat(`]`, maxNesting+2) + `</script>`, 1},
	} {
		_, err := Extract([]byte("<!doctype html>"+c.page), at, "text/html")
		beyond := 0
		var many *TooManyError
		if errors.As(err, &many) {
			beyond = many.Beyond
		}
		if beyond != c.beyond {
			t.Errorf("%s: %d beyond, want %d (%v)", c.name, beyond, c.beyond, err)
		}
	}
}

func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// An address with a parameter that is called like a sign keeps it.
func TestAddressesKeepTheirParameters(t *testing.T) {
	list, err := Extract([]byte(`<video src="/film.mp4?id=1&copy=2&amp;sect=3&copyright;=4"></video>`), "http://a.test/", "text/html")
	if err != nil || len(list) != 1 || list[0].URL != "http://a.test/film.mp4?id=1&copy=2&sect=3&copyright;=4" {
		t.Errorf("%+v, %v", list, err)
	}
}
