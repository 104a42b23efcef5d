package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"varve/cli"
	"varve/derive"
	"varve/serve"
	"varve/web/canon"
)

// seenVersion is a version as a door tells it.
type seenVersion struct {
	Digest   string
	Status   int
	Captures int
	From, To time.Time // of its nominal validity; zero To: open
}

func (v seenVersion) String() string {
	return fmt.Sprintf("%d x%d [%s,%s)", v.Status, v.Captures, v.From.Format(time.RFC3339), v.To.Format(time.RFC3339))
}

// sameAtEveryDoor demands that all doors of an archive give the same versions of every page: /versions and the list of pages (serve/holdings),
// /valid (index/temporal), and the table of versions (derive), whose states are versions with the same main text put together.
func sameAtEveryDoor(t *testing.T, dir string) {
	ctx, stop := context.WithCancel(context.Background())
	s, err := serve.Listen(ctx, serve.Config{Archive: dir, Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	wait.Go(func() { _ = s.Run(ctx) })
	defer func() { stop(); wait.Wait() }()
	base := strings.TrimSuffix(s.URL(), "/") + "/api/collections/"
	names, err := os.ReadDir(filepath.Join(dir, "collections"))
	if err != nil {
		t.Fatal(err)
	}
	pages, versions, states, skipped := 0, 0, 0, 0
	for _, name := range names {
		table := map[string][]derive.VersionRow{}
		path := filepath.Join(dir, "collections", name.Name(), "derived", "versions.parquet")
		if err := derive.Rows(path, func(v *derive.VersionRow) (bool, error) {
			table[v.SURT] = append(table[v.SURT], *v)
			return true, nil
		}); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for cursor := ""; ; {
			var list struct {
				Items []struct {
					Key, URL string
					Urlkey   string
					Versions int
				}
				Next string
			}
			ask(t, base+name.Name()+"/pages?limit=500&cursor="+url.QueryEscape(cursor), &list)
			for _, p := range list.Items {
				if canon.SURT(p.URL) != p.Urlkey { // the answer to a POST: it has no address of its own
					skipped++
					continue
				}
				pages++
				held, valid := heldVersions(t, base+name.Name(), p.URL), validVersions(t, base+name.Name(), p.URL, p.Urlkey)
				versions += len(held)
				if fmt.Sprint(held) != fmt.Sprint(valid) || len(held) != p.Versions {
					t.Errorf("%s %s:\n  /versions %v\n  /valid    %v\n  /pages    %d", name.Name(), p.URL, held, valid, p.Versions)
				}
				if instants(t, base+name.Name(), p.URL) { // the index knows seconds, and not what came first in one
					skipped++
					continue
				}
				for _, state := range table[p.Urlkey] {
					states++
					if fault := coarser(state, held); fault != "" {
						t.Errorf("%s %s: the state from %s %s: %v", name.Name(), p.URL, state.From.Format(time.RFC3339), fault, held)
					}
				}
			}
			if cursor = list.Next; cursor == "" {
				break
			}
		}
	}
	t.Logf("%d pages, %d versions, %d states; %d not compared", pages, versions, states, skipped)
	if pages == 0 || versions == 0 {
		t.Error("nothing was compared")
	}
}

// instants reports whether two captures of a page were made in one second.
func instants(t *testing.T, collection, page string) bool {
	var list struct{ Items []struct{ Time time.Time } }
	ask(t, collection+"/captures?limit=1000&url="+url.QueryEscape(page), &list)
	for i := 1; i < len(list.Items); i++ {
		if list.Items[i].Time.Equal(list.Items[i-1].Time) {
			return true
		}
	}
	return false
}

// coarser says what is wrong with a state of the derived table, beside the versions that it is made of: it begins and ends where versions do, and
// was seen as often as they were.
func coarser(state derive.VersionRow, held []seenVersion) string {
	captures, begins, ends := 0, false, state.Until.IsZero()
	for _, v := range held {
		from, to := v.From, v.To
		begins = begins || from.Equal(state.From.Truncate(time.Second))
		ends = ends || to.Equal(state.Until.Truncate(time.Second))
		if !from.Before(state.From.Truncate(time.Second)) && (state.Until.IsZero() || from.Before(state.Until.Truncate(time.Second))) {
			captures += v.Captures
		}
	}
	switch {
	case !begins:
		return "begins with no version"
	case !ends:
		return "ends with no version"
	case captures != int(state.Captures):
		return fmt.Sprintf("has %d captures, its versions %d", state.Captures, captures)
	}
	return ""
}

func heldVersions(t *testing.T, collection, page string) (out []seenVersion) {
	var list struct {
		Items []struct {
			Digest   string
			Status   int
			Captures int
			Valid    struct{ From, To time.Time }
		}
	}
	ask(t, collection+"/versions?url="+url.QueryEscape(page), &list)
	for _, v := range list.Items {
		if v.Status != http.StatusNotFound && v.Status != http.StatusGone { // that a page is gone is told, and is no version
			out = append(out, seenVersion{Status: v.Status, Captures: v.Captures, From: v.Valid.From.Truncate(time.Second), To: v.Valid.To.Truncate(time.Second)})
		}
	}
	return out
}

func validVersions(t *testing.T, collection, page, key string) (out []seenVersion) {
	var answer struct {
		Versions []struct {
			Urlkey   string
			Status   int
			Captures int
			Valid    struct{ From, To time.Time }
		}
	}
	ask(t, collection+"/valid?relation=intersects&from=1980&to=2105&limit=10000&url="+url.QueryEscape(page), &answer)
	for _, v := range answer.Versions {
		if v.Urlkey == key {
			out = append(out, seenVersion{Status: v.Status, Captures: v.Captures, From: v.Valid.From, To: v.Valid.To})
		}
	}
	return out
}

func ask(t *testing.T, address string, into any) {
	t.Helper()
	r, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	r.Body.Close()
	if err == nil && r.StatusCode == http.StatusOK {
		err = json.Unmarshal(body, into)
	}
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v %s", address, r.Status, err, body)
	}
}

// The files of others, imported, have the same versions at every door.
func TestConformanceVersions(t *testing.T) {
	samples := os.Getenv("VARVE_SAMPLES")
	if samples == "" {
		t.Skip("VARVE_SAMPLES names no folder with files of others; 'make conformance' does")
	}
	t.Chdir(t.TempDir())
	files, err := filepath.Glob(filepath.Join(samples, "*arc*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no samples", err)
	}
	files = slices.DeleteFunc(files, func(f string) bool {
		// Their records are cut, so that what they declare and what they hold differ: the index goes by the one, the tables by the other.
		return slices.Contains([]string{"transfer_compression_none_truncated.warc.gz", "example-space-in-url.arc"}, filepath.Base(f))
	})
	for _, args := range [][]string{append([]string{"import", "--collection", "others"}, files...), {"index", "--collection", "others"}, {"derive", "--collection", "others"}} {
		root := cli.New()
		root.SetArgs(args)
		root.SetOut(io.Discard)
		root.SetErr(io.Discard)
		if err := root.Execute(); err != nil {
			t.Logf("%s: %v", args[0], err) // damaged files are told; the rest goes on
		}
	}
	sameAtEveryDoor(t, "archive")
}
