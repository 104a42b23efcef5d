package realsites

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/derive/annotate"
	"varve/lab/eval/capture"
	"varve/lab/eval/objects"
)

// Template is what is read of a site before and after it gets another template that shares no class name with the first.
//
//	crawl, derive                                what people wrote, in the template that the files about applications know
//	sites/NAME/template.sh changes the template, writes something that nobody knew before, and tells what the database has
//	crawl again, derive                          unlearned: what is read of the second crawl by these files
//	varve webapp learn, derive                   learned: the same, by what was learned from the objects of the first crawl
//	crawl, derive, learn, derive                 discovered: the same in an archive that never saw the first template
//	sites/NAME/theme.sh sets further templates   themes: what is discovered in each, if nothing is known of where objects stand
type Template struct {
	Known      int      `json:"known"`     // objects of the database before
	Right      int      `json:"right"`     // of them read with all fields right
	Objects    int      `json:"objects"`   // of the database with the other template
	Unlearned  int      `json:"unlearned"` // of them right before anything was learned
	Learned    int      `json:"learned"`   // of them right after it
	Wrong      []string `json:"wrong,omitempty"`
	File       string   `json:"file"`       // what was learned, in the words of the file
	Discovered int      `json:"discovered"` // right where the first template was never seen
	Unfound    []string `json:"unfound,omitempty"`
	Guess      string   `json:"guess"` // what was learned there
	Themes     []Theme  `json:"themes,omitempty"`
}

// Theme is what is discovered in a template of the software's own, if nothing is known of where objects stand.
type Theme struct {
	Name    string   `json:"name"`
	Objects int      `json:"objects"` // of the database
	Right   int      `json:"right"`
	Untrue  int      `json:"untrue,omitempty"` // read, and not in the database
	Wrong   []string `json:"wrong,omitempty"`
	File    []string `json:"file,omitempty"`
	LeftOut string   `json:"leftOut,omitempty"` // why it was not measured
}

// What must be read, of what the database has.
const (
	minRight   = 0.98 // in a template that is known
	minLearned = 0.90 // in one that was learned
)

func (t *Template) whole() bool {
	if t == nil {
		return true
	}
	for _, one := range t.Themes {
		if float64(one.Right) < minLearned*float64(one.Objects) {
			return false
		}
	}
	return float64(t.Right) >= minRight*float64(t.Known) && float64(t.Learned) >= minLearned*float64(t.Objects) && float64(t.Discovered) >= minLearned*float64(t.Objects)
}

// template measures a change of the template; nil where the site has no script for it. The archive has a crawl of the site before.
func (h *server) template(ctx context.Context, cfg *Config, s Site, archive string, env []string) (*Template, error) {
	script := filepath.Join(h.dir, "fill", "template.sh")
	if _, err := os.Stat(script); err != nil {
		return nil, nil
	}
	known, err := objects.ReadTruth(filepath.Join(h.dir, "objects.jsonl"))
	if err != nil {
		return nil, err
	}
	twice := filepath.Join(h.dir, "template")
	if err := os.CopyFS(twice, os.DirFS(archive)); err != nil {
		return nil, err
	}
	found, err := deriveObjects(ctx, cfg, twice, time.Time{})
	if err != nil {
		return nil, err
	}
	before := objects.Compare(known, found)
	t := &Template{Known: before.Objects, Right: before.Right}
	do := exec.CommandContext(ctx, "bash", "-e", "-u", "-o", "pipefail", script)
	do.Dir, do.Env = filepath.Dir(script), append(os.Environ(), env...)
	if _, err := output(do); err != nil {
		return nil, err
	}
	truth, err := objects.ReadTruth(filepath.Join(h.dir, "objects-template.jsonl"))
	if err != nil {
		return nil, err
	}
	unlearned, learned, file, err := h.learn(ctx, cfg, s, twice, truth)
	if err != nil {
		return nil, err
	}
	t.Objects, t.Unlearned, t.Learned, t.Wrong, t.File = unlearned.Objects, unlearned.Right, learned.Right, learned.Wrong, file
	_, discovered, guess, err := h.learn(ctx, cfg, s, filepath.Join(h.dir, "variant"), truth)
	if err != nil {
		return nil, err
	}
	t.Discovered, t.Unfound, t.Guess = discovered.Right, discovered.Wrong, guess
	t.Themes, err = h.themes(ctx, cfg, s, env)
	return t, err
}

