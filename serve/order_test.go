package serve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/index/cdx"
	"varve/index/temporal"
	"varve/serve"
)

// Captures of one second stand in the order of time in every list, though they were written in the opposite order into two files; each of
// them can be looked at; and the newest is the last of them.
func TestOrderWithinASecondEverywhere(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "collections", "aachen", "warc")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, tenths := range map[string][]int{"a.warc.gz": {9, 5, 1}, "b.warc.gz": {7, 3}} {
		var b bytes.Buffer
		enc, err := warc.NewEncoder(warc.Packing{})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range tenths {
			body := fmt.Sprintf("<title>%d</title>tenth %d", n, n)
			e := warc.New(warc.TypeResponse, fmt.Sprintf("<urn:uuid:00000000-0000-4000-8000-00000000000%d>", n), time.Date(2020, 1, 1, 0, 0, 0, n*1e8, time.UTC),
				warc.Bytes("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"+body)).
				With(warc.FieldTargetURI, home).With(warc.FieldContentType, warc.ContentTypeResponse).
				With(warc.FieldPayloadDigest, "sha1:"+strings.Repeat(string("ZYXWVUTSRQ"[n]), 32)) // by the text of lines the order is the opposite
			if err := enc.Encode(&b, e); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, dir, func(c *serve.Config) {
		c.Index = func(ctx context.Context, col *catalog.Collection) (serve.Indexed, error) {
			done, err := indexer(ctx, col)
			if err != nil {
				return done, err
			}
			ix, err := cdx.Open(col.IndexDir("cdx"))
			if err != nil {
				return done, err
			}
			defer ix.Close()
			stats, err := ix.Stats()
			if err == nil {
				_, err = temporal.Build(ctx, col.IndexDir("temporal"), ix.Query(ctx, cdx.Query{}), temporal.Config{Source: stats.Content})
			}
			return done, err
		}
	})
	ask := url.QueryEscape(home)
	for range 1000 { // until the last of the indexes is there
		if status, _ := s.get(s.ui + "/api/collections/aachen/valid?relation=intersects&from=2019&to=2021&url=" + ask); status == 200 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	tenth := func(digest string) int { return strings.Index("ZYXWVUTSRQ", digest[len(digest)-1:]) }
	want := []int{1, 3, 5, 7, 9}
	digest := regexp.MustCompile(`"digest":\s*"(?:sha1:)?([A-Z]{32})"`)
	for name, target := range map[string]string{
		"captures": s.ui + "/api/collections/aachen/captures?url=" + ask,
		"versions": s.ui + "/api/collections/aachen/versions?url=" + ask,
		"valid":    s.ui + "/api/collections/aachen/valid?relation=intersects&from=2019&to=2021&url=" + ask,
		"cdx":      s.replay + "/aachen/cdx?output=json&fl=digest&url=" + ask,
		"time map": s.replay + "/aachen/timemap/cdxj/" + home,
	} {
		status, b := s.get(target)
		var got []int
		for _, m := range digest.FindAllStringSubmatch(b, -1) {
			got = append(got, tenth(m[1]))
		}
		if status != 200 || !slices.Equal(got, want) {
			t.Errorf("%s: %d, in the order %v, want %v\n%s", name, status, got, want, b)
		}
	}
	// Pages of the list lose none of them.
	var paged []int
	for cursor, n := "", 0; n < 5; n++ {
		_, b := s.get(s.ui + "/api/collections/aachen/captures?limit=2&url=" + ask + "&cursor=" + url.QueryEscape(cursor))
		var list struct {
			Items []struct{ Digest string }
			Next  string
		}
		if err := json.Unmarshal([]byte(b), &list); err != nil {
			t.Fatal(err)
		}
		for _, c := range list.Items {
			paged = append(paged, tenth(c.Digest))
		}
		if cursor = list.Next; cursor == "" {
			break
		}
	}
	if !slices.Equal(paged, want) {
		t.Errorf("two at a time: %v, want %v", paged, want)
	}
	// Each memento of the time map leads to its own capture, and no time at all to the newest.
	follow := func(target string) int {
		for range 5 {
			resp, b := s.do("GET", target, "")
			if to := resp.Header.Get("Location"); to != "" {
				u, err := resp.Request.URL.Parse(to)
				if err != nil {
					t.Fatal(err)
				}
				target = u.String()
				continue
			}
			var n int
			if _, err := fmt.Sscanf(b[max(0, strings.Index(b, "tenth ")):], "tenth %d", &n); err != nil {
				t.Fatalf("%s: %s\n%.300s", target, resp.Status, b)
			}
			return n
		}
		t.Fatalf("%s leads in a circle", target)
		return 0
	}
	_, list := s.get(s.replay + "/aachen/timemap/link/" + home)
	var shown []int
	for _, m := range regexp.MustCompile(`<([^>]*/2020[^>]*)>`).FindAllStringSubmatch(list, -1) {
		shown = append(shown, follow(strings.Replace(m[1], "mp_", "id_", 1)))
	}
	if !slices.Equal(shown, want) {
		t.Errorf("the mementos show %v, want %v\n%s", shown, want, list)
	}
	if got := follow(s.replay + "/aachen/id_/" + home); got != 9 {
		t.Errorf("the newest is %d", got)
	}
	if got := follow(s.replay + "/aachen/20200101000000id_/" + home); got != 1 {
		t.Errorf("the second leads to %d", got)
	}
}
