package replay_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"varve"
	"varve/archive/warc"
	"varve/serve/replay"
	"varve/serve/replay/replaytest"
)

// stored is a record to be written: a response with a head, or a resource.
type stored struct {
	url, at, head, body string
	mime                string // of a resource
	cut                 bool
	about               string // fields of the metadata record behind a resource
}

// store writes records into one WARC file and indexes it as the collection "n".
func store(t *testing.T, list ...stored) *replaytest.Index {
	t.Helper()
	dir := t.TempDir()
	w, err := warc.NewWriter(warc.WriterConfig{Dir: dir, Name: func(int) string { return "film-00000-0" }})
	if err != nil {
		t.Fatal(err)
	}
	id := func() string {
		s, err := warc.NewID(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, s := range list {
		date, err := time.Parse(time.RFC3339, s.at)
		if err != nil {
			t.Fatal(err)
		}
		e := warc.New(warc.TypeResponse, id(), date, warc.Bytes(s.head+"\r\n"+s.body)).With(warc.FieldTargetURI, s.url).With(warc.FieldContentType, warc.ContentTypeResponse)
		if s.mime != "" {
			e = warc.New(warc.TypeResource, id(), date, warc.Bytes(s.body)).With(warc.FieldTargetURI, s.url).With(warc.FieldContentType, s.mime)
		}
		if s.cut {
			e.With(warc.FieldTruncated, "length")
		}
		entries := []*warc.Entry{e}
		if s.about != "" {
			entries = append(entries, warc.New(warc.TypeMetadata, id(), date, warc.Bytes(s.about)).With(warc.FieldTargetURI, s.url).
				With(warc.FieldContentType, warc.ContentTypeFields).With(warc.FieldConcurrentTo, e.Header.Get(warc.FieldRecordID)))
		}
		if _, err := w.Write(entries...); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	x := replaytest.NewIndex()
	if err := x.AddDir("n", dir); err != nil {
		t.Fatal(err)
	}
	return x
}

// ask asks the host that a path is for.
func ask(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	origin := "http://n.localhost:8081"
	if strings.HasPrefix(path, replay.PlayPath) {
		origin = replaytest.Base
	}
	r := httptest.NewRequest("GET", origin+path, nil)
	r.Header.Set("Sec-CH-UA", chromium)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

const day = "2026-05-01T00:00:0"

func ok(typ string) string { return "HTTP/1.1 200 OK\r\nContent-Type: " + typ + "\r\n" }

// part is an answer to a range.
func partOf(at string, from, to, size int, etag string) stored {
	all := "0123456789abcdefghij"
	return stored{
		url: "http://a.example/f.mp4", at: at, body: all[from:to],
		head: fmt.Sprintf("HTTP/1.1 206 Partial Content\r\nContent-Type: video/mp4\r\nETag: %s\r\nContent-Range: bytes %d-%d/%d\r\n", etag, from, to-1, size),
	}
}

func TestFilePutTogetherOfParts(t *testing.T) {
	h := replaytest.Handler(t, store(t,
		stored{url: "http://a.example/f.mp4", at: day + "1Z", head: "HTTP/1.1 403 Forbidden\r\n", body: "no"},
		partOf(day+"2Z", 0, 8, 20, "a"), partOf(day+"3Z", 8, 15, 20, "a"), partOf(day+"4Z", 15, 20, 20, "a"), partOf(day+"5Z", 0, 20, 30, "b"),
	), nil)
	const path = "/n/20260501000001oe_/http://a.example/f.mp4"
	for _, c := range []struct {
		asked, body, rng string
		status           int
	}{
		{"", "0123456789abcdefghij", "", 200},
		{"bytes=0-", "0123456789abcdefghij", "bytes 0-19/20", 206},
		{"bytes=6-9", "6789", "bytes 6-9/20", 206},
		{"bytes=-3", "hij", "bytes 17-19/20", 206},
		{"bytes=20-", "", "bytes */20", 416},
	} {
		var header []string
		if c.asked != "" {
			header = []string{"Range", c.asked}
		}
		w := ask(h, path, header...)
		if w.Code != c.status || w.Body.String() != c.body || w.Header().Get("Content-Range") != c.rng {
			t.Errorf("%s: %d %q %q", c.asked, w.Code, w.Body, w.Header().Get("Content-Range"))
		}
	}
	if w := ask(h, "/n/20260501000002id_/http://a.example/f.mp4"); w.Body.String() != "01234567" {
		t.Errorf("as it was: %d %q", w.Code, w.Body)
	}
}

// Of a file with a hole the part before it is sent, and what is in the hole is not to be had.
func TestFileWithHole(t *testing.T) {
	cut := stored{url: "http://a.example/f.mp4", at: day + "1Z", head: ok("video/mp4") + "Content-Length: 20\r\nETag: a\r\n", body: "01234", cut: true}
	h := replaytest.Handler(t, store(t, cut, partOf(day+"2Z", 5, 9, 20, "a"), partOf(day+"3Z", 15, 20, 20, "a")), nil)
	const path = "/n/20260501000001oe_/http://a.example/f.mp4"
	if w := ask(h, path); w.Code != 206 || w.Body.String() != "012345678" || w.Header().Get("Content-Range") != "bytes 0-8/20" {
		t.Errorf("%d %q %q", w.Code, w.Body, w.Header())
	}
	if w := ask(h, path, "Range", "bytes=10-"); w.Code != 416 {
		t.Errorf("%d %q", w.Code, w.Body)
	}
	if w := ask(h, path, "Range", "bytes=15-"); w.Code != 206 || w.Body.String() != "fghij" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
}

func TestRecordingInPlaceOfLiveList(t *testing.T) {
	const list, recording = "#EXTM3U\n#EXTINF:2,\n2.ts\n", "#EXTM3U\n#EXTINF:2,\nhttp://a.example/1.ts\n#EXTINF:2,\nhttp://a.example/2.ts\n#EXT-X-ENDLIST\n"
	const mpd, static = `<MPD type="dynamic"><Period/></MPD>`, `<MPD type="static"><BaseURL>http://a.example/1.m4s</BaseURL></MPD>`
	h := replaytest.Handler(t, store(t,
		stored{url: "http://a.example/l.m3u8", at: day + "1Z", head: ok("application/vnd.apple.mpegurl"), body: list},
		stored{url: "urn:vod:http://a.example/l.m3u8", at: day + "9Z", mime: "application/vnd.apple.mpegurl", body: recording},
		stored{url: "http://a.example/l.mpd", at: day + "1Z", head: ok("application/dash+xml"), body: mpd},
		stored{url: "urn:vod:http://a.example/l.mpd", at: day + "9Z", mime: "application/dash+xml", body: static},
		stored{url: "http://a.example/vod.m3u8", at: day + "1Z", head: ok("application/vnd.apple.mpegurl"), body: list + "#EXT-X-ENDLIST\n"},
		stored{url: "urn:vod:http://a.example/vod.m3u8", at: day + "9Z", mime: "application/vnd.apple.mpegurl", body: recording},
	), nil)
	for path, want := range map[string]string{
		"oe_/http://a.example/l.m3u8": "/n/20260501000001oe_/http://a.example/1.ts", "id_/http://a.example/l.m3u8": list,
		"oe_/http://a.example/l.mpd": "/n/20260501000001oe_/http://a.example/1.m4s", "id_/http://a.example/l.mpd": mpd,
		"oe_/http://a.example/vod.m3u8": "#EXTINF:2,\n/n/20260501000001oe_/http://a.example/2.ts\n#EXT-X-ENDLIST",
	} {
		if w := ask(h, "/n/20260501000001"+path); !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %q, want %q in it", path, w.Code, w.Body, want)
		}
	}
	// To a script the list has its old address, so what it names is as it was.
	if w := ask(h, "/n/20260501000001oe_/http://a.example/l.m3u8", "Sec-Fetch-Dest", "empty"); w.Body.String() != recording {
		t.Errorf("to a script: %q", w.Body)
	}
}

func filmIndex(t *testing.T, mime string) *replaytest.Index {
	t.Helper()
	return store(t,
		stored{url: "http://p.example/embed/7", at: day + "1Z", head: ok("text/html"), body: "<p>dead</p>"},
		stored{url: "http://a.example/old.avi", at: day + "1Z", head: ok("video/x-msvideo"), body: "RIFF"},
		stored{url: "urn:media:http://p.example/embed/7", at: day + "2Z", mime: mime, body: "FILM", about: "title: <script>alert(1)</script>\r\nprogram: yt-dlp 1\r\n"},
		stored{url: "urn:media:http://a.example/old.avi", at: day + "2Z", mime: mime, body: "FILM"},
		stored{url: "http://a.example/page", at: day + "1Z", head: ok("text/html"), body: "<html><head></head><p>no film"},
	)
}

func TestFilmInPlaceOfPlayer(t *testing.T) {
	h := replaytest.Handler(t, filmIndex(t, "video/webm"), nil)
	const film = "/n/20260501000002oe_/urn:media:http://p.example/embed/7"
	w := ask(h, "/n/20260501000001if_/http://p.example/embed/7", "Sec-Fetch-Dest", "iframe")
	if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, `src="`+film+`"`) || strings.Contains(body, "<script>") || !strings.Contains(body, "&lt;script&gt;") {
		t.Errorf("%d %s", w.Code, body)
	}
	if csp := w.Header().Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "allow-scripts") {
		t.Error(csp)
	}
	if w := ask(h, film, "Range", "bytes=1-2"); w.Code != 206 || w.Body.String() != "IL" || w.Header().Get("Content-Type") != "video/webm" {
		t.Errorf("%d %q %v", w.Code, w.Body, w.Header())
	}
	if w := ask(h, "/n/20260501000001oe_/http://a.example/old.avi", "Sec-Fetch-Dest", "video"); w.Code != 307 || !strings.HasSuffix(w.Header().Get("Location"), "urn:media:http://a.example/old.avi") {
		t.Errorf("%d %q", w.Code, w.Header().Get("Location"))
	}
	// The page itself, as captured, for whoever opens it, and a script that puts the film into it.
	w = ask(h, "/n/20260501000001mp_/http://p.example/embed/7", "Sec-Fetch-Dest", "iframe")
	if body := w.Body.String(); !strings.Contains(body, "dead") || !strings.Contains(body, "player.js") || strings.Index(body, "player.js") > strings.Index(body, "shim.js") {
		t.Errorf("%s", body)
	}
	if w := ask(h, "/n/20260501000001mp_/http://a.example/page"); strings.Contains(w.Body.String(), "player.js") {
		t.Error("a page without a film has the script")
	}
}

// What is no film and no sound is never shown as one.
func TestOnlyFilmsAreShownSo(t *testing.T) {
	h := replaytest.Handler(t, filmIndex(t, "text/html"), nil)
	if w := ask(h, "/n/20260501000001if_/http://p.example/embed/7", "Sec-Fetch-Dest", "iframe"); !strings.Contains(w.Body.String(), "dead") {
		t.Errorf("%s", w.Body)
	}
	if w := ask(h, "/n/20260501000001oe_/http://a.example/old.avi", "Sec-Fetch-Dest", "video"); w.Code != 200 || w.Body.String() != "RIFF" {
		t.Errorf("%d %q", w.Code, w.Body)
	}
}

// closed lets nobody see one host.
type closed string

func (c closed) May(_ *http.Request, _, url string, _ time.Time) error {
	if strings.Contains(url, string(c)) {
		return &varve.Error{Kind: varve.Forbidden, Op: "show " + url, Msg: "withheld"}
	}
	return nil
}

func TestFilmsObeyTheGuard(t *testing.T) {
	h := replaytest.Handler(t, filmIndex(t, "video/webm"), func(c *replay.Config) { c.Guard = closed("p.example") })
	for _, path := range []string{"/n/20260501000001if_/http://p.example/embed/7", "/n/20260501000002oe_/urn:media:http://p.example/embed/7", replay.Play("n", "20260501000002", "http://p.example/embed/7")} {
		if w := ask(h, path, "Sec-Fetch-Dest", "iframe"); w.Code != 403 || strings.Contains(w.Body.String(), "FILM") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestPlayOneFilm(t *testing.T) {
	h := replaytest.Handler(t, filmIndex(t, "audio/ogg"), nil)
	w := ask(h, replay.Play("n", "20260501000002", "http://p.example/embed/7"))
	if body := w.Body.String(); !strings.Contains(body, `<audio id="varve-film" src="http://n.localhost:8081/n/20260501000002oe_/urn:media:http://p.example/embed/7"`) {
		t.Errorf("%d %s", w.Code, body)
	}
	if w := ask(h, replay.Play("n", "20260501000002", "http://a.example/f.mp4")); !strings.Contains(w.Body.String(), "oe_/http://a.example/f.mp4") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := ask(h, replay.Play("", "", "")); w.Code != 400 {
		t.Errorf("%d", w.Code)
	}
}

// Of a manifest only what was captured is offered; a set of which nothing was stays.
func TestManifestOffersWhatIsThere(t *testing.T) {
	const mpd = `<MPD type="static" mediaPresentationDuration="PT4S"><Period>
<AdaptationSet mimeType="video/mp4"><SegmentTemplate duration="2" media="$RepresentationID$-$Number$.m4s" initialization="$RepresentationID$.mp4"/>
<Representation id="low" bandwidth="1"/><Representation id="high" bandwidth="9"><SegmentTemplate startNumber="0"/></Representation></AdaptationSet>
<AdaptationSet mimeType="audio/mp4"><Representation id="en" bandwidth="1"><BaseURL>en.mp4</BaseURL></Representation></AdaptationSet></Period></MPD>`
	h := replaytest.Handler(t, store(t,
		stored{url: "http://a.example/m.mpd", at: day + "1Z", head: ok("application/dash+xml"), body: mpd},
		stored{url: "http://a.example/low.mp4", at: day + "1Z", head: ok("video/mp4"), body: "x"},
	), nil)
	got := ask(h, "/n/20260501000001oe_/http://a.example/m.mpd").Body.String()
	want := strings.Replace(mpd, `<Representation id="high" bandwidth="9"><SegmentTemplate startNumber="0"/></Representation>`, "", 1)
	if got != want {
		t.Errorf("%s", got)
	}
}
