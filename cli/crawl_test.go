package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/pflag"

	"varve/clock"
	"varve/crawl"
)

// TestFlagsOfACrawl: every flag of crawl is in the definition, so that a resumed crawl goes on as it began, or is declared
// to be of the command. A new flag must be declared.
func TestFlagsOfACrawl(t *testing.T) {
	dir := t.TempDir()
	file, seeds, rules := filepath.Join(dir, "file"), filepath.Join(dir, "seeds"), filepath.Join(dir, "rules")
	for name, text := range map[string]string{file: "", seeds: "http://a.test/\n", rules: "max-hops = 2\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	values := map[string]string{ // other than the default
		"scope": "domain", "max-hops": "3", "delay": "3s", "timeout": "7s", "retry-wait": "9s", "max-time": "5s", "page-time": "44s", "media-live": "44s",
		"max-bytes": "7MB", "min-disk": "7MB", "media-size": "7MB", "order": "FCFS-VC", "revisit": "plan", "capture": "browser", "layers": "text",
		"media-renditions": "all", "resolve": "a.test=127.0.0.1", "proxy": "http://127.0.0.1:1", "group": "crawl", "seeds": seeds, "scope-file": rules,
	}
	fates := flagFates()
	jsonOf := func(args ...string) string {
		o := crawlOptions{clock: clock.Real()}
		c := newCrawlCommandOf(&o)
		if err := c.ParseFlags(args); err != nil {
			t.Fatal(err)
		}
		o.flags = c.Flags()
		def, err := o.definition(nil)
		if err == nil {
			_, err = o.reach(&def)
		}
		if err != nil {
			return fmt.Sprint(args, ": ", err) // the flag is heeded
		}
		b, err := json.Marshal(def)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	needs := map[string]string{"eta": "--revisit=plan", "leeway": "--revisit=plan", "twins": "--revisit=plan", "least-posts": "--posts=" + seeds} // without which it says nothing
	NewCrawlCommand(clock.Real()).Flags().VisitAll(func(f *pflag.Flag) {
		how := fates[f.Name]
		delete(fates, f.Name)
		if how == 0 {
			t.Errorf("--%s: what becomes of it when the crawl is resumed? say so in flagFates", f.Name)
			return
		}
		value := values[f.Name]
		switch {
		case value != "":
		case f.Value.Type() == "bool":
			value = "true"
		case strings.Contains(f.Value.Type(), "int") || strings.Contains(f.Value.Type(), "float"):
			value = "7"
		default:
			value = file
		}
		var with []string
		if n := needs[f.Name]; n != "" {
			with = append(with, n)
		}
		plain, got := jsonOf(with...), jsonOf(append(with, "--"+f.Name+"="+value)...)
		if (got == plain) != (how == ofTheRun) {
			t.Errorf("--%s=%s: declared as %d; the definition is %s", f.Name, value, how, got)
		}
	})
	delete(fates, "help")
	for name := range fates {
		t.Errorf("--%s is declared, but no flag", name)
	}
}

// TestResumeKeepsTheNetwork: a crawl that went through a proxy goes through it after a resume too.
func TestResumeKeepsTheNetwork(t *testing.T) {
	site := newServerLog(t, 6, nil)
	var asked atomic.Int64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		req, _ := http.NewRequest(r.Method, site.URL+r.URL.Path, nil)
		req.Host = r.Host
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body)
	}))
	t.Cleanup(proxy.Close)
	dir := t.TempDir()
	varve := func(args ...string) (string, int) {
		cmd := exec.Command("varve", append([]string{"crawl", "--archive", dir, "--quiet", "--capture", "parser"}, args...)...)
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	// A name that no DNS knows is told by --resolve, which must be kept as well.
	through := strings.Replace(proxy.URL, "http://", "http://user:secret@", 1)
	if out, code := varve("http://site.test/", "--resolve", "site.test=127.0.0.1", "--proxy", through, "--delay", "0", "--max-urls", "3"); code != 1 {
		t.Fatalf("exit %d: %s", code, out)
	}
	definitions, _ := filepath.Glob(filepath.Join(dir, "collections/default/crawls/*/definition.json"))
	if len(definitions) != 1 {
		t.Fatal(definitions)
	}
	text, err := os.ReadFile(definitions[0])
	if err != nil || strings.Contains(string(text), "secret") {
		t.Errorf("definition.json: %s %v", text, err)
	}
	before := asked.Load()
	if out, code := varve("--resume"); code != 2 || !strings.Contains(out, "passwords are not kept") {
		t.Errorf("without the password: exit %d: %s", code, out)
	}
	if out, code := varve("--resume", "--proxy", through); code != 0 {
		t.Errorf("exit %d: %s", code, out)
	}
	if n := int64(len(site.lines)); n != asked.Load() || asked.Load()-before < 4 {
		t.Errorf("the proxy was asked %d times, %d of them after the resume; the site %d times", asked.Load(), asked.Load()-before, n)
	}

	// Without a password nothing has to be given again.
	site.lines, dir = nil, t.TempDir()
	asked.Store(0)
	varve("http://site.test/", "--resolve", "site.test=127.0.0.1", "--proxy", proxy.URL, "--delay", "0", "--max-urls", "3")
	if out, code := varve("--resume"); code != 0 || asked.Load() != int64(len(site.lines)) || asked.Load() < 8 {
		t.Errorf("exit %d, %d of %d requests through the proxy: %s", code, asked.Load(), len(site.lines), out)
	}
}

// TestOverPlan: what the command line says of who runs a planned crawl, and how far, counts; the rest is planned, and that is told.
func TestOverPlan(t *testing.T) {
	o := crawlOptions{clock: clock.Real()}
	c := newCrawlCommandOf(&o)
	if err := c.ParseFlags([]string{"--contact", "https://library.example/", "--max-pages", "7", "--scope", "web", "--max-bytes", "1KB"}); err != nil {
		t.Fatal(err)
	}
	o.flags = c.Flags()
	var told strings.Builder
	def := crawl.Definition{Contact: "https://old.example/", Operator: "planned", MaxURLs: 5, MaxPages: 3}
	if err := o.overPlan(&def, &told); err != nil {
		t.Fatal(err)
	}
	if def.Contact != "https://library.example/" || def.Operator != "planned" || def.MaxPages != 7 || def.MaxURLs != 5 || def.MaxBytes != 1000 {
		t.Errorf("%+v", def)
	}
	if got := told.String(); got != "varve: --scope is not heeded: a planned crawl runs as it is planned\n" {
		t.Errorf("told %q", got)
	}
}
