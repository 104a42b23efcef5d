package external_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	gonet "net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"varve"
	"varve/crawl/collect"
	"varve/crawl/media/external"
	"varve/lab/attack"
	"varve/lab/websim"
	sim "varve/lab/websim/media"
	"varve/web/wire"
)

// net answers from the simulated web.
type net struct {
	web *websim.Web
	mu  sync.Mutex
	log []string
}

func newNet(t *testing.T) *net {
	t.Helper()
	spec, err := websim.Load("media", []byte(sim.Spec))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1, sim.Options()...)
	if err != nil {
		t.Fatal(err)
	}
	return &net{web: web}
}

func (n *net) Fetch(_ context.Context, r *collect.Request) (*collect.Response, error) {
	u, err := url.Parse(r.URL)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	n.log = append(n.log, r.URL)
	n.mu.Unlock()
	q := &websim.Request{Method: r.Method, Host: u.Host, Target: u.RequestURI()}
	for _, f := range r.Header {
		q.Header = append(q.Header, websim.Field{Name: f.Name, Value: f.Value})
	}
	a := n.web.Fetch(q, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	raw := append(a.AppendHead(nil), a.Body...)
	head, err := wire.ParseHead(raw)
	if err != nil {
		return nil, err
	}
	return &collect.Response{Status: head.Status, Header: head.Header, Raw: io.NopCloser(bytes.NewReader(raw)), Size: int64(len(raw))}, nil
}

// get runs the collector on the page of a player.
func get(t *testing.T, cfg external.Config, path string) (*collect.Result, *net, error) {
	t.Helper()
	if cfg.Dir == "" {
		cfg.Dir = t.TempDir()
	}
	if cfg.Jail == nil {
		cfg.Jail = helper(t)
	}
	c, err := external.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	n := newNet(t)
	a := &collect.Answer{URL: "http://" + sim.Player + path, Via: "http://" + sim.Host + "/news.html", Status: 200, MIME: "text/html", Content: []byte("<html>")}
	res, err := c.Collect(context.Background(), a, n)
	if out := c.Outcomes(); len(out) != 1 || out[0].URL != a.URL || (out[0].Err == nil) != (err == nil) {
		t.Errorf("outcomes %+v", out)
	}
	return res, n, err
}

func field(r *collect.Resource, name string) string {
	for _, f := range r.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

func TestDownload(t *testing.T) {
	dir := t.TempDir()
	res, n, err := get(t, external.Config{Tools: external.Tools{YTDLP: fakeProgram(t)}, Dir: dir}, "/embed/7")
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Resources) != 1 {
		t.Fatalf("%+v", res)
	}
	r := &res.Resources[0]
	body, err := io.ReadAll(io.NewSectionReader(r.Body, 0, r.Body.Size()))
	if err != nil || !bytes.Equal(body, sim.File("clip.webm")) {
		t.Errorf("%d bytes, %v", len(body), err)
	}
	if r.URI != "urn:media:http://player.sim.test/embed/7" || r.ContentType != "video/webm" {
		t.Errorf("%s %s", r.URI, r.ContentType)
	}
	for name, want := range map[string]string{"found-on": "http://media.sim.test/news.html", "title": "The vote", "media-duration": "4.000", "program": "yt-dlp"} {
		if got := field(r, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if strings.Join(n.log, " ") != "http://player.sim.test/secret/7.webm" {
		t.Errorf("asked through the Net: %v", n.log)
	}
	if err := r.Body.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
	empty(t, dir)
}

// empty tells scratch folders that were left behind.
func empty(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(dir, ".varve-media-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestRefusals(t *testing.T) {
	tally := attack.Count(t)
	tools := external.Tools{YTDLP: fakeProgram(t)}
	for path, want := range map[string]string{
		"/embed/long": "277h46m40s long", "/embed/live": "it is live", "/embed/list": "a list of films", "/embed/garbage": "cannot be read",
		"/embed/fail": "This video is private", "/embed/junk": "no film and no sound",
	} {
		tally.Try(1)
		dir := t.TempDir()
		_, _, err := get(t, external.Config{Tools: tools, Dir: dir}, path)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		empty(t, dir)
	}
}

func TestWritesTooMuch(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	dir := t.TempDir()
	_, _, err := get(t, external.Config{Tools: external.Tools{YTDLP: fakeProgram(t)}, Dir: dir, Size: 1 << 20, Refresh: 10 * time.Millisecond}, "/embed/huge")
	if err == nil || !strings.Contains(err.Error(), "more than it may") {
		t.Error(err)
	}
	empty(t, dir)
}

// A downloader that does not use the proxy reaches nothing.
func TestNoWayPastTheProxy(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	outside, err := gonet.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	var why error
	cfg := external.Config{Tools: external.Tools{YTDLP: fakeProgram(t)}, Unjailed: func(err error) { why = err }}
	res, n, err := get(t, cfg, "/sneak/"+outside.Addr().String())
	if why != nil {
		t.Skipf("this system gives programs no network of their own: %v", why)
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(n.log) != 1 {
		t.Errorf("asked through the Net: %v", n.log)
	}
	if err := res.Resources[0].Body.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
}

// Where there can be no jail it is told, once, and the work is done as well as it can be.
func TestWithoutJail(t *testing.T) {
	told := 0
	cfg := external.Config{Tools: external.Tools{YTDLP: fakeProgram(t)}, Jail: []string{"/bin/false"}, Unjailed: func(error) { told++ }}
	res, _, err := get(t, cfg, "/embed/7")
	if err != nil || told != 1 {
		t.Fatalf("%v, told %d times", err, told)
	}
	if err := res.Resources[0].Body.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
}

// A program that hangs is killed with its children when its time is over.
func TestHangs(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(1)
	dir := t.TempDir()
	_, _, err := get(t, external.Config{Tools: external.Tools{YTDLP: fakeProgram(t)}, Dir: dir, Time: 2 * time.Second}, "/embed/hang")
	if err == nil || !strings.Contains(err.Error(), "limit of 2s") {
		t.Error(err)
	}
	empty(t, dir)
	text, err := os.ReadFile(filepath.Join(dir, "child.pid"))
	if err != nil {
		t.Skip("the machine was too slow for the program to begin")
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if state, err := os.ReadFile("/proc/" + string(text) + "/stat"); err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("the child %d lives: %v", pid, syscall.Kill(pid, 0))
}

func TestMissing(t *testing.T) {
	_, _, err := get(t, external.Config{}, "/embed/7")
	if !errors.Is(err, external.ErrMissing) || !strings.Contains(varve.HintOf(err), "apt-get install yt-dlp") {
		t.Errorf("%v; %s", err, varve.HintOf(err))
	}
	if err := (external.Tools{}).Missing(); !strings.Contains(varve.HintOf(err), "yt-dlp ffmpeg") {
		t.Error(err)
	}
	if err := (external.Tools{YTDLP: "a", FFmpeg: "b", FFprobe: "c"}).Missing(); err != nil {
		t.Error(err)
	}
}

// A captured file becomes one that browsers play.
func TestConvert(t *testing.T) {
	tools := external.Find()
	if tools.FFmpeg == "" || tools.FFprobe == "" {
		t.Skip("no ffmpeg on this machine (Debian: apt-get install ffmpeg): conversion is not tested")
	}
	c, err := external.New(external.Config{Tools: tools, Dir: t.TempDir(), Jail: helper(t)})
	if err != nil {
		t.Fatal(err)
	}
	a := &collect.Answer{URL: "http://" + sim.Host + "/clip.mp4", Status: 200, MIME: "video/mp4"}
	res, err := c.Collect(context.Background(), a, newNet(t))
	if err != nil {
		t.Fatal(err)
	}
	r := &res.Resources[0]
	if r.ContentType != "video/webm" || r.Body.Size() < 1000 || field(r, "converted-from") != "video/mp4" || !strings.HasPrefix(field(r, "media-duration"), "4.0") {
		t.Errorf("%s, %d bytes, %+v", r.ContentType, r.Body.Size(), r.Fields)
	}
	if err := r.Body.(io.Closer).Close(); err != nil {
		t.Error(err)
	}
}

// The real yt-dlp finds the clip of a page, through the proxy alone.
func TestRealDownloader(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("VARVE_DRILL=1 runs the real yt-dlp")
	}
	tools := external.Find()
	if tools.YTDLP == "" {
		t.Skip("no yt-dlp on this machine (Debian: apt-get install yt-dlp): the real one is not tested")
	}
	c, err := external.New(external.Config{Tools: tools, Dir: t.TempDir(), Jail: helper(t)})
	if err != nil {
		t.Fatal(err)
	}
	n := newNet(t)
	a := &collect.Answer{URL: "http://" + sim.Host + "/clip.html", Status: 200, MIME: "text/html", Content: []byte("<html>")}
	res, err := c.Collect(context.Background(), a, n)
	if err != nil {
		t.Fatalf("%v; asked for %v", err, n.log)
	}
	r := &res.Resources[0]
	body, err := io.ReadAll(io.NewSectionReader(r.Body, 0, r.Body.Size()))
	if err != nil || !bytes.Equal(body, sim.File("clip.mp4")) {
		t.Errorf("%d bytes, %v", len(body), err)
	}
	t.Log(r.URI, r.ContentType, r.Fields, n.log)
}
