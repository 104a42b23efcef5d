package cli

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"varve/archive/journal"
	"varve/crawl"
	"varve/lab/websim"
	"varve/lab/websim/server"
	"varve/serve/access"
)

// desktop is a browser in front of a server.
type desktop struct {
	t   *testing.T
	ctx context.Context
	url string
}

// newDesktop starts the real program on an archive directory, and Chromium.
func newDesktop(t *testing.T, archive string, flags ...string) *desktop {
	t.Helper()
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium on this machine (Debian: apt-get install chromium): the cockpit is not tested in a browser")
	}
	d := &desktop{t: t, url: served(t, archive, flags...)}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(t.TempDir()), chromedp.WindowSize(1440, 1000), chromedp.Flag("disable-component-update", true))
	alloc, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	t.Cleanup(cancel)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	d.ctx, cancel = context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(cancel)
	return d
}

// served starts the real program on an archive directory and returns where its screens and its API are.
func served(t *testing.T, archive string, flags ...string) string {
	t.Helper()
	args := append([]string{"serve", "--archive", archive, "--addr", "127.0.0.1:0", "--replay-addr", "localhost:0"}, flags...)
	cmd := exec.Command("varve", args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if m := regexp.MustCompile(`Screens and API +(http://\S+)`).FindStringSubmatch(lines.Text()); m != nil {
			return m[1]
		}
	}
	t.Fatal("the server did not say where it is")
	return ""
}

func (d *desktop) open(path string) {
	d.t.Helper()
	if err := chromedp.Do(d.ctx, chromedp.Navigate(d.url+path)); err != nil {
		d.t.Fatalf("%s: %v", path, err)
	}
}

