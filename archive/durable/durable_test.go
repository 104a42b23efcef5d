package durable

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

func TestReader(t *testing.T) {
	at := time.UnixMilli(1700000000123).UTC()
	v := AppendTime(AppendBytes(AppendString([]byte{9}, "text"), nil), at)
	r := NewReader(v)
	if b, s, none, tm := r.Byte(), r.String(), r.Bytes(), r.Time(); b != 9 || s != "text" || none != nil || !tm.Equal(at) {
		t.Errorf("read %v %q %v %v", b, s, none, tm)
	}
	if err := r.Done("value"); err != nil {
		t.Error(err)
	}
	for cut := range v { // every shorter value is damaged, and says so
		r := NewReader(v[:cut])
		r.Byte()
		_, _, _ = r.String(), r.Bytes(), r.Time()
		if err := r.Done("value"); err == nil || !strings.Contains(err.Error(), "damaged value") {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	r = NewReader(append(v, 0))
	r.Byte()
	_, _, _ = r.String(), r.Bytes(), r.Time()
	if r.Done("value") == nil {
		t.Error("surplus bytes were accepted")
	}
	r = NewReader([]byte{0xff, 0xff, 0xff, 0xff, 0x1f})
	if r.Int() != 0 || r.Done("count") == nil {
		t.Error("a count that is too large was accepted")
	}
}

func TestBounds(t *testing.T) {
	for _, c := range []struct{ prefix, upper string }{{"a", "b"}, {"a\xff", "b"}, {"\xff\xff", ""}, {"ab", "ac"}} {
		lower, upper := Bounds([]byte(c.prefix))
		if string(lower) != c.prefix || string(upper) != c.upper {
			t.Errorf("%q: %q to %q", c.prefix, lower, upper)
		}
	}
}

func TestGet(t *testing.T) {
	db, err := pebble.Open("d", &pebble.Options{FS: vfs.NewMem(), Logger: Logger(nil, "test")})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Set([]byte("k"), nil, pebble.Sync); err != nil {
		t.Fatal(err)
	}
	if v, err := Get(db, []byte("k")); v == nil || len(v) != 0 || err != nil {
		t.Errorf("empty value: %v (%v)", v, err)
	}
	if v, err := Get(db, []byte("other")); v != nil || err != nil {
		t.Errorf("absent value: %v (%v)", v, err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte{1, 2, 3, 0xff}, uint8(3))
	f.Fuzz(func(t *testing.T, v []byte, ops uint8) {
		whole := bytes.Clone(v)
		r := NewReader(v)
		for ; ops > 0; ops-- {
			switch ops % 7 {
			case 0:
				r.Byte()
			case 1:
				r.Varint()
			case 2:
				r.View()
			case 3:
				_ = r.String()
			case 4:
				r.Time()
			case 5:
				r.Int()
			case 6:
				r.Int64()
			}
		}
		if r.Done("value"); !bytes.Equal(v, whole) {
			t.Error("reading changed the value")
		}
	})
}
