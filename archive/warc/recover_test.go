package warc_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"varve/archive/warc"
	"varve/archive/warc/crashfs"
)

// A member that is torn in its last bytes, with rubbish behind, can still give its whole record.
// It must not be kept: nothing vouches for it, and the file would not be sound.
func TestRecoverTornEnd(t *testing.T) {
	one, two := packed(t, "first"), packed(t, "second")
	rng := rand.New(rand.NewPCG(1, 2))
	for cut := range 14 {
		for range 300 {
			file := append(bytes.Clone(one), two[:len(two)-cut]...)
			want := len(one)
			if cut == 0 {
				want += len(two)
			} else {
				file = append(file, ^two[len(two)-cut])
			}
			for range cut + rng.IntN(300) {
				file = append(file, byte(rng.Uint32()))
			}
			if got := recovered(t, file); !bytes.Equal(got, file[:want]) {
				t.Fatalf("%d bytes torn off: %d kept, want %d", cut, len(got), want)
			}
		}
	}
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	body := strings.Repeat(text+" line of a page\r\n", 30)
	if err := enc.Encode(&out, warc.New(warc.TypeResource, "<urn:x>", time.Unix(1e9, 0), warc.Bytes([]byte(body)))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// recovered gives the bytes that Recover keeps of a file.
func recovered(t *testing.T, file []byte) []byte {
	t.Helper()
	fsys := crashfs.New()
	h, err := fsys.Create("/w/a.warc.gz" + warc.OpenSuffix)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Write(file); err != nil {
		t.Fatal(err)
	}
	if _, err := warc.Recover(fsys, "/w", nil, nil); err != nil {
		t.Fatal(err)
	}
	if h, err = fsys.Open("/w/a.warc.gz"); err != nil {
		t.Fatal(err)
	}
	size, _ := h.Size()
	got := make([]byte, size)
	if _, err := h.ReadAt(got, 0); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return got
}

// Records that were appended together are kept together, if somebody knows what belongs together.
func TestRecoverWholeGroups(t *testing.T) {
	enc, err := warc.NewEncoder(warc.Packing{})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	ends := []int{0}
	for _, e := range [][3]string{ // type, id, about
		{warc.TypeWarcinfo, "i", ""},
		{warc.TypeResponse, "a", ""},
		{warc.TypeRequest, "b", "a"},
		{warc.TypeMetadata, "c", "a"},
		{warc.TypeResource, "d", ""}, // as a dns record
		{warc.TypeRequest, "e", "f"},
		{warc.TypeResponse, "f", "e"},
		{warc.TypeMetadata, "g", ""}, // stands alone
	} {
		entry := warc.New(e[0], "<urn:"+e[1]+">", time.Unix(1e9, 0), warc.Bytes("x"))
		if e[2] != "" {
			entry.With(warc.FieldConcurrentTo, "<urn:"+e[2]+">")
		}
		if err := enc.Encode(&file, entry); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, file.Len())
	}
	// What is kept when the file is cut behind so many records; 0 means the file goes away.
	for n, want := range []int{0, 0, 0, 0, 4, 5, 5, 7, 8} {
		fsys := crashfs.New()
		h, err := fsys.Create("/w/a.warc.gz" + warc.OpenSuffix)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Write(file.Bytes()[:ends[n]]); err != nil {
			t.Fatal(err)
		}
		cuts, err := warc.Recover(fsys, "/w", wholeGroup, nil)
		if err != nil || len(cuts) != 1 || cuts[0].Kept != int64(ends[want]) || cuts[0].Lost != int64(ends[n]-ends[want]) {
			t.Errorf("%d records: %+v (%v), want %d kept", n, cuts, err, want)
		}
	}
}

// wholeGroup wants all records that are named, and with an answer its request and, but for one, its metadata.
func wholeGroup(last []warc.Header) bool {
	have := map[string]bool{}
	for _, h := range last {
		have[h.Get(warc.FieldRecordID)] = true
		have[h.Get(warc.FieldType)] = true
	}
	for _, h := range last {
		if about := h.Get(warc.FieldConcurrentTo); about != "" && !have[about] {
			return false
		}
	}
	return !have[warc.TypeResponse] || have[warc.TypeRequest] && (have[warc.TypeMetadata] || have["<urn:f>"])
}
