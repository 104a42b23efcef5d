package fulltext

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"varve/derive"
)

// BenchmarkCountValues counts the commonest names of facets with 1, 5 and 20 values a document, of 200,000 documents in ten years of which some were found: what facets add to a query.
func BenchmarkCountValues(b *testing.B) {
	kinds := []struct {
		name          string
		values, names float64
	}{{"author", 1, 5_000}, {"place", 4, 20_000}, {"organisation", 4, 50_000}, {"person", 5, 100_000}, {"term", 6, 200_000}}
	var declared []derive.Facet
	for _, k := range kinds {
		declared = append(declared, derive.Facet{Name: k.name, Kind: derive.FacetNames})
	}
	rng := rand.New(rand.NewPCG(1, 2))
	dir := b.TempDir()
	var infos []shardInfo
	var shards []*shard
	for year := range 10 {
		const docs = 20_000
		y, number := newYearValues(declared), make([]uint32, docs)
		for d := range number {
			number[d] = uint32(d)
			var list []derive.VersionFacetRow
			for _, k := range kinds {
				for have := map[int]bool{}; len(have) < int(k.values); {
					if n := int(3*math.Pow(k.names/3, rng.Float64())) - 3; !have[n] { // by Zipf's law
						have[n] = true
						list = append(list, derive.VersionFacetRow{Facet: k.name, Value: fmt.Sprint(k.name, " number ", n)})
					}
				}
			}
			y.add(list)
		}
		file, err := y.file(number)
		if err != nil {
			b.Fatal(err)
		}
		list, err := parseFacets(file, docs)
		info := shardInfo{Dir: fmt.Sprint(year), Docs: docs, Facets: "x"}
		if err := errors.Join(err, os.Mkdir(filepath.Join(dir, info.Dir), 0o755), os.WriteFile(facetsPath(dir, info), file, 0o644)); err != nil {
			b.Fatal(err)
		}
		infos, shards = append(infos, info), append(shards, &shard{info: info, facets: &facetsFile{of: list}})
	}
	if _, err := writeOrdinals(b.Context(), dir, "x", infos); err != nil {
		b.Fatal(err)
	}
	o, err := openOrdinals(dir, manifest{Ordinals: "x"})
	if err != nil {
		b.Fatal(err)
	}
	defer o.close()
	if err := o.bind(shards); err != nil {
		b.Fatal(err)
	}
	var parts []*part
	for i, s := range shards {
		parts = append(parts, &part{shard: s, ordinals: o, place: i})
	}
	for _, share := range []float64{0.0005, 0.01, 0.1, 0.5, 0.99, 1} {
		var docs [][]uint32
		var sets []set
		for range parts {
			var list []uint32
			in := make(set, 20_000/64+1)
			for d := range uint32(20_000) {
				if rng.Float64() < share {
					list = append(list, d)
					in.put(d)
				}
			}
			docs, sets = append(docs, list), append(sets, in)
		}
		for asked, values := range map[int]int{1: 1, 2: 5, 5: 20} {
			b.Run(fmt.Sprintf("of=%g/values=%d", share, values), func(b *testing.B) {
				var names []string
				for _, k := range kinds[:asked] {
					names = append(names, k.name)
				}
				spare := &spare{}
				var before, after syscall.Rusage
				if err := syscall.Getrusage(syscall.RUSAGE_SELF, &before); err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					c := &collector{q: &Query{Facets: names, Top: 10}, tallies: map[string][]tally{}, few: fewValues}
					for i, p := range parts {
						if len(docs[i]) > 0 {
							c.note(spare, p, sets[i], docs[i])
						}
					}
					if out := c.facets(spare); len(out[names[0]]) != 10 {
						b.Fatal(out)
					}
				}
				if err := syscall.Getrusage(syscall.RUSAGE_SELF, &after); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(after.Utime.Nano()-before.Utime.Nano())/float64(b.N), "cpu-ns/op")
			})
		}
	}
}
