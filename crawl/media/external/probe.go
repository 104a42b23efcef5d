package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"varve/crawl/browser/proxy"
	"varve/crawl/collect"
)

// about is what yt-dlp tells of an object.
type about struct {
	Type        string  `json:"_type"`
	ID          string  `json:"id"`
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Duration    float64 `json:"duration"`
	Live        bool    `json:"is_live"`
	Size        float64 `json:"filesize"`
	Guess       float64 `json:"filesize_approx"`
	Extractor   string  `json:"extractor"`
	Page        string  `json:"webpage_url"`
	Thumbnail   string  `json:"thumbnail"`
	Uploader    string  `json:"uploader"`
	Date        string  `json:"upload_date"`
	Version     struct {
		Version string `json:"version"`
	} `json:"_version"`
}

// errRefused is wrapped where an object is not worth or not allowed to be got.
var errRefused = errors.New("refused")

// maxInfo bounds what yt-dlp tells of an object.
const maxInfo = 16 << 20

// probe asks what there is, before anything is got.
func (c *Collector) probe(ctx context.Context, url, scratch string, via *proxy.Proxy) (*about, error) {
	text, err := c.downloader(ctx, scratch, via, maxInfo, "--skip-download", "--dump-single-json", "--", url)
	if err != nil {
		return nil, err
	}
	var a about
	if err := json.Unmarshal(text, &a); err != nil {
		return nil, fmt.Errorf("yt-dlp: what it tells of %s cannot be read: %w", url, err)
	}
	if err := c.allowed(&a); err != nil {
		return &a, err
	}
	return &a, os.WriteFile(filepath.Join(scratch, infoFile), text, 0o600)
}

// infoFile is where the probe is kept for the download, which then need not ask again.
const infoFile = "info.json"

// allowed holds an object against the limits.
func (c *Collector) allowed(a *about) error {
	length := time.Duration(a.Duration * float64(time.Second))
	switch size := max(a.Size, a.Guess); {
	case a.Type == "playlist" || a.Type == "multi_video":
		return fmt.Errorf("%w: it is a list of films, not a film", errRefused)
	case a.Live && c.cfg.Live <= 0:
		return fmt.Errorf("%w: it is live", errRefused)
	case length > c.cfg.Length:
		return fmt.Errorf("%w: it is %v long, %v are allowed", errRefused, length, c.cfg.Length)
	case size > float64(c.cfg.Size):
		return fmt.Errorf("%w: it has %.0f bytes, %d are allowed", errRefused, size, c.cfg.Size)
	}
	return nil
}

// fields are kept with the object.
func (a *about) fields() []collect.Field {
	out := []collect.Field{
		{Name: "title", Value: a.Title},
		{Name: "description", Value: clip(a.Description, 2000)},
		{Name: "creator", Value: a.Uploader},
		{Name: "date", Value: a.Date},
		{Name: "source-page", Value: a.Page},
		{Name: "thumbnail", Value: a.Thumbnail},
	}
	if a.Duration > 0 {
		out = append(out, collect.Field{Name: "media-duration", Value: fmt.Sprintf("%.3f", a.Duration)})
	}
	return out
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
