package cli

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/clock"
	"varve/index/cdx"
	indexrenew "varve/index/renew"
	"varve/index/temporal"
	"varve/lab/websim"
	"varve/lab/websim/server"
	"varve/serve"
)

// older unpacks the archive that an older version made (testdata/older/make.sh) and goes there. It returns its questions, each with what that
// version answered.
func older(t *testing.T) (questions []question) {
	t.Helper()
	from, err := filepath.Abs("testdata/older")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	unpack(t, filepath.Join(from, "archive.tar.gz"))
	crawls, err := filepath.Glob("archive/collections/tiny/crawls/*")
	if err != nil || len(crawls) != 3 {
		t.Fatalf("%d crawls, %v", len(crawls), err)
	}
	names := strings.NewReplacer("$FIRST", filepath.Base(crawls[0]), "$SECOND", filepath.Base(crawls[1]))
	list, err := os.Open(filepath.Join(from, "questions.txt"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	for s := bufio.NewScanner(list); s.Scan(); {
		word := strings.Fields(names.Replace(s.Text()))
		if len(word) < 2 || word[0] == "#" {
			continue
		}
		want, err := os.ReadFile(filepath.Join(from, "golden", word[0]+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		questions = append(questions, question{word[0], word[1:], string(want)})
	}
	return questions
}

type question struct {
	name string
	args []string
	want string
}

func unpack(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err == nil && h.FileInfo().IsDir() {
			err = os.MkdirAll(h.Name, 0o755)
		} else if err == nil {
			var b []byte
			if b, err = io.ReadAll(r); err == nil {
				err = errors.Join(os.MkdirAll(filepath.Dir(h.Name), 0o755), os.WriteFile(h.Name, b, 0o644), os.Chtimes(h.Name, h.ModTime, h.ModTime))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// run runs the program in process and returns what it printed.
func run(t *testing.T, wantCode int, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Run(New(), args, strings.NewReader(""), &out, &errs); code != wantCode {
		t.Fatalf("varve %s: exit %d, want %d\n%s%s", strings.Join(args, " "), code, wantCode, out.String(), errs.String())
	}
	return out.String()
}

func ask(t *testing.T, questions []question, when string) {
	t.Helper()
	for _, q := range questions {
		if got := run(t, 0, q.args...); got != q.want {
			t.Errorf("%s: varve %s:\n%s\nwant\n%s", when, strings.Join(q.args, " "), got, q.want)
		}
	}
}

// An archive of an older version opens and gives the answers that this version gave: as it lies there, and with everything computed anew.
func TestOlderArchiveAnswers(t *testing.T) {
	questions := older(t)
	ask(t, questions, "as it is")
	run(t, 0, "derive", "--archive", "archive", "--collection", "tiny")
	out := run(t, 0, "index", "--archive", "archive")
	for _, want := range []string{"built anew by the rules of this version", "the index of captures was of an earlier format, which answered until now"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not told:\n%s", want, out)
		}
	}
	ask(t, questions, "brought up to date")
	run(t, 0, "index", "--archive", "archive", "--rebuild")
	ask(t, questions, "indexed anew")
}

// A crawl that the older version stopped in the middle goes on, and becomes complete.
func TestOlderCrawlResumes(t *testing.T) {
	questions := older(t)
	spec, err := websim.Preset("tiny")
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch().Add(1440*time.Hour), 0)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before, err := filepath.Glob("archive/collections/tiny/warc/*")
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, 0, "crawl", "--resume", "--archive", "archive", "--collection", "tiny", "--resolve", "*.test="+s.Addr(), "--polite-dir", "none", "--quiet")
	if !strings.Contains(out, "complete") {
		t.Errorf("the crawl is not complete:\n%s", out)
	}
	after, err := filepath.Glob("archive/collections/tiny/warc/*")
	if err != nil || len(after) != len(before)+1 {
		t.Errorf("%d WARC files were there, %d are (%v)", len(before), len(after), err)
	}
	run(t, 0, append([]string{"warc", "check"}, after...)...)
	// What was known of the crawls before is as it was.
	about := slices.DeleteFunc(slices.Clone(questions), func(q question) bool {
		return !slices.Contains([]string{"notes", "access", "labels", "foreign"}, q.name)
	})
	ask(t, about, "after the resumed crawl")
}

// A server answers from the older indexes at once, builds them anew in the background, says so, and then answers from the new ones.
func TestOlderArchiveServes(t *testing.T) {
	older(t)
	col, err := catalog.Open("archive").Collection("tiny")
	if err != nil {
		t.Fatal(err)
	}
	rule := func() int {
		ix, err := temporal.Open(col.IndexDir("temporal"))
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		return ix.Stats().Rule
	}
	if rule() == temporal.Rule {
		t.Fatal("the archive has nothing to be built anew: it shows nothing")
	}
	format := func() int {
		ix, err := cdx.Open(col.IndexDir("cdx"))
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		s, err := ix.Stats()
		if err != nil {
			t.Fatal(err)
		}
		return s.Format
	}
	if format() == cdx.FormatVersion {
		t.Fatal("the archive has no captures to be indexed anew: it shows nothing")
	}
	allowed := make(chan struct{}) // to index
	begun := make(chan struct{})   // to renew the index of captures
	renew := make(chan struct{})   // it is allowed
	renewed := make(chan error, 1)
	built := make(chan serve.Indexed, 10)
	ctx, stop := context.WithCancel(t.Context())
	s, err := serve.Listen(ctx, serve.Config{
		Archive: "archive", Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Version: "test",
		Index: func(ctx context.Context, c *catalog.Collection) (serve.Indexed, error) {
			select {
			case <-allowed:
			case <-ctx.Done():
				return serve.Indexed{}, ctx.Err()
			}
			done, err := IndexForServer(ctx, c)
			if err == nil && c.Name == "tiny" {
				built <- done
			}
			return done, err
		},
		Renew: func(ctx context.Context, c *catalog.Collection) error {
			if c.Name != "tiny" {
				return renewLocked(ctx, c)
			}
			files, err := indexFiles(c)
			if err != nil {
				return err
			}
			w := indexrenew.Work{Index: "captures", From: 1, To: 2, Unit: "bytes", Total: int64(len(files))}
			if _, err := beginRenewal(c, "cdx", w, newIndexLine(io.Discard)); err != nil { // as the work notes it at its beginning
				return err
			}
			close(begun)
			select {
			case <-renew:
			case <-ctx.Done():
				return ctx.Err()
			}
			err = renewLocked(ctx, c)
			renewed <- err
			return err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { _ = s.Run(ctx) })
	defer func() { stop(); running.Wait() }()
	get := func(path string) string {
		resp, err := http.Get(strings.TrimSuffix(s.URL(), "/") + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v\n%s", path, resp.Status, err, body)
		}
		return string(body)
	}
	paths := []string{
		"/api/collections/tiny/pages?limit=100",
		"/api/collections/tiny/versions?url=http://tiny.sim.test/",
		"/api/collections/tiny/valid?url=http://tiny.sim.test/&relation=intersects&from=2020&to=2100",
		"/api/search?q=choplet&collection=tiny",
	}
	var first []string
	for _, p := range paths {
		first = append(first, get(p))
	}
	close(allowed)
	select {
	case done := <-built:
		if !slices.Contains(done.Anew, "versions in time") {
			t.Errorf("what was built anew is not told: %+v", done)
		}
	case <-time.After(2 * time.Minute):
		t.Fatal("nothing was built anew")
	}
	if got := rule(); got != temporal.Rule {
		t.Errorf("the index is by rule %d, want %d", got, temporal.Rule)
	}
	same := func(when string) {
		t.Helper()
		for i, p := range paths {
			if got := get(p); got != first[i] {
				t.Errorf("%s: %s: before\n%s\nafter\n%s", when, p, first[i], got)
			}
		}
	}
	tray := func() (told string) { // of this collection: the other one is renewed when it likes
		t.Helper()
		var all struct {
			Open []struct{ Collection, What string }
		}
		if err := json.Unmarshal([]byte(get("/api/tray")), &all); err != nil {
			t.Fatal(err)
		}
		for _, a := range all.Open {
			if a.Collection == "tiny" {
				told += a.What + "\n"
			}
		}
		return told
	}
	wait(t, "nobody begins to renew the index", begun)
	if format() == cdx.FormatVersion {
		t.Error("it is there before it was made")
	}
	same("while the captures are indexed anew")
	if told := tray(); !strings.Contains(told, "the index of captures is built anew (format 1 to 2)") || !strings.Contains(told, "the older one answers until then") {
		t.Errorf("the tray does not tell:\n%s", told)
	}
	close(renew)
	if err := wait(t, "the index is not renewed", renewed); err != nil {
		t.Fatal(err)
	}
	if got := format(); got != cdx.FormatVersion {
		t.Errorf("the captures are of format %d", got)
	}
	same("with the captures indexed anew")
	if told := tray(); strings.Contains(told, "built anew") {
		t.Errorf("the tray tells of what is over:\n%s", told)
	}
}

// wait returns what comes from a channel.
func wait[T any](t *testing.T, otherwise string, from <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(2 * time.Minute):
		t.Fatal(otherwise)
	}
	return v
}
