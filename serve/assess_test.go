package serve_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"varve/archive/catalog"
	"varve/lab/eval/spamfilter"
	worlds "varve/lab/websim/spam"
	"varve/learn"
	"varve/spam/desk"
	"varve/spam/label"
)

// spamHosts puts the measured hosts of a simulated web into a collection and gives the truth about them.
func spamHosts(t *testing.T, dir string, hosts int) (*catalog.Collection, map[string]bool) {
	t.Helper()
	col, err := catalog.Open(dir).Collection("web")
	if err == nil {
		err = col.Create()
	}
	if err != nil {
		t.Fatal(err)
	}
	w, err := worlds.New(worlds.Config{Hosts: hosts, Spam: 0.4}, 1)
	if err != nil {
		t.Fatal(err)
	}
	web, err := w.Web()
	if err != nil {
		t.Fatal(err)
	}
	table := spamfilter.Tabulate(w, web, web.Epoch().AddDate(1, 6, 0), 6)
	if err := os.MkdirAll(desk.ModelDir(col.Dir()), 0o755); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(desk.ModelDir(col.Dir()), "hosts.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := table.WriteCSV(f); err != nil {
		t.Fatal(err)
	}
	return col, table.Truth()
}

// ranking is the AUC of the hosts nobody judged, in the order in which the screen would show them, worst first.
func ranking(t *testing.T, col *catalog.Collection, truth map[string]bool) float64 {
	t.Helper()
	list, _, err := desk.Open(col.Dir()).Queue(desk.Worst, 0, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	var scores []float64
	var spam []bool
	for i, w := range list {
		scores, spam = append(scores, -float64(i)), append(spam, truth[w.Host])
	}
	return learn.AUC(scores, spam)
}

// A curator judges 30 hosts by keyboard, has Varve learn from it, and the order of the others improves.
func TestBrowserAssess(t *testing.T) {
	b := newTab(t)
	dir := t.TempDir()
	col, truth := spamHosts(t, dir, 120)
	s := start(t, dir, nil)
	before := ranking(t, col, truth)
	screen := s.ui + "/collections/web/assess?queue=random"
	b.open(screen)
	for range 30 {
		b.is(`document.readyState == "complete" && document.querySelector("#case h2 .url")`) // keys are heard from then on
		host, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`document.querySelector("#case h2 .url").textContent`))
		if err != nil {
			t.Fatal(err)
		}
		key := "n"
		if truth[host] {
			key = "y"
		}
		b.press(key)
		b.is(`document.querySelector("#said")?.textContent.startsWith("` + host + `")`)
	}
	b.is(`document.readyState == "complete"`)
	b.press("L")
	b.is(`document.querySelector("#training, #learnt")`)
	for until := time.Now().Add(4 * time.Minute); time.Now().Before(until); time.Sleep(500 * time.Millisecond) {
		state, err := desk.Open(col.Dir()).State()
		if err == nil && state.Model != "" {
			break
		}
	}
	b.is(`document.querySelector("#learnt")`) // by itself
	b.open(screen)
	b.is(`document.querySelector("#learnt")`)
	b.is(`document.body.innerText.includes("What each classifier says") && !document.body.innerText.includes("%!")`)
	after := ranking(t, col, truth)
	t.Logf("AUC of the hosts not judged: %.3f before, %.3f after 30 labels", before, after)
	if after < before+0.1 || after < 0.7 {
		t.Errorf("the ranking did not improve: %.3f before, %.3f after", before, after)
	}
	labels, err := label.Open(col.Dir()).All()
	if err != nil || len(labels) != 30 || labels[0].Who == "" {
		t.Errorf("%d labels, %v", len(labels), err)
	}
}

// Without scripts a host is judged by a plain form; a word is taken back by a later one; nonsense is refused.
func TestAssessWithoutScripts(t *testing.T) {
	dir := t.TempDir()
	col, _ := spamHosts(t, dir, 12)
	s := start(t, dir, nil)
	list, _, err := desk.Open(col.Dir()).Queue(desk.Random, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	_, page := s.do("GET", s.ui+"/collections/web/assess", "")
	_, rest, _ := strings.Cut(page, `name="csrf" value="`)
	token, _, _ := strings.Cut(rest, `"`)
	say := func(host, verdict string, more ...string) int {
		form := "csrf=" + token + "&host=" + host + "&label=" + verdict + strings.Join(more, "")
		res, _ := s.do("POST", s.ui+"/collections/web/assess", form, "Content-Type", "application/x-www-form-urlencoded", "Origin", s.ui)
		return res.StatusCode
	}
	if code := say(list[0].Host, "spam", "&genre=news&trust=1&why=hidden+links"); code != 303 {
		t.Fatal(code)
	}
	if code := say(list[0].Host, "normal"); code != 303 {
		t.Fatal(code)
	}
	for _, bad := range [][2]string{{"nowhere.example", "spam"}, {list[1].Host, "ham"}, {"", ""}} {
		if code := say(bad[0], bad[1]); code < 400 || code > 499 {
			t.Errorf("%v: %d", bad, code)
		}
	}
	latest, err := label.Open(col.Dir()).Latest()
	if err != nil || latest[list[0].Host].Label != label.Normal || len(latest) != 1 {
		t.Error(latest, err)
	}
	res, text := s.do("GET", s.ui+"/collections/web/assess?host="+list[0].Host, "")
	if res.StatusCode != 200 || !strings.Contains(text, "hidden links") || !strings.Contains(text, "Judged <b>normal</b>") {
		t.Errorf("%s: %.300s", res.Status, text)
	}
	res, _ = s.do("POST", s.ui+"/collections/web/assess/learn", "csrf="+token+"&target=spam", "Content-Type", "application/x-www-form-urlencoded", "Origin", s.ui)
	if res.StatusCode != 409 {
		t.Errorf("learning from one host: %s", res.Status)
	}
}
