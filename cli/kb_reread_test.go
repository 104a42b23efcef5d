package cli

import (
	"io"
	"strings"
	"testing"
)

// Standard input can be read again from its begin, also where it was not read to its end the first time.
func TestRereadInput(t *testing.T) {
	for _, first := range []int64{0, 3, 100} {
		k := &rereadInput{in: strings.NewReader("abcdefgh")}
		in, err := k.reader(true)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(io.Discard, in, first); err != nil && err != io.EOF {
			t.Fatal(err)
		}
		for range 2 {
			in, err := k.reader(true)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := io.ReadAll(in); err != nil || string(b) != "abcdefgh" {
				t.Errorf("after %d bytes: %q, %v", first, b, err)
			}
		}
		k.close()
	}
}
