package thumb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"varve"
	"varve/crawl/collect"
	"varve/serve/memento"
)

var noon = time.Date(2025, 3, 4, 12, 0, 0, 0, time.UTC)

// shelf is an archive of pages without time.
type shelf map[string]string

func (s shelf) ServeAsWas(w http.ResponseWriter, _ *http.Request, _, url string, at time.Time) {
	body, ok := s[url]
	if !ok {
		http.NotFound(w, nil)
		return
	}
	w.Header().Add("Link", `<http://spoofed.example/>; rel="original"`) // of the page itself
	w.Header().Add("Link", memento.Site{Base: "http://localhost", Collection: "n"}.Link(memento.Place{URL: url, This: at}))
	w.Header().Set("Memento-Datetime", memento.Date(at))
	fmt.Fprint(w, body)
}

// painter is a browser that asks for the page and the addresses in it, and draws nothing.
type painter struct {
	mu     sync.Mutex
	drawn  int
	closed int
	hold   chan struct{} // nil: nobody waits
}

func (p *painter) Collect(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
	if p.hold != nil {
		<-p.hold
	}
	p.mu.Lock()
	p.drawn++
	p.mu.Unlock()
	resp, err := net.Fetch(ctx, &collect.Request{URL: a.URL})
	if err != nil {
		return nil, err
	}
	body, err := resp.Content(1 << 20)
	if err != nil {
		return nil, err
	}
	for part := range strings.FieldsSeq(string(body)) {
		_, _ = net.Fetch(ctx, &collect.Request{URL: part})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 64, 40))); err != nil {
		return nil, err
	}
	return &collect.Result{Resources: []collect.Resource{{ContentType: "image/png", Body: bytes.NewReader(b.Bytes())}}}, nil
}

func (p *painter) Close() error { p.closed++; return nil }

// desk is a desk over a shelf; what is in the map is withheld.
func desk(t *testing.T, p *painter, withheld map[string]bool, change func(*Config)) (*Desk, string) {
	t.Helper()
	dir := t.TempDir()
	many := strings.Repeat("http://a.example/part?"+strings.Repeat("x", 500)+" ", 1)
	for i := range 200 {
		many += fmt.Sprintf("http://a.example/p%03d-%s ", i, strings.Repeat("y", 400))
	}
	pages := shelf{"http://a.example/": "http://a.example/one http://b.example/two http://a.example/nowhere", "http://a.example/one": "", "http://b.example/two": "", "http://a.example/many": many}
	for part := range strings.FieldsSeq(many) {
		pages[part] = ""
	}
	cfg := Config{
		Archive: pages, Dir: func(string) (string, error) { return dir, nil }, Start: func() (Browser, error) { return p, nil },
		Sees: func(_ context.Context, _ string, parts ...Part) (bool, error) {
			for _, x := range parts {
				if withheld[x.URL] {
					return false, nil
				}
			}
			return true, nil
		},
	}
	if change != nil {
		change(&cfg)
	}
	d := New(cfg)
	t.Cleanup(d.Close)
	return d, dir
}

func TestPicture(t *testing.T) {
	p, withheld := &painter{}, map[string]bool{}
	d, dir := desk(t, p, withheld, nil)
	file, err := d.Picture(t.Context(), "n", "http://a.example/", noon)
	if err != nil {
		t.Fatal(err)
	}
	img, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil || img.Bounds().Dx() != Width || img.Bounds().Dy() != 200 {
		t.Fatalf("%v %v", err, img.Bounds())
	}
	m, err := decode(file)
	if err != nil || m.URL != "http://a.example/" || !m.Time.Equal(noon) || fmt.Sprint(m.Parts) != fmt.Sprint([]Part{{"http://a.example/one", noon}, {"http://b.example/two", noon}}) {
		t.Errorf("%+v %v", m, err)
	}
	if again, err := d.Picture(t.Context(), "n", "http://a.example/", noon); err != nil || !bytes.Equal(again, file) || p.drawn != 1 {
		t.Errorf("drawn %d times, %v", p.drawn, err)
	}
	for _, part := range []string{"http://a.example/", "http://b.example/two"} {
		withheld[part] = true
		if _, err := d.Picture(t.Context(), "n", "http://a.example/", noon); varve.KindOf(err) != varve.NotFound {
			t.Errorf("%s is withheld, the picture not: %v", part, err)
		}
		delete(withheld, part)
	}
	path := filepath.Join(dir, name("http://a.example/", noon))
	for what, content := range map[string][]byte{"cut": file[:20], "empty": {}, "no comment": {0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0}, "other": bytes.Replace(file, []byte("http://a."), []byte("http://c."), 1)} {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, err := d.Picture(t.Context(), "n", "http://a.example/", noon); err != nil || !bytes.Equal(got, file) {
			t.Errorf("%s: not drawn again: %v", what, err)
		}
	}
	before := p.drawn
	for _, none := range []string{"http://a.example/unknown", "http://a.example/many"} { // not archived; more parts than can be told
		for range 2 {
			if _, err := d.Picture(t.Context(), "n", none, noon); varve.KindOf(err) != varve.NotFound {
				t.Errorf("%s: %v", none, err)
			}
		}
	}
	if p.drawn != before+2 {
		t.Errorf("what cannot be drawn was tried %d times", p.drawn-before)
	}
	d.Close()
	if p.closed != 1 {
		t.Errorf("the browser was ended %d times", p.closed)
	}
}

