package fulltext

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"varve/derive"
)

// wordy are documents of one year in which words stand often, seldom, close together and far apart.
func wordy(n int) (list []derive.VersionRow, books []book) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range n {
		v := derive.VersionRow{URL: fmt.Sprintf("http://a.test/%d", i), SURT: fmt.Sprintf("test,a)/%06d", i), Host: "a.test", From: origin, Title: sentence(rng, rng.IntN(6)), Text: sentence(rng, rng.IntN(80))}
		switch i % 50 {
		case 0: // more often than a byte can tell
			v.Text = strings.Repeat("w1 w2 ", 250+i) + v.Text
		case 1: // further apart than two bytes can tell
			v.Text = "w1 " + strings.Repeat("x ", 20000+i) + "w1 w2 " + v.Text
		}
		list = append(list, v)
	}
	for i := range list {
		books = append(books, bookOf(&list[i]))
	}
	return list, books
}

// What the file frequent tells of each word is what the texts have.
func TestFrequent(t *testing.T) {
	list, books := wordy(300)
	s := build(t, list).shards[0]
	for f, name := range fields {
		for w := range 300 {
			word := fmt.Sprintf("w%d", w)
			p, err := s.postings(&spare{}, name, word)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.frequent.find(f, word)
			if err != nil {
				t.Fatal(err)
			}
			if docs := arrayOf(p.docs, nil); got != nil || len(docs) >= frequentFrom {
				checkFrequent(t, s, books, docs, got, name, word)
			}
		}
	}
}

func checkFrequent(t *testing.T, s *shard, books []book, docs []uint32, f *frequent, field, word string) {
	t.Helper()
	if f == nil || len(f.counts) != len(docs) {
		t.Fatalf("%s %s: not among the frequent ones as it should be", field, word)
	}
	for _, step := range []int{1, 7, 100} { // one after the other, and with others passed over
		at := placesOf{frequent: f}
		for rank := 0; rank < len(docs); rank += step {
			text := books[s.cols.number[docs[rank]]].words[field]
			var want []uint32
			for i, w := range text {
				if w == word {
					want = append(want, uint32(i+1))
				}
			}
			got, err := at.read(rank, nil)
			if err != nil || !slices.Equal(got, want) || f.count(rank) != len(want) {
				t.Fatalf("%s %s, rank %d: %v %v, count %d; want %v", field, word, rank, got, err, f.count(rank), want)
			}
			if norm := f.norm(docs[rank]); norm < 0.99/sqrt(len(text)) || norm > 1.01/sqrt(len(text)) {
				t.Fatalf("%s %s, rank %d: norm %g of %d words", field, word, rank, norm, len(text))
			}
		}
	}
}

// A damaged file is told as such: what is wrong at its end when it is opened, what is wrong inside when it is read.
func TestFrequentDamaged(t *testing.T) {
	s := build(t, library(200, 5)).shards[0]
	good := slices.Clone([]byte(s.frequent.mapped))
	path := filepath.Join(t.TempDir(), "frequent")
	for _, cut := range []int{0, 1, frequentTail, len(good) / 2, len(good) - 1} {
		if err := os.WriteFile(path, good[:cut], 0o644); err != nil {
			t.Fatal(err)
		}
		if r, err := openFrequent(path, s.info.Docs); err == nil {
			t.Errorf("the first %d bytes are opened", cut)
			_ = r.close()
		}
	}
	if _, err := parseFrequent(good, s.info.Docs+1); err == nil {
		t.Error("a file of fewer documents is opened")
	}
	norms := slices.Clone(good)
	norms[len(norms)-frequentTail-1] ^= 1
	if _, err := parseFrequent(norms, s.info.Docs); err == nil {
		t.Error("a wrong table is not noticed")
	}
}

func FuzzFrequent(f *testing.F) {
	s := build(f, library(150, 5)).shards[0]
	good := slices.Clone([]byte(s.frequent.mapped))
	docs := s.info.Docs
	f.Add(uint(3), byte(1), "w1")
	f.Add(uint(len(good)/3), byte(0xff), "w0")
	f.Fuzz(func(_ *testing.T, at uint, with byte, word string) {
		b := slices.Clone(good)
		b[at%uint(len(b))] ^= with
		r, err := parseFrequent(b, docs)
		if err != nil {
			r, _ = parseFrequent(good, docs)
			r.body = b[:len(r.body)]
		}
		for i := range fields {
			e, err := r.find(i, word)
			if err != nil || e == nil {
				continue
			}
			at := placesOf{frequent: e}
			for rank := range e.counts {
				if _, err := at.read(rank, nil); err != nil {
					break
				}
			}
		}
	})
}