// is waits until an expression of the page is true.
func (d *desktop) is(expr string) {
	d.t.Helper()
	for range 900 {
		if ok, err := chromedp.Run(d.ctx, chromedp.Evaluate[bool]("!!("+expr+")")); err == nil && ok {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	at, _ := chromedp.Run(d.ctx, chromedp.Evaluate[string]("location.href + ' ' + document.body.innerText.slice(0, 2500)"))
	d.t.Fatalf("not so: %s at %s", expr, at)
}

// says waits until the page has a text.
func (d *desktop) says(text string) {
	d.t.Helper()
	d.is(fmt.Sprintf("document.readyState === 'complete' && document.body.innerText.includes(%q)", text))
}

// fill types into a field as a person does: the page hears of it.
func (d *desktop) fill(name, value string) {
	d.t.Helper()
	js := fmt.Sprintf(`(() => { const f = document.querySelector('main [name=%q]'); f.focus(); f.value = %q; f.dispatchEvent(new Event('input', {bubbles: true})); f.dispatchEvent(new Event('change', {bubbles: true})); return true })()`, name, value)
	if _, err := chromedp.Run(d.ctx, chromedp.Evaluate[bool](js)); err != nil {
		d.t.Fatalf("fill %s: %v", name, err)
	}
}

// click presses the first button or link of the page with a label, which leads to another page.
func (d *desktop) click(label string) {
	d.t.Helper()
	find := fmt.Sprintf(`[...document.querySelectorAll('main button, main a')].find(b => b.textContent.trim() === %q && !b.disabled)`, label)
	d.is("document.readyState === 'complete' && " + find)
	if _, err := chromedp.Run(d.ctx, chromedp.Evaluate[bool]("(() => { window.before = true; "+find+".click(); return true })()")); err != nil {
		d.t.Fatalf("click %s: %v", label, err)
	}
	d.is("!window.before && document.readyState === 'complete' && window.htmx") // another page
}

// picture keeps how the page looks, light and dark, where VARVE_SCREENS names a folder for it.
func (d *desktop) picture(name string, height int64) {
	d.t.Helper()
	dir := os.Getenv("VARVE_SCREENS")
	if dir == "" {
		return
	}
	for _, theme := range []string{"light", "dark"} {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
		if _, err := chromedp.Call(d.ctx, emulation.SetEmulatedMedia, media); err != nil {
			d.t.Fatal(err)
		}
		if err := chromedp.Do(d.ctx, chromedp.EmulateViewport(1440, height)); err != nil {
			d.t.Fatal(err)
		}
		if _, err := chromedp.Run(d.ctx, chromedp.Evaluate[bool]("(() => { window.scrollTo(0, 0); return true })()")); err != nil {
			d.t.Fatal(err)
		}
		time.Sleep(400 * time.Millisecond) // until it is drawn
		raw, err := chromedp.Run(d.ctx, chromedp.CaptureScreenshot())
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name+"-"+theme+".png"), raw, 0o644)
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
}

// townOf is a simulated site on loopback, whose name needs no name server.
func townOf(t *testing.T) (*server.Server, string) {
	t.Helper()
	spec, err := websim.Load("town.toml", []byte("[[site]]\nhost = \"town.localhost\"\npages = 150\nfanout = 30\nlinks = 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(web, server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, "http://town.localhost:" + s.Addr()[strings.LastIndexByte(s.Addr(), ':')+1:] + "/"
}

// TestCockpit goes from an empty archive, without a shell: a collection, a crawl, its rules asked, started, watched, steered, paused,
// ended, its report. Its pictures for docs/screens:
//
//	VARVE_SCREENS=$PWD/docs/screens go test ./cli -run TestCockpit -count=1
func TestCockpit(t *testing.T) {
	if testing.Short() {
		t.Skip("short: Chromium is not started")
	}
	site, seed := townOf(t)
	archive := t.TempDir()
	d := newDesktop(t, archive)

	d.open("/crawls")
	d.click("New collection")
	d.says("A collection has one purpose")
	d.fill("name", "town")
	d.fill("title", "The town <b>& all</b>")
	d.fill("purpose", "What it told its people.")
	d.click("Begin the collection")

	d.says("Plan a crawl")
	d.fill("name", "hourly")
	d.fill("seeds", "# the town\n"+seed+"\nftp://old.example/\n")
	d.is("document.querySelector('#checked').innerText.includes('1 line cannot be used')") // while one types
	d.click("Save")
	d.says("line 3: only http and https can be crawled")
	d.fill("seeds", seed)
	d.is("document.querySelector('#checked').innerText.includes('1 seed fine')")
	d.fill("every", "1 h")
	d.fill("max-pages", "140")
	d.fill("delay", "0.4 s") // a minute, so that it can be watched and steered while the machine is busy
	d.fill("capture", "parser")
	d.fill("exclude", seed+"sport")
	d.fill("url", seed+"sport/")
	d.is("document.querySelector('#tested').innerText.includes('not fetched')")
	d.fill("url", seed+"culture/")
	d.is("document.querySelector('#tested').innerText.startsWith('fetched')")
	d.picture("define", 1400)
	d.click("Calculate")
	d.says("No page of this collection was captured twice yet")
	d.click("Save")
	d.says("Planned here by this machine")
	d.is("document.querySelector('#toml').innerText.includes('[crawl.hourly]') && document.querySelector('h1').innerText === 'hourly'")

	d.picture("defined", 760)
	d.click("Start now")
	d.is("document.querySelector('main a[href*=\"/crawls/2\"]')") // its page opens as soon as it is ready
	d.click("watch it, pause it, stop it")
	d.is("document.querySelector('#live') && Number(document.querySelector('[data-field=pages]').textContent) > 3")
	d.is("document.querySelectorAll('#live .tiles li').length > 3 && document.querySelectorAll('#live .charts .line').length === 3")
	d.picture("watch", 1350)

	d.fill("lines", seed+"culture")
	d.click("Stop fetching…")
	d.says("What these lines say is not fetched any more")
	d.says("addresses in the queue would be dropped")
	d.picture("steer", 700)
	d.click("Stop fetching")
	d.says("Done: Stop fetching")
	since := int64(site.Log().Len())

	d.click("Pause")
	d.is("document.querySelector('#live') && document.querySelector('#live').innerText.includes('paused')")
	pages, err := chromedp.Run(d.ctx, chromedp.Evaluate[int]("Number(document.querySelector('[data-field=pages]').textContent)"))
	if err != nil {
		t.Fatal(err)
	}
	d.fill("max-pages", fmt.Sprint(pages+8)) // some were under way
	d.click("Change the limits…")
	d.says(fmt.Sprintf("It ends after %d pages", pages+8))
	d.click("Change the limits")
	d.says("Done: Change the limits")
	d.click("Resume")
	d.is("document.querySelector('#live') && document.body.innerText.includes('stopped early') && document.body.innerText.includes('By type')") // the report, without a reload
	d.says("max-pages reached")

	later := 0
	for _, e := range site.Log().Since(since + 2) { // requests that were on their way
		if strings.HasPrefix(e.Target, "/culture") {
			later++
		}
	}
	if later > 0 {
		t.Errorf("%d requests for what was left out", later)
	}
	d.kept(archive)
}

// kept looks at what is left on disk: the definition, the rules of the run, who did what.
func (d *desktop) kept(archive string) {
	d.t.Helper()
	dir := filepath.Join(archive, "collections", "town")
	n := 0
	for line, err := range journal.Read[crawl.Defined](filepath.Join(dir, "labels", "definitions.jsonl")) {
		if n++; err != nil || line.Name != "hourly" {
			d.t.Errorf("%+v, %v", line, err)
		}
	}
	runs, err := filepath.Glob(filepath.Join(dir, "crawls", "2*"))
	if err != nil || len(runs) != 1 || n != 1 {
		d.t.Fatalf("%d definitions, runs %q, %v", n, runs, err)
	}
	def, err := crawl.ReadDefinition(runs[0])
	if err != nil || len(def.Scope.Rules) != 2 || def.MaxPages == 0 || def.MaxPages == 140 {
		d.t.Errorf("%+v, %v", def, err)
	}
	var did []string
	for e, err := range access.OpenAudit(filepath.Join(archive, "access")).Entries() {
		if err != nil {
			d.t.Error(err)
		}
		did = append(did, e.Did)
	}
	want := "begin collection, define crawl, start crawl, steer crawl: exclude, steer crawl: pause, steer crawl: limits, steer crawl: resume"
	if got := strings.Join(did, ", "); got != want {
		d.t.Errorf("audit log: %s, want %s", got, want)
	}
	if resp, err := http.Get(d.url + "/api/collections/town/definitions/hourly"); err != nil || resp.StatusCode != 200 {
		d.t.Errorf("%v, %v", resp, err)
	} else {
		resp.Body.Close()
	}
}
