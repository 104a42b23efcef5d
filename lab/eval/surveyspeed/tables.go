package surveyspeed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"

	"varve/spam/content"
	"varve/spam/graph"
	"varve/spam/survey"
	"varve/spam/terms"
)

// epoch is when the first snapshot was taken.
var epoch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// collection is a made-up one.
type collection struct {
	Config
	links [][]uint32
	words []string
	pages int
}

func newCollection(c Config) *collection {
	m := &collection{Config: c, links: make([][]uint32, c.Hosts)}
	graph.Web(c.Hosts, c.Hosts*c.Links, c.Seed, func(from, to uint32) { m.links[from] = append(m.links[from], to) })
	rng := rand.New(rand.NewPCG(c.Seed, 1))
	for range 5000 {
		b := make([]byte, 3+rng.IntN(8))
		for i := range b {
			b[i] = byte('a' + rng.IntN(26))
		}
		m.words = append(m.words, string(b))
	}
	slices.Sort(m.words)
	m.words = slices.Compact(m.words)
	return m
}

// name of a host; names are in the order of numbers.
func name(host int) string { return fmt.Sprintf("h%08d-%03d.test", host, host%997) }

// write makes the working tables.
func (m *collection) write(dir string) error {
	return errors.Join(m.writeWords(filepath.Join(dir, "spam_words.parquet")), m.writeVisits(filepath.Join(dir, "spam_visits.parquet")))
}

func (m *collection) writeWords(path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := parquet.NewGenericWriter[survey.Word](f)
	for _, language := range []string{"", "en"} {
		rows := []survey.Word{{Language: language, Count: 1 << 30, Pages: int64(m.Hosts * 2)}}
		for i, word := range m.words {
			rows = append(rows, survey.Word{Language: language, Word: word, Count: int64(1e7 / (i + 1)), Pages: int64(1 + m.Hosts/(i+2)), Titles: int64(1 + m.Hosts/(i+10))})
		}
		if _, err := w.Write(rows); err != nil {
			return err
		}
	}
	return w.Close()
}

func (m *collection) writeVisits(path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := parquet.NewGenericWriter[survey.Visit](f)
	rng := rand.New(rand.NewPCG(m.Seed, 2))
	for host := range m.Hosts {
		if _, err := w.Write(m.visits(host, rng)); err != nil {
			return err
		}
		if host%4000 == 3999 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
	return w.Close()
}

// visits makes the rows of a host: few pages for most, many for some.
func (m *collection) visits(host int, rng *rand.Rand) (out []survey.Visit) {
	n := min(60, max(1, int(float64(m.Pages)/2*math.Pow(1-rng.Float64(), -0.5))))
	m.pages += n
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = key(host, i)
	}
	slices.Sort(keys[1:]) // the home page comes first
	for i, k := range keys {
		for s := range m.Snapshots {
			out = append(out, m.visit(host, i, k, s, keys, rng))
		}
	}
	return out
}

func key(host, page int) uint64 { return terms.Mix(uint64(host)<<8 | uint64(page) + 1) }

func (m *collection) visit(host, page int, k uint64, snapshot int, keys []uint64, rng *rand.Rand) survey.Visit {
	var text strings.Builder
	for range 60 + rng.IntN(120) {
		u := rng.Float64()
		text.WriteString(m.words[int(u*u*float64(len(m.words)))])
		text.WriteByte(' ')
	}
	v := survey.Visit{
		Host: name(host), Key: k, URL: fmt.Sprintf("http://%s/%d", name(host), page), Time: epoch.AddDate(0, snapshot, 0), Crawl: fmt.Sprintf("crawl-%d", snapshot),
		Kind: "page", Status: 200, MIME: "text/html", Address: fmt.Sprintf("10.%d.%d.%d", host>>16&255, host>>8&255, host&248), Agent: "varve", Language: "en",
		Features: features(rng), Words: terms.BagOf(text.String()).Hashed().Append(nil), Sample: text.String()[:200], Text: rng.Uint64(), Title: rng.Uint64(),
	}
	if page == 0 {
		v.URL = "http://" + name(host) + "/"
	}
	for j, to := range m.links[host] {
		if j%len(keys) == page && (snapshot == 0 || rng.IntN(5) > 0) {
			v.Hosts, v.Targets = append(v.Hosts, name(int(to))), append(v.Targets, key(int(to), 0))
		}
	}
	v.Targets = append(v.Targets, keys[rng.IntN(len(keys))])
	return v
}

// features are drawn: what they say does not matter to what they cost.
func features(rng *rand.Rand) []byte {
	var f content.Features
	b := make([]byte, 0, 8*len(f))
	for range f {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(rng.IntN(4096))/64))
	}
	return b
}
