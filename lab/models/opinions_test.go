package models

import (
	"archive/tar"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Words of one meaning, of a similar and of the opposite one get valences from the one that has one.
func TestSpread(t *testing.T) {
	file := filepath.Join(t.TempDir(), "wordnet.tar")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(f)
	for name, content := range map[string]string{
		"dict/data.adj": "  licence\n00000001 00 a 02 good 0 fine(a) 0 002 & 00000002 a 0000 ! 00000003 a 0101 | of merit\n" +
			"00000002 00 s 01 solid 0 001 & 00000001 a 0000 | firm\n00000003 00 a 01 frumious 0 001 ! 00000001 a 0101 | not good; \"good day\"\n00000004 00 a 01 square 0 000 | with corners\n",
		"dict/index.adj": "fine a 1 1 & 1 0 00000001\nsolid a 1 1 & 1 0 00000002\nfrumious a 1 1 ! 1 0 00000003\nsquare a 1 0 1 0 00000004\n",
		"dict/README":    "no data",
	} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	got, err := spread(file, map[string]float64{"good": 2})
	if err != nil || got["good"] != 2 || got["fine"] <= got["solid"] || got["solid"] <= 0 || got["frumious"] >= 0 {
		t.Errorf("%v %v", got, err)
	}
	if v, ok := got["square"]; ok {
		t.Errorf("square has the valence %v", v)
	}
	if _, err := spread(filepath.Join(t.TempDir(), "nowhere"), nil); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("%v", err)
	}
}

// Words that judge are read with the sign that both lists give them.
func TestJudging(t *testing.T) {
	listed, err := Judging()
	if err != nil || len(listed) < 7000 || listed["riveting"] <= 0 || listed["abhorrent"] >= 0 || listed["table"] != 0 {
		t.Errorf("%d words, riveting %v, abhorrent %v, table %v, %v", len(listed), listed["riveting"], listed["abhorrent"], listed["table"], err)
	}
	for w, v := range listed {
		if v < -4 || v > 4 || v == 0 || w == "" || w != strings.ToLower(w) {
			t.Errorf("%q is %v", w, v)
		}
	}
}
