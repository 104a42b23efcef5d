package wordlist_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"varve/language/wordlist"
)

func sample() map[string]uint32 {
	m := map[string]uint32{"": 0, "a": 1, "ab": 1 << 31, "ab\x00c": 7, "größe": 300, "left out": 0}
	for i := range 2000 {
		m[fmt.Sprint("word", i)] = uint32(i + 1)
	}
	return m
}

func TestWriteRead(t *testing.T) {
	var file, again bytes.Buffer
	for _, w := range []*bytes.Buffer{&file, &again} {
		if err := wordlist.Write(w, sample()); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Error("the same list gave two files")
	}
	read, err := wordlist.Read(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	made := wordlist.New(sample())
	all, err := wordlist.All(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	got := maps.Collect(all)
	for key, want := range sample() {
		if read.Find(key) != want || made.Find(key) != want || got[key] != want {
			t.Errorf("%q: %d, %d and %d, want %d", key, read.Find(key), made.Find(key), got[key], want)
		}
	}
	if read.Find("nowhere") != 0 || read.Len() != 2004 || len(got) != 2004 || read.Bytes() < 8*2004 {
		t.Errorf("%d keys in %d bytes", read.Len(), read.Bytes())
	}
	for i := range file.Len() {
		damaged := slices.Clone(file.Bytes())
		damaged[i] ^= 0x41
		if _, err := wordlist.Read(bytes.NewReader(damaged)); err == nil {
			t.Fatalf("byte %d was changed and nothing said", i)
		}
		if i%97 == 0 {
			if _, err := wordlist.All(bytes.NewReader(file.Bytes()[:i])); err == nil {
				t.Fatalf("%d bytes were read as a whole file", i)
			}
		}
	}
	if l := wordlist.New(nil); l.Find("x") != 0 || l.Len() != 0 {
		t.Error("an empty list has something")
	}
}
