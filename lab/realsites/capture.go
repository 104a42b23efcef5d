package realsites

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"varve/archive/catalog"
	"varve/lab/eval/capture"
)

// Capture installs and fills a site as Run does, has more put into it, serves it, and crawls it with the product into an archive: the pages of
// real software, for experiments that need thousands of them. It returns the folder with the WARC files. What is put into the site is put there by fill, which gets the
// folder of the site and returns further paths from which to crawl.
func Capture(ctx context.Context, cfg Config, name, archive string, fill func(dir string) (paths []string, err error)) (warcs string, err error) {
	var s Site
	for _, one := range Sites() {
		if one.Name == name {
			s = one
		}
	}
	if s.Name == "" {
		return "", fmt.Errorf("there is no site %s", name)
	}
	node, venv := filepath.Join(cfg.Dir, "npm"), filepath.Join(cfg.Dir, "python-"+s.Name)
	if err := s.install(ctx, node, venv); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(cfg.Dir, s.Name+"-")
	if err != nil {
		return "", err
	}
	if !cfg.Keep {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	h := &server{dir: dir, venv: venv}
	defer h.stop()
	if err := h.startSQL(ctx, s); err != nil {
		return "", err
	}
	env := []string{"URL=" + s.URL(), "SITE=" + dir, "WWW=" + filepath.Join(dir, "www"), "NODE=" + node, "VENV=" + venv, "SQL=" + h.sql}
	if _, err := s.fill(ctx, dir, env); err != nil {
		return "", err
	}
	paths, err := fill(dir)
	if err != nil {
		return "", fmt.Errorf("fill %s: %w", name, err)
	}
	load := filepath.Join(dir, "fill", "load.sh")
	if _, err := os.Stat(load); err == nil {
		c := exec.CommandContext(ctx, "bash", "-e", "-u", "-o", "pipefail", load)
		c.Dir, c.Env = filepath.Dir(load), append(os.Environ(), env...)
		if _, err := output(c); err != nil {
			return "", fmt.Errorf("load %s: %w", name, err)
		}
	}
	if err := h.startWeb(ctx, s); err != nil {
		return "", err
	}
	seeds := filepath.Join(dir, "seeds.txt")
	if err := writeSeeds(seeds, s, paths); err != nil {
		return "", err
	}
	if _, err := h.crawl(ctx, &cfg, s, archive, "--seeds", seeds, "--max-time", "2h", "--capture", "parser", "--no-api"); err != nil {
		return "", err
	}
	col, err := catalog.Open(archive).Collection(capture.Collection)
	if err != nil {
		return "", err
	}
	return col.WarcDir(), nil
}

// writeSeeds writes addresses a line each: the site's first page, and paths, which are not escaped.
func writeSeeds(file string, s Site, paths []string) error {
	var b strings.Builder
	fmt.Fprintln(&b, s.URL())
	for _, p := range paths {
		path, query, _ := strings.Cut(p, "?")
		fmt.Fprintln(&b, strings.TrimSuffix(s.URL(), "/")+(&url.URL{Path: path, RawQuery: query}).String())
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}
