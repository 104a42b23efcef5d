package cli

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/clock"
	"varve/lab/websim"
	"varve/lab/websim/server"
)

// varveJSON runs a command and reads what it prints.
func varveJSON(t *testing.T, into any, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Run(New(), args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("varve %s: exit %d: %s", strings.Join(args, " "), code, errs.String())
	}
	text := bytes.TrimSpace(out.Bytes())
	if at := bytes.LastIndexByte(text, '\n'); at >= 0 && text[at+1] == '{' {
		text = text[at+1:]
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("varve %s: %v in %.200s", strings.Join(args, " "), err, text)
	}
}

// A real crawl with revisits of a web that changes meanwhile: what the report says of each page is what
// the server sent, by the versions in its log.
func TestCoherenceAgainstTheServersLog(t *testing.T) {
	text, err := websim.PresetText("layers")
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte("pages = 400\nfanout = 20"), []byte("pages = 160\nfanout = 12"), 1)
	spec, err := websim.Load("layers", text)
	if err != nil {
		t.Fatal(err)
	}
	web, err := websim.New(spec, 5)
	if err != nil {
		t.Fatal(err)
	}
	// A second of ours is ten hours of the site's.
	s, err := server.Listen(web, server.Options{Timeline: server.NewTimeline(clock.Real(), web.Epoch(), 36_000)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	arc := filepath.Join(t.TempDir(), "arc")
	of := []string{"--archive", arc, "--collection", "c"}
	var crawled struct{ Crawl string }
	varveJSON(t, &crawled, append(of, "crawl", s.Seeds()[0], "--resolve", s.Resolve()[0], "--delay", "0", "--revisit", "plan", "--twins", "0", "--quiet", "--json")...)

	type tree struct {
		Nodes []struct{ Kind, URL, State, Level string }
	}
	var inBytes, inText tree
	varveJSON(t, &inBytes, append(of, "coherence", "graph", "--layer", "bytes", "--json")...)
	varveJSON(t, &inText, append(of, "coherence", "graph", "--layer", "text", "--json")...)
	sent := map[string][]websim.Entry{}
	for _, e := range s.Log().Entries() {
		sent["http://"+strings.Split(e.Host, ":")[0]+e.Target] = append(sent["http://"+strings.Split(e.Host, ":")[0]+e.Target], e)
	}
	states, pages := map[string]int{}, 0
	for i, n := range inBytes.Nodes {
		if n.Kind != "page" {
			continue
		}
		pages++
		log := sent[n.URL]
		if len(log) != 2 {
			t.Errorf("%s was asked for %d times", n.URL, len(log))
			continue
		}
		states[n.State]++
		u, _ := url.Parse(n.URL)
		volatile := strings.HasPrefix(u.Path, "/health/") // other bytes with every answer
		same := log[0].Version == log[1].Version && !volatile
		if got := n.State == "coherent"; got != same {
			t.Errorf("%s is %s, and was sent as %s and %s", n.URL, n.State, log[0].Version, log[1].Version)
		}
		if noise := strings.HasPrefix(u.Path, "/politics/"); noise && inText.Nodes[i].State != "coherent" {
			t.Errorf("%s changed in its noise alone and is %s on the layer text", n.URL, inText.Nodes[i].State)
		}
	}
	if states["coherent"] < 50 || states["changed"]+states["links"] < 5 {
		t.Errorf("too little happened to prove anything: %v", states)
	}
	checkStatement(t, arc, of, crawled.Crawl, pages)
}

// checkStatement states the crawl, verifies it, and changes one byte.
func checkStatement(t *testing.T, arc string, of []string, crawl string, pages int) {
	t.Helper()
	var made struct {
		File  string
		Pages int
	}
	varveJSON(t, &made, append(of, "coherence", "statement", "--json")...)
	if made.Pages != pages {
		t.Errorf("%d pages stated, want %d", made.Pages, pages)
	}
	if want := filepath.Join(arc, "collections", "c", "crawls", crawl, "statement.json"); made.File != want {
		t.Errorf("statement in %s, want %s", made.File, want)
	}
	warcs := filepath.Join(arc, "collections", "c", "warc")
	var good struct {
		OK       bool
		KeyKnown bool `json:"key_known"`
		Findings []struct{ Kind, Record string }
	}
	verify := []string{"coherence", "verify", "--archive", arc, made.File, warcs, "--json"}
	varveJSON(t, &good, verify...)
	if !good.OK || !good.KeyKnown {
		t.Errorf("%+v", good)
	}
	files, _ := filepath.Glob(filepath.Join(warcs, "*.warc.gz"))
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)/3] ^= 0x40
	if err := os.WriteFile(files[0], b, 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Run(New(), verify, strings.NewReader(""), &out, &errs); code != 1 {
		t.Errorf("one byte was changed: exit %d", code)
	}
	if err := json.Unmarshal(out.Bytes(), &good); err != nil || good.OK || len(good.Findings) != 1 || good.Findings[0].Kind != "record-differs" || good.Findings[0].Record == "" {
		t.Errorf("%+v %v", good, err)
	}
}