// themes measures what is discovered in further templates, where sites/NAME/theme.sh can set them: without an argument it lists them, with one it sets
// it and prints the pages.
func (h *server) themes(ctx context.Context, cfg *Config, s Site, env []string) (list []Theme, err error) {
	script := filepath.Join(h.dir, "fill", "theme.sh")
	if _, err := os.Stat(script); err != nil {
		return nil, nil
	}
	run := func(args ...string) (string, error) {
		c := exec.CommandContext(ctx, "bash", append([]string{"-e", "-u", "-o", "pipefail", script}, args...)...)
		c.Dir, c.Env = filepath.Dir(script), slices.Concat(os.Environ(), env, []string{"THEMES=" + cfg.Themes})
		return output(c)
	}
	names, err := run()
	if err != nil {
		return nil, err
	}
	for _, name := range strings.Fields(names) {
		set := filepath.Join(h.dir, "theme-"+name)
		if err := os.MkdirAll(set, 0o755); err != nil {
			return nil, err
		}
		said, err := run(name, filepath.Join(set, "truth.jsonl"))
		if err != nil {
			list = append(list, Theme{Name: name, LeftOut: err.Error()}) // it wants another release of the software
			continue
		}
		truth, err := s.parse(said)
		if err != nil {
			return nil, fmt.Errorf("theme %s: %w", name, err)
		}
		if err := h.fetch(ctx, set, truth.Pages); err != nil {
			return nil, fmt.Errorf("theme %s: %w", name, err)
		}
		r, err := objects.Measure(set, objects.Config{Unseen: true, Wrong: true})
		if err != nil {
			return nil, fmt.Errorf("theme %s: %w", name, err)
		}
		list = append(list, Theme{Name: name, Objects: r.Objects, Right: r.Right, Untrue: r.Untrue, Wrong: r.Wrong, File: r.Learned})
	}
	return list, nil
}

// fetch writes pages of a site into a folder as lab/eval/objects reads them; those that are not there are left out.
func (h *server) fetch(ctx context.Context, dir string, pages []Page) error {
	var index strings.Builder
	for i, p := range pages {
		u, err := url.Parse(p.URL)
		if err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+h.addr+u.RequestURI(), nil)
		if err != nil {
			return err
		}
		req.Host = u.Host
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		body, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			continue
		}
		name := fmt.Sprintf("%d.html", i)
		fmt.Fprintf(&index, "%s\t%s\n", name, p.URL)
		if err := os.WriteFile(filepath.Join(dir, name), body, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "index.tsv"), []byte(index.String()), 0o644)
}

// learn crawls a site into an archive and returns what is read of that crawl before and after the product learned its template, and what it learned.
func (h *server) learn(ctx context.Context, cfg *Config, s Site, archive string, truth []objects.Truth) (before, after *objects.Report, file string, err error) {
	since := time.Now()
	if _, err := h.crawl(ctx, cfg, s, archive); err != nil {
		return nil, nil, "", err
	}
	right := func() (*objects.Report, error) {
		found, err := deriveObjects(ctx, cfg, archive, since)
		return objects.Compare(slices.Clone(truth), found), err
	}
	if before, err = right(); err != nil {
		return nil, nil, "", err
	}
	_, err = output(exec.CommandContext(ctx, cfg.Varve, "webapp", "learn", "--archive", archive, "--collection", capture.Collection))
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || exit.ExitCode() != varve.ExitFindings) {
		return nil, nil, "", fmt.Errorf("learn: %w", err)
	}
	if after, err = right(); err != nil {
		return nil, nil, "", err
	}
	file, err = learnedFile(archive)
	return before, after, file, err
}

// learnedFile returns what the files that were learned say beyond those of the program.
func learnedFile(archive string) (string, error) {
	col, err := catalog.Open(archive).Collection(capture.Collection)
	if err != nil {
		return "", err
	}
	files, err := filepath.Glob(filepath.Join(col.Dir(), annotate.WebappFolder, "*.toml"))
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return "", err
		}
		if i := strings.Index(string(text), "# Learned "); i >= 0 {
			out.WriteString(string(text[i:]))
		}
	}
	return out.String(), nil
}
