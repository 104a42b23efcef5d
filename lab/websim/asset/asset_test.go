package asset_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"regexp"
	"strconv"
	"testing"

	"varve/lab/websim/asset"
	"varve/lab/websim/prose"
)

func makers(t testing.TB) map[string]func(name uint64, size int) []byte {
	lex, err := prose.NewLexicon(1, "de")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]func(uint64, int) []byte{
		"png":  func(n uint64, s int) []byte { return asset.PNG(nil, n, s) },
		"jpeg": func(n uint64, s int) []byte { return asset.JPEG(nil, n, s) },
		"svg":  func(n uint64, s int) []byte { return asset.SVG(nil, n, s) },
		"pdf": func(n uint64, s int) []byte {
			return asset.PDF(nil, lex, n, prose.Voice{Topic: 1}, s, "http://a.sim.test/")
		},
		"css":  func(n uint64, s int) []byte { return asset.CSS(nil, lex, n, s, "/a.png") },
		"js":   func(n uint64, s int) []byte { return asset.JS(nil, lex, n, s) },
		"json": func(n uint64, s int) []byte { return asset.JSON(nil, lex, n, prose.Voice{Topic: 1}, s, "/a") },
		"xml":  func(n uint64, s int) []byte { return asset.XML(nil, lex, n, prose.Voice{Topic: 1}, s, "/a") },
		"txt":  func(n uint64, s int) []byte { return asset.Text(nil, lex, n, prose.Voice{Topic: 1}, s) },
	}
}

func TestSizeAndDifference(t *testing.T) {
	for kind, mk := range makers(t) {
		for _, size := range []int{0, 100, 3000, 200_000} {
			b := mk(1, size)
			if !bytes.Equal(b, mk(1, size)) || bytes.Equal(b, mk(2, size)) {
				t.Errorf("%s of %d: bytes must depend on the name and on nothing else", kind, size)
			}
			if size >= 3000 && (len(b) < size*8/10 || len(b) > size*12/10) {
				t.Errorf("%s: %d bytes, wanted %d", kind, len(b), size)
			}
		}
	}
}

func TestValid(t *testing.T) {
	mk := makers(t)
	for _, size := range []int{0, 5000, 150_000} {
		for _, kind := range []string{"png", "jpeg"} {
			if _, got, err := image.Decode(bytes.NewReader(mk[kind](3, size))); err != nil || got != kind {
				t.Errorf("%s of %d: %s %v", kind, size, got, err)
			}
		}
		if !json.Valid(mk["json"](3, size)) {
			t.Errorf("json of %d is not valid", size)
		}
		for _, kind := range []string{"xml", "svg"} {
			if err := parseXML(mk[kind](3, size)); err != nil {
				t.Errorf("%s of %d: %v", kind, size, err)
			}
		}
		if err := checkPDF(mk["pdf"](3, size)); err != nil {
			t.Errorf("pdf of %d: %v", size, err)
		}
	}
}

func parseXML(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// checkPDF follows startxref and looks whether every offset points at its object.
func checkPDF(b []byte) error {
	m := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(b)
	if m == nil {
		return errors.New("no startxref")
	}
	at, _ := strconv.Atoi(string(m[1]))
	if !bytes.HasPrefix(b[at:], []byte("xref\n")) {
		return errors.New("startxref does not point at xref")
	}
	for i, e := range regexp.MustCompile(`(\d{10}) 00000 n `).FindAllSubmatch(b[at:], -1) {
		off, _ := strconv.Atoi(string(e[1]))
		if !bytes.HasPrefix(b[off:], fmt.Appendf(nil, "%d 0 obj\n", i+1)) {
			return fmt.Errorf("object %d is not at %d", i+1, off)
		}
	}
	return nil
}

func BenchmarkAssets(b *testing.B) {
	for kind, mk := range makers(b) {
		b.Run(kind, func(b *testing.B) {
			for i := range b.N {
				b.SetBytes(int64(len(mk(uint64(i), 15_000))))
			}
		})
	}
}
