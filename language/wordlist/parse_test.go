package wordlist

import "testing"

// Whatever the bytes behind the checksum are: an error, or keys and numbers.
func FuzzParse(f *testing.F) {
	f.Add([]byte{2, 7, 0, 2, 'a', 'b', 1, 1, 'c', 5, 6})
	f.Add([]byte{1, 3, 9, 1, 'a', 1})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		body, n, err := parse(b)
		if err != nil {
			return
		}
		count := 0
		for k, v := range body.entries(n) {
			if count++; v == 0 || len(k) > 510 {
				t.Fatalf("%q: %d", k, v)
			}
		}
		if body.err == nil && count != n {
			t.Fatalf("%d keys of %d", count, n)
		}
	})
}
