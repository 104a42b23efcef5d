package survey

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/derive"
	"varve/derive/job"
	"varve/spam"
	"varve/spam/content"
	"varve/spam/feature"
)

// web writes WARC files for a test.
type web struct {
	t       *testing.T
	dir     string
	entries []*warc.Entry
	files   []catalog.File
	n       int
}

func (w *web) id() string {
	w.n++
	return fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-%012d>", w.n)
}

// begin starts a crawl.
func (w *web) begin(crawl string, at time.Time) {
	w.entries = []*warc.Entry{warc.New(warc.TypeWarcinfo, w.id(), at, warc.Bytes("isPartOf: "+crawl+"\r\n")).With(warc.FieldContentType, warc.ContentTypeFields)}
}

// answer adds a request and its answer.
func (w *web) answer(url string, at time.Time, ip, agent, head, body string) {
	id, asked := w.id(), w.id()
	w.entries = append(w.entries,
		warc.New(warc.TypeResponse, id, at, warc.Bytes("HTTP/1.1 "+head+"\r\n\r\n"+body)).With(warc.FieldTargetURI, url).
			With(warc.FieldContentType, warc.ContentTypeResponse).With(warc.FieldIPAddress, ip),
		warc.New(warc.TypeRequest, asked, at, warc.Bytes("GET / HTTP/1.1\r\nHost: x\r\nUser-Agent: "+agent+"\r\n\r\n")).With(warc.FieldTargetURI, url).
			With(warc.FieldContentType, warc.ContentTypeRequest).With(warc.FieldConcurrentTo, id))
}

func (w *web) page(url string, at time.Time, ip, body string) {
	w.answer(url, at, ip, "varve", "200 OK\r\nContent-Type: text/html", body)
}

// revisit says that a page is the same as before.
func (w *web) revisit(url string, at time.Time) {
	w.entries = append(w.entries, warc.New(warc.TypeRevisit, w.id(), at, warc.Bytes("HTTP/1.1 304 Not Modified\r\n\r\n")).With(warc.FieldTargetURI, url).
		With(warc.FieldContentType, warc.ContentTypeResponse).With(warc.FieldProfile, warc.ProfileNotModified).With(warc.FieldRefersToURI, url))
}

// end writes the file of a crawl.
func (w *web) end(name string) {
	enc, err := warc.NewEncoder(warc.Packing{Kind: warc.Gzip})
	if err != nil {
		w.t.Fatal(err)
	}
	var b bytes.Buffer
	for _, e := range w.entries {
		if err := enc.Encode(&b, e); err != nil {
			w.t.Fatal(err)
		}
	}
	path := filepath.Join(w.dir, name)
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		w.t.Fatal(err)
	}
	w.files = append(w.files, catalog.File{Name: name, Path: path, Kind: catalog.KindWARC})
}

var (
	may  = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	june = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
)

const farm = "farm%d.example"

// collection is two crawls of two normal hosts and a farm of four, which exchanges its links and texts in between.
func collection(t *testing.T) *web {
	w := &web{t: t, dir: t.TempDir()}
	link := func(host string) string { return `<a href="http://` + host + `/">more</a> ` }
	w.begin("first", may)
	w.answer("http://news.example/robots.txt", may, "10.0.0.1", "varve", "200 OK\r\nContent-Type: text/plain", "User-agent: *\nDisallow: /private\n")
	w.page("http://news.example/", may, "10.0.0.1", "<title>Harbour news</title><p>The harbour office opened on Monday and the town was glad.</p>"+link("town.example")+`<a href="/a.html">a</a>`)
	w.page("http://news.example/a.html", may, "10.0.0.1", "<title>A ship</title><p>A ship came to the harbour. It brought coal for the town.</p>"+link("news.example"))
	w.answer("http://news.example/report.pdf", may, "10.0.0.1", "varve", "200 OK\r\nContent-Type: application/pdf", "%PDF-1.4")
	w.page("http://town.example/", may, "10.0.0.2", "<title>The town</title><p>The town council meets in the old hall by the river.</p>"+link("news.example"))
	for i := range 4 {
		host := fmt.Sprintf(farm, i)
		text := "<title>cheap pills</title><p>cheap pills cheap pills casino</p>"
		for k := range 4 {
			text += link(fmt.Sprintf(farm, k))
		}
		w.page("http://"+host+"/", may, "10.6.6.6", text)
	}
	// another user agent gets another text
	w.answer("http://farm0.example/", may.Add(time.Minute), "10.6.6.6", "Mozilla", "200 OK\r\nContent-Type: text/html", "<p>Welcome to our holiday site</p>")
	w.end("first.warc.gz")
	w.begin("second", june)
	w.revisit("http://news.example/", june)
	w.answer("http://news.example/a.html", june, "10.0.0.1", "varve", "404 Not Found\r\nContent-Type: text/html", "gone")
	w.revisit("http://town.example/", june)
	for i := range 4 {
		host := fmt.Sprintf(farm, i)
		if i == 3 {
			w.answer("http://"+host+"/", june.Add(time.Hour), "10.6.6.6", "Mozilla", "200 OK\r\nContent-Type: text/html", "<p>Welcome to our holiday site</p>")
		}
		w.page("http://"+host+"/", june, "10.6.6.6", "<p>replica watches bargain</p><script>eval(unescape('%6cocation=1'))</script>"+link("target.example"))
	}
	w.end("second.warc.gz")
	return w
}

