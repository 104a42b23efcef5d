package base

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"varve/entity"
)

// Ten million generated names (VARVE_NAMES for another number): the base opens at once, whatever its size, and takes little memory to build and to use.
func TestDrillTenMillionNames(t *testing.T) {
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("a drill: VARVE_DRILL=1")
	}
	names := 10_000_000
	if n, err := strconv.Atoi(os.Getenv("VARVE_NAMES")); err == nil {
		names = n
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	syllables := []string{"an", "ber", "cor", "dal", "el", "fin", "gar", "hol", "is", "jan", "kas", "lo", "mer", "nor", "ol", "per", "quin", "ros", "sten", "tor", "ul", "vik", "wes", "yor", "zan"}
	word := func() string {
		s := ""
		for range 2 + rnd.IntN(2) {
			s += syllables[rnd.IntN(len(syllables))]
		}
		return s
	}
	var asked []string
	path := filepath.Join(t.TempDir(), FileName)
	begin := time.Now()
	about, err := Build(t.Context(), path, func(yield func([]byte, error) bool) {
		var line []byte
		for i := range names / 4 { // an entity has a label, two other names, a name that links use, two phrases, and a link
			id := fmt.Sprintf("Q%d", i)
			label := word() + " " + word()
			if i%(names/4000+1) == 0 {
				asked = append(asked, label)
			}
			for _, s := range []entity.Statement{
				{Subject: id, Says: entity.HasLabel, Text: label},
				{Subject: id, Says: entity.HasAlias, Text: word() + " " + word() + " " + word()},
				{Subject: id, Says: entity.HasAlias, Text: word() + " " + word() + strconv.Itoa(i)},
				{Subject: id, Says: entity.HasAnchor, Text: word(), Count: 3},
				{Subject: id, Says: entity.HasPhrase, Text: word() + " " + word()},
				{Subject: id, Says: entity.LinkedFrom, Text: fmt.Sprintf("Q%d", rnd.IntN(names/4))},
			} {
				line = s.AppendLine(line[:0])
				if !yield(line, nil) {
					return
				}
			}
		}
	}, Options{Memory: 128 << 20})
	if err != nil {
		t.Fatal(err)
	}
	built := time.Since(begin)
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	begin = time.Now()
	b, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	opened := time.Since(begin)
	defer b.Close()
	begin = time.Now()
	for _, name := range asked {
		if c, err := b.Candidates(name); err != nil || len(c) == 0 {
			t.Fatalf("%q: %v, %v", name, c, err)
		}
	}
	cold := time.Since(begin) / time.Duration(len(asked))
	begin = time.Now()
	for range 20 {
		for _, name := range asked {
			_, _ = b.Candidates(name)
		}
	}
	warm := time.Since(begin) / time.Duration(20*len(asked))
	runtime.ReadMemStats(&after)
	dictionary := int64(0)
	for _, k := range b.f.blocks[sectionNames] {
		dictionary += int64(k.length)
	}
	t.Logf("%d entities, %d names: built in %v, %d MB, of which names %.1f bytes each; opened in %v, %d KB of heap in use more; a lookup %v first, %v again",
		about.Entities, about.Names, built.Round(time.Second), st.Size()>>20, float64(dictionary)/float64(about.Names), opened, (int64(after.HeapAlloc)-int64(before.HeapAlloc))>>10, cold, warm)
	if opened > 2*time.Second {
		t.Errorf("opened in %v", opened)
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 64<<20 {
		t.Errorf("%d MB of heap are in use for an open base", grown>>20)
	}
}
