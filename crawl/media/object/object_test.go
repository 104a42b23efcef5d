package object

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
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
