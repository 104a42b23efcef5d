package models

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve/language/term"
)

// list is a list of wordfreq: [{"format": "cB", "version": 1}, [], ["de"], ["het", "windmolen"]].
const list = "\x94\x82\xa6format\xa2cB\xa7version\x01\x90\x91\xa2de\x92\xa3het\xd9\x09windmolen"

func wheel(t *testing.T, content string) string {
	t.Helper()
	var packed bytes.Buffer
	g := gzip.NewWriter(&packed)
	_, _ = g.Write([]byte(content))
	g.Close()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, lang := range wordfreqLanguages {
		w, err := z.Create("wordfreq/data/small_" + lang + ".msgpack.gz")
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(packed.Bytes())
	}
	z.Close()
	file := filepath.Join(t.TempDir(), "wordfreq.whl")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestWordfreq(t *testing.T) {
	var b bytes.Buffer
	g := gzip.NewWriter(&b)
	_, _ = g.Write([]byte(list))
	g.Close()
	values, err := wordfreq(&b)
	if err != nil || values["de"] != 1 || values["het"] != 2 || values["windmolen"] != 2 || values[term.Unknown] != 102 || len(values) != 4 {
		t.Errorf("%v %v", values, err)
	}
	made := &Made{Files: map[string][]byte{}}
	if err := made.Wordfreq(wheel(t, list)); err != nil || len(made.Files) != len(wordfreqLanguages) {
		t.Errorf("%d files, %v", len(made.Files), err)
	}
	for _, bad := range []string{"", list[:9], list[:len(list)-1], "\x94\x90", "\xdd\xff\xff\xff\xff", strings.Replace(list, "\xa3het", "\xc0het", 1)} {
		if err := made.Wordfreq(wheel(t, bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
