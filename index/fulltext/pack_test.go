package fulltext

import (
	"reflect"
	"testing"
)

// What is unpacked is what was packed; every field of the table counts.
func TestPack(t *testing.T) {
	for _, v := range library(20, 3) {
		v.Minhash, v.Simhash, v.Confidence, v.DateConfidence = []byte{1, 2, 3}, 7, 0.5, 0.25
		v.Dated, v.DateSource, v.State, v.Digest, v.File, v.Offset, v.Length, v.Size, v.Words = v.From, "meta", "s", "d", "f", 1, 2, 3, -4
		v.Published, v.PublishedSource, v.PublishedConfidence = "2024-03-05", "address", 0.75
		fields := reflect.ValueOf(v)
		for i := range fields.NumField() {
			if name := fields.Type().Field(i).Name; fields.Field(i).IsZero() && name != "Until" && name != "Anchors" && name != "Title" && name != "Language" && name != "Inlinks" {
				t.Fatalf("the test does not set %s", name)
			}
		}
		got, err := unpack(pack(nil, &v))
		if err != nil || !reflect.DeepEqual(*got, v) {
			t.Fatalf("%v\n%+v\n%+v", err, got, v)
		}
		// As it was packed before pages had a day of publication.
		v.Published, v.PublishedSource, v.PublishedConfidence = "", "", 0
		older := pack(nil, &v)
		if got, err = unpack(older[:len(older)-6]); err != nil || !reflect.DeepEqual(*got, v) {
			t.Fatalf("an older one: %v\n%+v", err, got)
		}
	}
}

func FuzzUnpack(f *testing.F) {
	for _, v := range library(3, 1) {
		f.Add(pack(nil, &v))
	}
	f.Fuzz(func(_ *testing.T, b []byte) { _, _ = unpack(b) })
}
