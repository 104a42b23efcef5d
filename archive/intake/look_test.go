package intake

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file is known by its beginning, before the rest has come.
func TestLook(t *testing.T) {
	record := "WARC/1.0\r\nWARC-Type: warcinfo\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/warc-fields\r\nContent-Length: 99999999\r\n\r\nsoftware: x\r\n"
	for name, c := range map[string]struct {
		content string
		ok      bool
	}{
		"half.warc":    {record + strings.Repeat("a", 1000), true},
		"package.wacz": {"PK\x03\x04" + strings.Repeat("\x00", 100), true},
		"list.json":    {`{"resources": [`, true},
		"lines.cdxj":   {"test,a)/ 20260101000000 {\"url\": \"http://a.test/\", \"status\": \"200\", \"filename\": \"a.warc\", \"offset\": \"0\"}\n", true},
		"spaces.warc":  {strings.Repeat(" ", 1<<16), false},
		"nothing.warc": {"", false},
		"page.html":    {"<html>", false},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(c.content), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := Look(path); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Look(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there")
	}
}
