package content

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"
)

// someHost has taken in n pages that are all different.
func someHost(n int) *Host {
	h := &Host{}
	for i := range n {
		h.Add(&Document{
			URL: fmt.Sprintf("http://a.example/%d", i), Title: fmt.Sprint("title ", i%3), Text: fmt.Sprintf("some words and number %d of the page", i),
			HTML: []byte("<p>x</p>"), Hosts: []string{fmt.Sprintf("h%d.example", i%7)}, Outside: 1,
			Modified: time.Unix(1e9, 0), Fetched: time.Unix(1e9+int64(i)*1e5, 0),
		})
		h.Answer(200 + i%2*204)
	}
	h.Format("image/png")
	return h
}

// A host that was written and read goes on as if nothing had been.
func TestHostCodec(t *testing.T) {
	for _, n := range []int{0, 1, 20} {
		h := someHost(n)
		b, err := h.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		var back Host
		if err := back.UnmarshalBinary(b); err != nil {
			t.Fatal(err)
		}
		for _, x := range []*Host{h, &back} {
			x.Add(&Document{URL: "http://a.example/", Title: "title 1", Text: "the last page", Hosts: []string{"h1.example", "new.example"}})
		}
		want, got := h.Vector(), back.Vector()
		for i, name := range Names() {
			if math.Float64bits(want[i]) != math.Float64bits(got[i]) && !(math.IsNaN(want[i]) && math.IsNaN(got[i])) {
				t.Errorf("%d pages: %s is %v, was %v", n, name, got[i], want[i])
			}
		}
	}
}

// All fields of a host are written: whoever adds one changes the codec, and this number.
func TestHostCodecKnowsAllFields(t *testing.T) {
	if n := reflect.TypeFor[Host]().NumField(); n != 16 {
		t.Errorf("a host has %d fields, the codec knows 16", n)
	}
}

func FuzzHostCodec(f *testing.F) {
	for _, n := range []int{0, 3} {
		b, err := someHost(n).AppendBinary(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var h Host
		if h.UnmarshalBinary(b) != nil {
			return
		}
		if again, err := h.AppendBinary(nil); err != nil || new(Host).UnmarshalBinary(again) != nil {
			t.Fatalf("what was read cannot be written and read: %v", err)
		}
		h.Add(&Document{URL: "http://a.example/", Text: "x"})
	})
}
