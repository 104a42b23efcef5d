package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"varve/archive/catalog"
	"varve/archive/spool"
	"varve/cluster"
	"varve/lab/s3server"
	"varve/lab/servetest"
	"varve/serve"
)

// Replay, time maps, CDX and API answer from a bucket what they answered from the directory, byte for byte; and where the store is gone,
// they say so without telling where it is.
func TestServedFromStore(t *testing.T) {
	server := s3server.Start(t)
	t.Setenv("VARVE_S3_ACCESS_KEY", s3server.AccessKey)
	t.Setenv("VARVE_S3_SECRET_KEY", s3server.SecretKey)
	dir := filepath.Join(t.TempDir(), "archive")
	if err := servetest.Small(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	cols, err := catalog.Open(dir).Collections()
	if err != nil || len(cols) == 0 {
		t.Fatal("no collections", err)
	}
	for _, col := range cols {
		if _, err := IndexForServer(t.Context(), col); err != nil {
			t.Fatal(err)
		}
		frontiers, err := filepath.Glob(filepath.Join(col.Dir(), "crawls", "*", "frontier"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frontiers { // crawls that can be resumed would keep their files here
			if err := os.RemoveAll(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	index, err := servetest.NewIndex(dir)
	if err != nil {
		t.Fatal(err)
	}
	var pages, apis []string
	for name, captures := range index {
		for i, c := range captures {
			if i%max(1, len(captures)/12) == 0 {
				at := c.Time.UTC().Format("20060102150405")
				pages = append(pages, fmt.Sprintf("/%s/%sid_/%s", name, at, c.URL), fmt.Sprintf("/%s/%smp_/%s", name, at, c.URL), fmt.Sprintf("/%s/timemap/link/%s", name, c.URL))
			}
		}
		pages = append(pages, "/"+name+"/cdx?url="+captures[0].URL+"&matchType=prefix")
		apis = append(apis, "/api/collections/"+name+"/captures?url="+captures[0].URL, "/api/collections/"+name+"/pages?limit=50")
	}
	slices.Sort(pages)
	slices.Sort(apis)

	before := answers(t, dir, pages, apis)
	toml := fmt.Sprintf("[store]\nkind = \"s3\"\nendpoint = %q\nregion = %q\nbucket = %q\nkeep_local = false\n", server.Endpoint, s3server.Region, s3server.Bucket)
	if err := os.WriteFile(cluster.ConfigFile(dir), []byte(toml), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg, err := cluster.ReadStore(dir)
	if err != nil {
		t.Fatal(err)
	}
	far, err := cfg.Open()
	if err != nil {
		t.Fatal(err)
	}
	for _, col := range cols {
		if _, err := spool.Push(t.Context(), col, spool.Config{Store: far, Now: now}); err != nil {
			t.Fatal(err)
		}
		if left, err := filepath.Glob(filepath.Join(col.WarcDir(), "*")); err != nil || len(left) > 0 {
			t.Fatalf("left on the disk: %v, %v", left, err)
		}
	}
	after := answers(t, dir, pages, apis)
	ok := 0
	for path, want := range before {
		if after[path] != want {
			t.Errorf("%s: from the directory\n%.300s\nfrom the store\n%.300s", path, want, after[path])
		}
		if strings.HasPrefix(want, "200 ") {
			ok++
		}
	}
	t.Logf("%d answers are equal, %d of them with status 200", len(before), ok)
	if ok < len(before)/2 {
		t.Errorf("only %d of %d answers have status 200", ok, len(before))
	}

	server.Stop()
	for path, answer := range answers(t, dir, pages[:4], nil) {
		if strings.Contains(answer, s3server.SecretKey) || strings.Contains(answer, server.Endpoint) {
			t.Errorf("%s tells of the store:\n%s", path, answer)
		}
	}
}

// changing is what differs between two servers and two moments: ports, and times at which an answer was made.
var changing = regexp.MustCompile(`(localhost|127\.0\.0\.1):\d+|"took[A-Za-z]*":[0-9.]+`)

// answers starts a server and asks it: status, type and body by path.
func answers(t *testing.T, dir string, pages, apis []string) map[string]string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s, err := serve.Listen(ctx, serve.Config{Archive: dir, Objects: cluster.Objects(dir), Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Version: "test"})
	if err != nil {
		stop()
		t.Fatal(err)
	}
	var running sync.WaitGroup
	running.Go(func() { _ = s.Run(ctx) })
	defer func() { stop(); running.Wait() }()
	out := map[string]string{}
	get := func(base, path string) {
		t.Helper()
		resp, err := http.Get(strings.TrimSuffix(base, "/") + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		out[path] = changing.ReplaceAllString(fmt.Sprintf("%d %s\n%s", resp.StatusCode, resp.Header.Get("Content-Type"), body), "HERE")
	}
	for _, p := range pages {
		get(s.ReplayURL(), p)
	}
	for _, p := range apis {
		get(s.URL(), p)
	}
	return out
}