// What the crawl itself took is used, and shown as long as nothing of the collection is withheld from who asks.
func TestTaken(t *testing.T) {
	var shot bytes.Buffer
	if err := png.Encode(&shot, image.NewRGBA(image.Rect(0, 0, 64, 40))); err != nil {
		t.Fatal(err)
	}
	p, whole := &painter{}, true
	d, _ := desk(t, p, nil, func(c *Config) {
		c.Taken = func(_ context.Context, _, url string, _ time.Time) ([]byte, error) {
			if url != "http://a.example/" {
				return nil, errNotTaken
			}
			return shot.Bytes(), nil
		}
		c.Whole = func(context.Context, string) (bool, error) { return whole, nil }
	})
	if _, err := d.Picture(t.Context(), "n", "http://a.example/", noon); err != nil || p.drawn != 0 {
		t.Errorf("%v, drawn %d times", err, p.drawn)
	}
	whole = false
	if _, err := d.Picture(t.Context(), "n", "http://a.example/", noon); varve.KindOf(err) != varve.NotFound {
		t.Errorf("nobody knows what stands in it, and it is shown: %v", err)
	}
	if _, err := d.Picture(t.Context(), "n", "http://a.example/", noon.Add(time.Hour)); err != nil || p.drawn != 1 {
		t.Errorf("not drawn: %v", err)
	}
	if _, err := d.Picture(t.Context(), "n", "http://a.example/one", noon); err != nil || p.drawn != 2 {
		t.Errorf("not drawn: %v", err)
	}
}

func TestTooManyWishes(t *testing.T) {
	p := &painter{hold: make(chan struct{})}
	d, _ := desk(t, p, nil, func(c *Config) { c.Waiting = 1 })
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		_, err := d.Picture(ctx, "n", "http://a.example/", noon)
		left <- err
	}()
	p.hold <- struct{}{} // it is being drawn
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) && err != nil {
		t.Errorf("who left waits: %v", err)
	}
	close(p.hold)
	d.work.Wait()
	if _, err := d.Picture(t.Context(), "n", "http://a.example/", noon); err != nil || p.drawn != 1 {
		t.Errorf("it was drawn %d times, %v", p.drawn, err)
	}
	d.cfg.Waiting = 0
	if _, err := d.Picture(t.Context(), "n", "http://a.example/one", noon); varve.KindOf(err) != varve.Unavailable {
		t.Errorf("too many: %v", err)
	}
}

func TestTidy(t *testing.T) {
	dir := t.TempDir()
	for i := range 10 {
		url := fmt.Sprint("http://a.example/", i)
		if err := store(dir, url, noon, make([]byte, 100)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, name(url, noon)), noon, noon.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := tidy(dir, 1000); err != nil || left != 1000 {
		t.Errorf("%d %v", left, err)
	}
	if left, err := tidy(dir, 600); err != nil || left != 400 {
		t.Errorf("%d %v", left, err)
	}
	for i := range 10 {
		_, err := os.Stat(filepath.Join(dir, name(fmt.Sprint("http://a.example/", i), noon)))
		if (err == nil) != (i >= 6) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	file, err := encode(image.NewRGBA(image.Rect(0, 0, 4, 4)), made{Part: Part{"http://a.example/", noon}, Parts: []Part{{"http://b.example/", noon}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(file)
	f.Add([]byte{0xff, 0xd8, 0xff, 0xfe, 0, 2})
	f.Fuzz(func(t *testing.T, file []byte) {
		if m, err := decode(file); err == nil && m.Format != format {
			t.Errorf("%+v", m)
		}
	})
}
