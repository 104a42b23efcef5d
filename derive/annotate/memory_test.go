package annotate

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"varve/archive/scan"
	"varve/archive/warc"
	"varve/derive"
	"varve/language"
)

// What was found is remembered within bounds, and the oldest is forgotten first.
func TestMemory(t *testing.T) {
	m := newMemory[int](1000)
	key := func(i int) digest { return digest{byte(i), byte(i >> 8)} }
	for i := range 300 {
		m.add(key(i), i, 50)
		if got, ok := m.find(key(i)); !ok || got != i {
			t.Fatalf("%d: %d, %t", i, got, ok)
		}
	}
	m.add(key(299), 7, 50)
	m.add(key(1000), 7, 1000)
	kept := 0
	for i := range 300 {
		if got, ok := m.find(key(i)); ok {
			kept++
			if got != i || i < 295 {
				t.Errorf("%d: %d", i, got)
			}
		}
	}
	if _, ok := m.find(key(1000)); ok || kept != 5 || m.held != 5*200 || len(m.order) != 5 {
		t.Errorf("%d kept, %d bytes, %d in order", kept, m.held, len(m.order))
	}
}

// A text that was met before is not analysed again.
func TestAnalysedOnce(t *testing.T) {
	analysed := 0
	m := mapper(language.Sentences, func(r *language.Reading) (int, int) {
		analysed++
		return len(r.Sentences), 8
	})
	var file bytes.Buffer
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"One is here. Two is there.", "Three is alone.", "One is here. Two is there."} {
		e := warc.New(warc.TypeResource, fmt.Sprintf("<urn:%d>", i), time.Unix(int64(i), 0), warc.Bytes(text)).
			With(warc.FieldTargetURI, fmt.Sprintf("http://a.test/%d", i)).With(warc.FieldContentType, "text/plain")
		if err := enc.Encode(&file, e); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.warc.gz")
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	var taken []int
	sink := scan.SinkFunc(func(t *scan.Taken) error {
		taken = append(taken, t.Result.(*Found[int]).What)
		return nil
	})
	err = scan.File(t.Context(), path, scan.Options{Cores: 1}, &scan.Task{Mapper: derive.PagesMapper(&derive.Options{})}, &scan.Task{Mapper: m, Sink: sink})
	if err != nil || analysed != 2 || !slices.Equal(taken, []int{2, 1, 2}) {
		t.Errorf("%d analysed: %v, %v", analysed, taken, err)
	}
}