// kept is a table in memory.
type kept struct {
	names []string
	rows  map[string]*Row
}

func (k *kept) Begin(f []feature.Definition) error {
	k.names = feature.Names("", f)
	k.rows = map[string]*Row{}
	return nil
}

func (k *kept) Write(r *Row) error {
	k.rows[r.Host] = r
	return nil
}

func (k *kept) get(t *testing.T, host, name string) float64 {
	t.Helper()
	for i, n := range k.names {
		if n == name {
			return k.rows[host].Values[i]
		}
	}
	t.Fatalf("there is no feature %q", name)
	return 0
}

var labels = map[string]string{"news.example": Normal, "town.example": Normal, "farm0.example": Spam, "farm1.example": Spam}

func prepare(t *testing.T) string {
	t.Helper()
	w := collection(t)
	dir := t.TempDir()
	if _, err := Prepare(t.Context(), job.Config{Dir: dir}, w.files, derive.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestSurvey(t *testing.T) {
	dir := prepare(t)
	t.Run("values", func(t *testing.T) { values(t, dir) })
	t.Run("labels do not leak", func(t *testing.T) { labelsDoNotLeak(t, dir) })
	t.Run("crawl set", func(t *testing.T) { crawlSet(t, dir) })
	t.Run("files", func(t *testing.T) { files(t, dir) })
}

func values(t *testing.T, dir string) {
	var k kept
	sum, err := Compute(t.Context(), Config{Dir: dir, Snapshots: ByCrawl, Labels: labels, Terms: 5, Seed: 1}, &k)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Hosts != 6 || sum.Linked != 7 || sum.Spam != 2 || sum.Normal != 2 || len(sum.Snapshots) != 2 || sum.Snapshots[0] != "first" {
		t.Errorf("%+v", sum)
	}
	for _, c := range []struct {
		host, name string
		want       float64
	}{
		{"news.example", "host.pages", 1}, // the other one is gone
		{"news.example", "host.robots_rules", 1},
		{"news.example", "host.formats", 2},
		{"news.example", "host.failures", 1.0 / 6},
		{"news.example", "link.in", 1},
		{"news.example", "link.out", 1},
		{"news.example", "link.reciprocity", 1},
		{"news.example", "link.same_address", 0},
		{"farm0.example", "link.same_address", 3},
		{"farm0.example", "link.out", 1}, // only the last visit counts
		{"farm0.example", "mean.script_redirect", 1},
		{"farm0.example", "mean.script_obfuscated", 1},
		{"farm0.example", "home.title_words", 0},
		{"news.example", "history.snapshots", 2},
		{"town.example", "history.words.jaccard.mean", 1},
		{"farm1.example", "history.words.cosine.mean", 4.0 / (5 * 2)}, // "more" of links, 4 times and once
		{"farm1.example", "history.out_death.mean", 1},
		{"farm1.example", "history.out_growth.mean", 1.0 / 3},
		{"farm1.example", "history.xjaccard.forward.1", 0},
		{"town.example", "history.xjaccard.forward.1", 1},
		{"town.example", "history.xjaccard.inverted.2", 1},
		{"farm3.example", "home.cloaking", 1}, // "replica watches bargain more" and "Welcome to our holiday site"
		{"farm2.example", "home.cloaking", feature.Unknown()},
		{"farm2.example", "link.clustering", feature.Unknown()},
		{"farm2.example", "link.home_is_best", 1},
		{"news.example", "link.home.in", 1}, // from town; the page that is gone counts no more
		{"news.example", "link.home.sites.1", 1},
		{"news.example", "link.home.supporters.2", 1},
		{"news.example", "link.trustrank", trusted()},
	} {
		if got := k.get(t, c.host, c.name); !(got != got && c.want != c.want) && math.Abs(got-c.want) > 0.04 { // supporters are estimates
			t.Errorf("%s: %s = %v, want %v", c.host, c.name, got, c.want)
		}
	}
	if k.get(t, "farm0.example", "home.gzip_ratio") != k.get(t, "farm0.example", "best.gzip_ratio") {
		t.Error("the only page is home and best")
	}
}

// trusted is the TrustRank of news when only town is trusted (news is in its own fold): they link to each other and to nobody else.
func trusted() float64 {
	const n, a = 7, .85
	return n * a / (1 + a)
}

// same compares rows; NaN equals NaN.
func same(a, b *Row) string {
	for i := range a.Values {
		if x, y := a.Values[i], b.Values[i]; x != y && (x == x || y == y) {
			return fmt.Sprintf("value %d: %v and %v", i, x, y)
		}
	}
	return ""
}

// What was done before is not done again, and comes out the same.
func TestPrepareTwice(t *testing.T) {
	w := collection(t)
	dir := t.TempDir()
	for round := range 2 {
		sum, err := Prepare(t.Context(), job.Config{Dir: dir}, w.files, derive.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range sum.Jobs {
			if want := 2 * (1 - round); j.Done != want {
				t.Errorf("round %d: %s did %d files, want %d", round, j.Job, j.Done, want)
			}
		}
	}
	before := checksum(t, dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context()) // stopped after the first part that is done
	_, err := Prepare(ctx, job.Config{Dir: dir, Cores: 1, Progress: func(job.Progress) { cancel() }}, w.files, derive.Options{}, nil)
	if err == nil {
		t.Fatal("it was not stopped")
	}
	if _, err := Prepare(t.Context(), job.Config{Dir: dir}, w.files, derive.Options{}, nil); err != nil {
		t.Fatal(err)
	}
	if after := checksum(t, dir); after != before {
		t.Error("stopped and resumed, the tables are others")
	}
	sum, err := Prepare(t.Context(), job.Config{Dir: dir}, w.files, derive.Options{}, []string{"pills", "casino"})
	if last := sum.Jobs[len(sum.Jobs)-1]; err != nil || last.Done != 2 {
		t.Errorf("other query words, and %d files were measured again (%v)", last.Done, err)
	}
}

func checksum(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	for _, name := range []string{"spam_words", "spam_trigrams", "spam_visits"} {
		b, err := os.ReadFile(filepath.Join(dir, name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sumOf(string(b)))
	}
	return strings.Join(all, " ")
}

// The label of a host must not reach its own features.
func labelsDoNotLeak(t *testing.T, dir string) {
	all := map[string]string{"news.example": Normal, "town.example": Normal}
	for i := range 4 {
		all[fmt.Sprintf(farm, i)] = Spam
	}
	var a, b kept
	if _, err := Compute(t.Context(), Config{Dir: dir, Snapshots: ByCrawl, Labels: all}, &a); err != nil {
		t.Fatal(err)
	}
	for host := range all {
		other := map[string]string{}
		for h, l := range all {
			other[h] = l
		}
		other[host] = map[string]string{Spam: Normal, Normal: Spam}[all[host]]
		if _, err := Compute(t.Context(), Config{Dir: dir, Snapshots: ByCrawl, Labels: other}, &b); err != nil {
			t.Fatal(err)
		}
		if diff := same(a.rows[host], b.rows[host]); diff != "" {
			t.Errorf("%s judged otherwise has other features: %s", host, diff)
		}
	}
}

// The set of the crawl is what content.Host gives.
func crawlSet(t *testing.T, dir string) {
	var k, all kept
	if _, err := Compute(t.Context(), Config{Dir: dir, Crawl: true}, &k); err != nil {
		t.Fatal(err)
	}
	if strings.Join(k.names, " ") != strings.Join(content.Names(), " ") {
		t.Error("names differ")
	}
	if _, err := Compute(t.Context(), Config{Dir: dir}, &all); err != nil {
		t.Fatal(err)
	}
	for host, r := range k.rows {
		if diff := same(r, &Row{Values: all.rows[host].Values[:len(r.Values)]}); diff != "" {
			t.Errorf("%s: %s", host, diff)
		}
	}
}

// Tables are read back by the learners, with names, classes and gaps.
func files(t *testing.T, dir string) {
	var k kept
	if _, err := Compute(t.Context(), Config{Dir: dir, Labels: labels, Terms: 3}, &k); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x.arff", "x.csv", "x.parquet"} {
		var b bytes.Buffer
		f, err := NewFile(&b, name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Compute(t.Context(), Config{Dir: dir, Labels: labels, Terms: 3}, f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if name == "x.parquet" {
			checkParquet(t, b.Bytes(), &k)
			continue
		}
		set, unlabelled, err := spam.Data(&b, spam.Options{Group: "domain"})
		if err != nil {
			t.Fatal(err)
		}
		if set.Len() != 4 || unlabelled != 2 || len(set.Attributes) != len(k.names) || set.Class.Values[0] != Spam {
			t.Errorf("%s: %d rows, %d without label, %d features of %d", name, set.Len(), unlabelled, len(set.Attributes), len(k.names))
		}
		for i, a := range set.Attributes {
			for row, group := range set.Groups {
				want, got := k.rows[group].Values[i], set.Columns[i][row]
				if a.Name != k.names[i] || got != want && (got == got || want == want) {
					t.Errorf("%s: %s of %s is %v, want %v", name, a.Name, group, got, want)
				}
			}
		}
	}
	if _, err := NewFile(nil, "x.txt"); err == nil {
		t.Error("an unknown format is no error")
	}
}

func checkParquet(t *testing.T, b []byte, k *kept) {
	t.Helper()
	rows, err := parquet.Read[any](bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(k.rows) {
		t.Fatalf("%d rows, want %d", len(rows), len(k.rows))
	}
	for _, r := range rows {
		cells := r.(map[string]any)
		host := fmt.Sprint(cells["hostid"])
		for i, n := range k.names {
			want := k.rows[host].Values[i]
			if got, known := cells[n].(float64); known != (want == want) || known && got != want {
				t.Fatalf("%s of %s is %v, want %v", n, host, cells[n], want)
			}
		}
	}
}

func TestDefinitionsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Definitions(ByCrawl, false) {
		if seen[d.Name] || d.Formula == "" || d.Group == "" || d.Cost == "" {
			t.Errorf("%+v", d)
		}
		seen[d.Name] = true
	}
}

func TestLabels(t *testing.T) {
	got := map[string]string{}
	err := ReadLabels(strings.NewReader(`host,label
# by hand
a.example,spam
"b.example",nonspam,0.3
e.example	spam
e.example	undecided
`), got)
	if want := "map[a.example:spam b.example:normal]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"a.example", "a.example,news"} {
		if err := ReadLabels(strings.NewReader("x,spam\n"+bad), got); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	err = ReadLabels(strings.NewReader(`{"format":"varve-spam-labels","version":1}
{"host":"c.example","label":"spam","who":"kim","when":"2026-02-01T00:00:00Z"}
{"host":"c.example","label":"normal","who":"kim","when":"2026-01-01T00:00:00Z"}
{"host":"a.example","label":"undecided","who":"kim","when":"2026-01-01T00:00:00Z"}
`), got)
	if err != nil || got["c.example"] != Spam || got["a.example"] != "" {
		t.Errorf("%v, %v", got, err)
	}
	if err := ReadLabels(strings.NewReader("{\n"), got); err == nil {
		t.Error("a broken label file is no error")
	}
}

func FuzzReadLabels(f *testing.F) {
	f.Add("a,spam\n{\"host\":\"b\",\"label\":\"normal\"}")
	f.Fuzz(func(t *testing.T, s string) {
		got := map[string]string{}
		if ReadLabels(strings.NewReader(s), got) == nil {
			for h, l := range got {
				if l != Spam && l != Normal {
					t.Errorf("%q is %q", h, l)
				}
			}
		}
	})
}
