package derive

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"
)

// What goes to the reducer comes back as it was, also where it is nothing; what is cut is an error.
func TestValues(t *testing.T) {
	full := shown{Facets: []FacetValue{{"person", "Ann", -1.5, 3}, {"when", "1997", 0, math.MaxInt32}}}
	filled := reflect.ValueOf(&full).Elem()
	for i := range filled.NumField() {
		switch f := filled.Field(i); f.Interface().(type) {
		case string:
			f.SetString("é" + filled.Type().Field(i).Name)
		case int32, int64:
			f.SetInt(int64(i) * -7)
		case uint64:
			f.SetUint(math.MaxUint64 - uint64(i))
		case float32:
			f.SetFloat(float64(float32(1) / float32(i)))
		case time.Time:
			f.Set(reflect.ValueOf(time.UnixMicro(int64(i)).UTC()))
		case []byte:
			f.SetBytes([]byte{0, 1, 255})
		}
		if filled.Field(i).IsZero() {
			t.Errorf("%s is not tested", filled.Type().Field(i).Name)
		}
	}
	for _, p := range []shown{{}, full} {
		got, err := shownIn(p.value(&coder{}))
		if err != nil || !reflect.DeepEqual(*got, p) {
			t.Errorf("%+v, %v, want %+v", got, err, p)
		}
		var c coder
		p.fields(&c)
		for n := range c.b {
			cut := coder{b: c.b[:n], reads: true}
			if (&shown{}).fields(&cut); cut.err == nil {
				t.Errorf("cut to %d of %d bytes it is read", n, len(c.b))
			}
		}
	}
	for _, bad := range []string{"", "abc", "\xff\xff\xff\xff", "\x00\x00\x00\x05"} {
		if _, err := shownIn([]byte(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	link := inlinkValue{"http://a.test/", "no UTF-8: \xff", time.UnixMicro(1).UTC(), time.UnixMicro(2).UTC(), 3}
	var c coder
	link.fields(&c)
	link.Anchor = "no UTF-8: \ufffd"
	var got inlinkValue
	if got.fields(&coder{b: c.b, reads: true}); got != link {
		t.Errorf("%+v, want %+v", got, link)
	}
}

// Captures of one instant come by their address, then by record and status, then by where they lie, however long names are.
func TestOrderOfCaptures(t *testing.T) {
	at := time.Unix(1e9, 0)
	var values []string
	for _, p := range []shown{
		{URL: "http://a.test/", Record: "response", Status: 200, Time: at.Add(-1000)},
		{URL: "http://a.test/", Record: "response", Status: 301, File: "a-longer.warc", Offset: 7},
		{URL: "http://a.test/", Record: "response", Status: 301, File: "b.warc", Offset: 5},
		{URL: "http://a.test/", Record: "response", Status: 301, File: "b.warc", Offset: 300},
		{URL: "http://a.test/", Record: "revisit", Status: 200},
		{URL: "http://www.a.test/", Record: "response", Status: 200},
		{URL: "https://a.test/", Record: "response", Status: 200},
	} {
		if p.Time.IsZero() {
			p.Time = at
		}
		values = append(values, string(p.value(&coder{})))
	}
	if !slices.IsSorted(values) {
		t.Errorf("%q", values)
	}
}
