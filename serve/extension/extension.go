// Package extension has the extension for browsers that are made of Chromium: it marks the names of the page that one reads, by what the server of the same machine knows of them.
//
// Its manifest has a key, so its origin is the same on every machine, and is what a server allows ('varve serve --allow-origin'). The key's other half was thrown away: nobody can sign another extension so.
package extension

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"varve"
)

//go:embed files
var files embed.FS

// Files returns the files of the extension.
func Files() fs.FS {
	sub, err := fs.Sub(files, "files")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	return sub
}

// Origin returns what browsers say that requests of the extension come from.
func Origin() (string, error) {
	content, err := fs.ReadFile(Files(), "manifest.json")
	if err != nil {
		return "", err
	}
	var manifest struct{ Key string }
	if err := json.Unmarshal(content, &manifest); err != nil {
		return "", fmt.Errorf("manifest: %w", err)
	}
	key, err := base64.StdEncoding.DecodeString(manifest.Key)
	if err != nil {
		return "", fmt.Errorf("key of the manifest: %w", err)
	}
	sum, id := sha256.Sum256(key), make([]byte, 32)
	for i := range id { // the first 16 bytes in hexadecimal, with a to p as digits
		id[i] = 'a' + sum[i/2]>>(4*(1-i%2))&15
	}
	return "chrome-extension://" + string(id), nil
}

// Unpack writes the extension into a folder, which a browser loads it from. Files of an extension that was there are replaced.
func Unpack(dir string) error {
	err := fs.WalkDir(Files(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if e.IsDir() {
			return os.MkdirAll(to, 0o755)
		}
		content, err := fs.ReadFile(Files(), name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o644)
	})
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "unpack the extension", Err: err}
	}
	return nil
}
