package extension_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"varve/serve/extension"
)

// The origin is what Chromium makes of the key, and the extension asks for nothing beyond this machine.
func TestManifest(t *testing.T) {
	if got, err := extension.Origin(); err != nil || got != "chrome-extension://fkpkcobckgkhhlcdpiikpgjgfeghmjnp" {
		t.Errorf("%s, %v", got, err)
	}
	dir := t.TempDir()
	for range 2 { // a second time replaces
		if err := extension.Unpack(dir); err != nil {
			t.Fatal(err)
		}
	}
	content, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Version     int      `json:"manifest_version"`
		Permissions []string `json:"permissions"`
		Hosts       []string `json:"host_permissions"`
		Scripts     []any    `json:"content_scripts"`
	}
	if err := json.Unmarshal(content, &m); err != nil {
		t.Fatal(err)
	}
	if m.Version != 3 || !slices.Equal(m.Hosts, []string{"http://127.0.0.1/*", "http://localhost/*"}) || len(m.Scripts) > 0 || slices.Contains(m.Permissions, "tabs") {
		t.Errorf("%+v", m)
	}
	if err := extension.Unpack(filepath.Join(dir, "manifest.json", "x")); err == nil {
		t.Error("unpacked into a file")
	}
}
