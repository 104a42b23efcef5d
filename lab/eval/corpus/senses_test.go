package corpus_test

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varve/lab/eval/corpus"
)

// tiny is a WordNet of seven senses: entity above vehicle and feeling; car and truck below vehicle, love and hate below feeling. "car" has a second sense, a feeling, that nobody met.
var tiny = map[string]string{
	"data.noun": "  1 licence\n" +
		"00000001 03 n 01 entity 0 002 ~ 00000002 n 0000 ~ 00000003 n 0000 | all\n" +
		"00000002 06 n 01 vehicle 0 003 @ 00000001 n 0000 ~ 00000004 n 0000 ~ 00000005 n 0000 | x\n" +
		"00000003 12 n 01 feeling 0 003 @ 00000001 n 0000 ~ 00000006 n 0000 ~ 00000007 n 0000 | x\n" +
		"00000004 06 n 01 car 0 001 @ 00000002 n 0000 | x\n" +
		"00000005 06 n 01 truck 0 001 @ 00000002 n 0000 | x\n" +
		"00000006 12 n 02 love 0 car 1 001 @ 00000003 n 0000 | x\n" +
		"00000007 12 n 01 hate 0 001 @ 00000003 n 0000 | x\n",
	"index.noun": "entity n 1 0 1 0 00000001\nvehicle n 1 1 @ 1 0 00000002\nfeeling n 1 1 @ 1 0 00000003\ncar n 2 1 @ 2 1 00000004 00000006\n" +
		"truck n 1 1 @ 1 0 00000005\nlove n 1 1 @ 1 0 00000006\nhate n 1 1 @ 1 0 00000007\n",
	"cntlist.rev": "car%1:06:00:: 1 2\ntruck%1:06:00:: 1 1\ntruck%2:38:00:: 1 9\n",
}

func tinyWordNet(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "wordnet.tar.gz")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	w := tar.NewWriter(z)
	for name, text := range tiny {
		if err := w.WriteHeader(&tar.Header{Name: "wordnet-3.0/" + name, Size: int64(len(text)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []interface{ Close() error }{w, z, f} {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return file
}

func TestTree(t *testing.T) {
	file := tinyWordNet(t)
	tree, err := corpus.ReadTree(file, "entity")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range tree {
		got = append(got, fmt.Sprint(n.Depth, n.Words, n.Below))
	}
	if want := []string{"0 [entity] [1 2]", "1 [vehicle] [3 4]", "1 [feeling] [5 6]", "2 [car] []", "2 [truck] []", "2 [love car] []", "2 [hate] []"}; !slices.Equal(got, want) || tree[0].Gloss != "all" {
		t.Errorf("%q, want %q", got, want)
	}
	if _, err := corpus.ReadTree(file, "plant"); err == nil {
		t.Error("a word that is not there has a tree")
	}
}

func TestSenses(t *testing.T) {
	s, err := corpus.ReadSenses(tinyWordNet(t))
	if err != nil {
		t.Fatal(err)
	}
	if !s.Has("car") || s.Has("peace") {
		t.Error("car is a noun of WordNet, peace is not")
	}
	// 7 senses once each, car two times more, truck once: 10 in all; vehicle has 1+3+2 of them, car 3, truck 2
	want := 2 * math.Log(10./6) / (math.Log(10./3) + math.Log(10./2))
	if fit, least := s.Fit([]string{"car", "truck"}); math.Abs(fit-want) > 1e-9 || least < fit {
		t.Errorf("car and truck fit by %f, %f; want %f", fit, least, want)
	}
	if fit, least := s.Fit([]string{"truck", "hate"}); fit != 0 || least != 0 {
		t.Errorf("truck and hate fit by %f, %f", fit, least)
	}
	if fit, _ := s.Fit([]string{"car", "love"}); fit != 1 {
		t.Errorf("car and love have one sense, and fit by %f", fit)
	}
}
