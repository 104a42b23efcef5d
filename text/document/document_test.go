package document_test

import (
	"os"
	"strings"
	"testing"

	"varve/text/document"
)

func TestText(t *testing.T) {
	for file, want := range map[string]string{
		"../pdf/testdata/libreoffice.pdf": "time to look for crabs.",
		"../office/testdata/letter.docx":  "time to look for crabs.",
		"../office/testdata/letter.odt":   "time to look for crabs.",
		"../office/testdata/t.xlsx":       "Pears, ripe",
		"../office/testdata/outline.pptx": "Second slide",
	} {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text, ok, err := document.Text("application/octet-stream", body)
		if !ok || err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %v %v %q", file, ok, err, text)
		}
		if d, err := document.Read(body, document.Limits{Text: 40}); err != nil || !d.Truncated || d.Kind == "" {
			t.Errorf("%s: %+v %v", file, d, err)
		}
	}
	for _, body := range []string{"", "<html>", "\x89PNG"} {
		if _, ok, err := document.Text("application/pdf", []byte(body)); ok || err != nil {
			t.Errorf("%q: %v %v", body, ok, err)
		}
	}
	if _, ok, err := document.Text("", []byte("PK\x03\x04 broken")); ok || err == nil {
		t.Errorf("broken archive: %v %v", ok, err)
	}
}
