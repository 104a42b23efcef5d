package cluster

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"varve"
)

// Every setting of [index] is known or refused, and the password is taken from a file that nobody else reads.
func TestReadIndex(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	open := func() error {
		c, err := ReadIndex(dir)
		if err == nil {
			_, err = c.Open()
		}
		return err
	}
	if err := open(); varve.KindOf(err) != varve.Invalid || !strings.Contains(err.Error(), "names no address") {
		t.Errorf("no file: %v", err)
	}
	write("open", "secret\n", 0o644)
	write("closed", "secret\n", 0o600)
	for text, want := range map[string]string{
		"": "names no address",
		"[index]\naddress = \"http://x:9200\"\ncolour = 1":                     "no setting colour",
		"[index]\naddress = \"x\"":                                             "http(s)://HOST:PORT",
		"[index]\naddress = \"http://x\"\ntimeout = \"1ms\"":                   "less than a second",
		"[index]\naddress = \"http://x\"\npassword_file = \"open\"":            "others may read it",
		"[index]\naddress = \"http://x\"\npassword_file = \"none\"":            "no such file",
		"[index]\naddress = \"http://x\"\nca_file = \"closed\"":                "no certificate",
		"[index]\naddress = \"http://x\"\npassword_file = \"closed\"":          "",
		"[store]\n[index]\naddress = \"http://x\"\nuser = \"u\"\nreplicas = 0": "",
	} {
		write("varve.toml", text, 0o644)
		err := open()
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
