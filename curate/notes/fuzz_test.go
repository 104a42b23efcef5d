package notes

import (
	"bytes"
	"testing"

	"varve/archive/journal"
)

// Whatever a file holds, what is read of it keeps the rules: known kinds, ids that are there once, acts in their threads.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"id":"0123456789abcdef","do":"say","kind":"note","by":"eva","text":"x","at":"2026-05-01T00:00:00Z"}` + "\n" +
		`{"id":"1123456789abcdef","do":"close","re":"0123456789abcdef","by":"max","at":"2026-05-02T00:00:00Z"}` + "\n"))
	f.Add([]byte("{\n\x00\n[]\n{\"do\":\"say\",\"url\":\"http://[\"}\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		p := read(journal.Parse[Line](bytes.NewReader(file), "fuzz"))
		acts := 0
		for _, x := range p.threads {
			acts += len(x.Answers)
			if err := x.check(); err != nil || p.by[x.ID] != x {
				t.Fatalf("%+v: %v", x, err)
			}
			for _, a := range x.Answers {
				if a.Re != x.ID || a.Do == Say {
					t.Fatalf("%+v in thread %s", a, x.ID)
				}
			}
			if !x.Subject.covers(x.Subject) {
				t.Fatalf("%+v does not cover itself", x.Subject)
			}
		}
		if p.lines != len(p.threads)+acts+p.badN {
			t.Fatalf("%d lines, %d threads, %d acts, %d bad", p.lines, len(p.threads), acts, p.badN)
		}
	})
}
