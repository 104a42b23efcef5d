package realsites

import (
	"context"
	"errors"
	"fmt"
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
}

// What must be read, of what the database has.
const (
	minRight   = 0.98 // in a template that is known
	minLearned = 0.90 // in one that was learned
)

func (t *Template) whole() bool {
	return t == nil || float64(t.Right) >= minRight*float64(t.Known) && float64(t.Learned) >= minLearned*float64(t.Objects)
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
	return t, nil
}

// learn crawls a site into an archive and returns what is read of that crawl before and after the product learned its template, and what it learned.
func (h *server) learn(ctx context.Context, cfg *Config, s Site, archive string, truth []objects.Truth) (before, after *objects.Report, file string, err error) {
	since := time.Now()
	if err := h.crawl(ctx, cfg, s, archive); err != nil {
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
