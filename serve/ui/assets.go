package ui

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed assets/built
var bundled embed.FS

// asset is one embedded file, plain and packed.
type asset struct {
	mime          string
	plain, packed []byte
}

// assets are the embedded files by the name they are served under, which has their hash.
type assets struct {
	files map[string]asset
	names map[string]string // "app.js" -> "app-0123456789.js"
}

func loadAssets() (*assets, error) {
	a := &assets{files: map[string]asset{}, names: map[string]string{}}
	return a, fs.WalkDir(bundled, "assets/built", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := bundled.ReadFile(p)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(b)
		base, ext := path.Base(p), path.Ext(p)
		name := strings.TrimSuffix(base, ext) + "-" + hex.EncodeToString(sum[:5]) + ext
		packed, err := pack(b)
		if err != nil {
			return fmt.Errorf("pack %s: %w", p, err)
		}
		a.files[name] = asset{mime.TypeByExtension(ext), b, packed}
		a.names[base] = name
		return nil
	})
}

func pack(b []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// href is the address of an embedded file.
func (a *assets) href(name string) (string, error) {
	if n, ok := a.names[name]; ok {
		return "/assets/" + n, nil
	}
	return "", fmt.Errorf("there is no asset %q", name)
}

// ServeHTTP sends an asset; it may be kept for ever, since its name has its hash.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, ok := a.files[r.PathValue("name")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.mime)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body := f.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		body = f.packed
	}
	h.Set("Content-Length", fmt.Sprint(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // a closed connection is the reader's business
	}
}
