package searchspeed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/derive"
	"varve/text/near"
)

// Shape of the made-up texts.
const (
	vocabulary = 200_000
	medianText = 220 // words
	spreadText = 0.8 // of the logarithm
	mostText   = 8000
	hostCount  = 500
	years      = 10
	pairsFrom  = 100 // words of these ranks are followed by their partner half of the time
	pairsTo    = 3000
)

var epoch = time.Date(2014, 1, 1, 0, 0, 0, 0, time.UTC)

// library makes documents up.
type library struct {
	rng   *rand.Rand
	words []string
	draw  []uint32 // ranks, each as often as Zipf has it
}

func newLibrary(seed uint64) *library {
	l := &library{rng: rand.New(rand.NewPCG(seed, 1)), words: make([]string, vocabulary)}
	for i := range l.words {
		l.words[i] = spell(i)
	}
	sum := 0.0
	for i := range vocabulary {
		sum += 1 / float64(i+3)
	}
	const slots = 1 << 22
	done := 0.0
	for i := range vocabulary {
		done += 1 / float64(i+3) / sum * slots
		for float64(len(l.draw)) < done {
			l.draw = append(l.draw, uint32(i))
		}
	}
	return l
}

// spell gives a word that can be told from all others: its rank in syllables.
func spell(rank int) string {
	const first, second = "bdfgklmnprstvwz", "aeiou"
	var b strings.Builder
	for n := rank + 1; n > 0; n /= len(first) * len(second) {
		s := n % (len(first) * len(second))
		b.WriteByte(first[s%len(first)])
		b.WriteByte(second[s/len(first)])
	}
	return b.String()
}

// partner is the rank of the word that follows another one often.
func partner(rank int) int { return pairsFrom + (rank*7919+13)%(pairsTo-pairsFrom) }

// text writes n words in sentences.
func (l *library) text(n int) string {
	var b strings.Builder
	b.Grow(n * 8)
	left := 0
	next := -1
	for range n {
		rank := next
		if next < 0 {
			rank = int(l.draw[l.rng.IntN(len(l.draw))])
		}
		next = -1
		if rank >= pairsFrom && rank < pairsTo && l.rng.IntN(2) == 0 {
			next = partner(rank)
		}
		w := l.words[rank]
		if left == 0 {
			left = 5 + l.rng.IntN(20)
			w = strings.ToUpper(w[:1]) + w[1:]
		}
		b.WriteString(w)
		if left--; left == 0 {
			b.WriteByte('.')
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// length draws how many words a page has.
func (l *library) length() int {
	return min(mostText, max(5, int(medianText*math.Exp(spreadText*l.rng.NormFloat64()))))
}

// page makes the version number i up. Versions of a page follow each other; three of four pages are
// never seen changed.
func (l *library) page(i int, v *derive.VersionRow) {
	host := int(l.draw[l.rng.IntN(len(l.draw))]) % hostCount
	*v = derive.VersionRow{
		Host: fmt.Sprintf("site%03d.example.org", host), Domain: "example.org", MIME: "text/html", Language: []string{"en", "en", "en", "de", "fr"}[l.rng.IntN(5)],
		Captures: int32(1 + l.rng.IntN(20)), Title: l.text(3 + l.rng.IntN(8)), Text: l.text(l.length()), Inlinks: int32(l.rng.ExpFloat64() * 5), Crawl: fmt.Sprintf("crawl-%02d", l.rng.IntN(40)),
	}
	v.URL = fmt.Sprintf("https://%s/%s/%s-%d.html", v.Host, l.words[l.rng.IntN(2000)], l.words[l.rng.IntN(20000)], i)
	v.SURT = fmt.Sprintf("org,example,site%03d)/%08d", host, i)
	if v.Inlinks > 0 {
		v.Anchors = l.text(1 + l.rng.IntN(4))
	}
	if l.rng.IntN(20) == 0 {
		v.MIME = "application/pdf"
	}
	v.From = epoch.Add(time.Duration(l.rng.Int64N(years*365*24*3600)) * time.Second)
	v.Last = v.From.Add(time.Duration(l.rng.ExpFloat64() * 100 * 24 * float64(time.Hour)))
	if l.rng.IntN(4) > 0 {
		v.Until = v.Last.Add(time.Duration(1+l.rng.IntN(500)) * time.Hour)
	}
	v.Words = int32(strings.Count(v.Text, " "))
	print := near.Of(v.Text)
	v.Simhash = uint64(print.Simhash)
	for _, x := range print.Minhash {
		v.Minhash = binary.LittleEndian.AppendUint32(v.Minhash, x)
	}
	v.State, v.Digest, v.Size = fmt.Sprintf("%016x", i), fmt.Sprintf("sha1:%032X", i), int64(len(v.Text)*6)
	v.File, v.Offset, v.Length = "made-up.warc.gz", int64(i)*8192, 8192
}

// manyFacets are facets with 20 values a document together, and how many different names they have. The first has one value, the first two have five.
var manyFacets = []struct {
	name          string
	values, names int
}{{"author", 1, 5_000}, {"place", 4, 20_000}, {"organisation", 4, 50_000}, {"person", 5, 100_000}, {"term", 6, 200_000}}

// facetsWith names the facets that have so many values a document together.
func facetsWith(values int) (out []string) {
	for _, f := range manyFacets {
		if values -= f.values; values >= 0 {
			out = append(out, f.name)
		}
	}
	return out
}

func facetTable() derive.FacetTable {
	t := derive.FacetTable{Job: "made_up"}
	for _, f := range manyFacets {
		t.Facets = append(t.Facets, derive.Facet{Name: f.name, Title: f.name, Kind: derive.FacetNames})
	}
	return t
}

// values makes the values of a document up: names by Zipf, each once.
func (l *library) values(rng *rand.Rand) (out []derive.FacetValue) {
	for _, f := range manyFacets {
		for have := map[uint32]bool{}; len(have) < f.values; {
			rank := l.draw[rng.IntN(len(l.draw))] % uint32(f.names)
			if have[rank] {
				continue
			}
			have[rank] = true
			out = append(out, derive.FacetValue{Facet: f.name, Value: nameOf(f.name, int(rank)), Count: 1})
		}
	}
	return out
}

// nameOf is a name of two words.
func nameOf(facet string, rank int) string {
	return spell(rank%977) + " " + spell(rank) + " " + facet[:2]
}

// writeVersions writes the table of n versions, and that of their facets beside it, and gives the bytes of their texts.
func writeVersions(path string, n int, seed uint64) (texts int64, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	beside, err := os.Create(derive.FacetsOf(path))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, beside.Close()) }()
	facets, rng := derive.WriteFacets(beside, facetTable()), rand.New(rand.NewPCG(seed, 2))
	w := parquet.NewGenericWriter[derive.VersionRow](f)
	l := newLibrary(seed)
	rows := make([]derive.VersionRow, 1)
	for i := range n {
		l.page(i, &rows[0])
		texts += int64(len(rows[0].Text))
		if _, err := w.Write(rows); err != nil {
			return texts, err
		}
		if err := facets.Add(&rows[0], l.values(rng)); err != nil {
			return texts, err
		}
		if i%8000 == 7999 {
			if err := w.Flush(); err != nil {
				return texts, err
			}
		}
	}
	return texts, errors.Join(w.Close(), facets.Close())
}
