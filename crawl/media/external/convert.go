package external

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"varve/archive/whole"
	"varve/crawl/collect"
	"varve/web/links"
	"varve/web/wire"
)

// convert makes of a captured file what browsers of today play. The original stays as it was captured.
func (c *Collector) convert(ctx context.Context, a *collect.Answer, net collect.Net, scratch *whole.Folder) (*collect.Resource, error) {
	if c.cfg.Tools.FFmpeg == "" || c.cfg.Tools.FFprobe == "" {
		return nil, missing("ffmpeg")
	}
	source := filepath.Join(scratch.Path, "source")
	if err := c.spill(ctx, a, net, source); err != nil {
		return nil, err
	}
	length, err := c.length(ctx, scratch.Path, source)
	if err != nil {
		return nil, err
	}
	// Files only: a file may be a list that names addresses.
	out := filepath.Join(scratch.Path, "media.webm")
	_, err = c.converter(ctx, c.cfg.Tools.FFmpeg, scratch.Path,
		"-nostdin", "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file", "-i", source,
		"-map", "0:v:0?", "-map", "0:a:0?", "-vf", fmt.Sprintf("scale=-2:'min(%d,ih)'", c.cfg.Height), "-c:v", "libvpx", "-b:v", "1M", "-crf", "20",
		"-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus", "-fs", strconv.FormatInt(c.cfg.Size, 10), "-y", out)
	if err != nil {
		return nil, err
	}
	if err := os.Remove(source); err != nil {
		return nil, err
	}
	return c.resource(a, scratch, []collect.Field{{Name: "program", Value: "ffmpeg"}, {Name: "media-duration", Value: fmt.Sprintf("%.3f", length.Seconds())}, {Name: "converted-from", Value: a.MIME}})
}

// spill writes the captured file into the scratch folder.
func (c *Collector) spill(ctx context.Context, a *collect.Answer, net collect.Net, path string) (err error) {
	resp, err := net.Fetch(ctx, &collect.Request{URL: a.URL, Hop: links.HopEmbed})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, resp.Close()) }()
	if resp.Status != 200 || resp.Truncated || resp.Size > c.cfg.Size {
		return fmt.Errorf("%w: the capture has status %d, %d bytes, cut short: %v", errRefused, resp.Status, resp.Size, resp.Truncated)
	}
	body, err := payload(resp)
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, io.LimitReader(body, c.cfg.Size))
	return errors.Join(err, f.Close())
}

// payload gives the content of an answer as a stream.
func payload(resp *collect.Response) (io.Reader, error) {
	head := make([]byte, 0, 4096)
	for wire.HeadEnd(head) < 0 {
		if len(head) > 256<<10 {
			return nil, errors.New("the head of the answer has no end")
		}
		b := make([]byte, 4096)
		n, err := resp.Raw.Read(b)
		head = append(head, b[:n]...)
		if err != nil && n == 0 {
			return nil, fmt.Errorf("read the answer: %w", err)
		}
	}
	h, err := wire.ParseHead(head)
	if err != nil {
		return nil, err
	}
	var body io.Reader = io.MultiReader(strings.NewReader(string(head[h.Size:])), resp.Raw)
	if h.Chunked() {
		body = wire.NewChunkReader(body)
	}
	return wire.Decode(body, h.Codings())
}

// length asks ffprobe how long a file is; what it does not know is no media.
func (c *Collector) length(ctx context.Context, scratch, path string) (time.Duration, error) {
	out, err := c.converter(ctx, c.cfg.Tools.FFprobe, scratch, "-hide_banner", "-loglevel", "error", "-protocol_whitelist", "file",
		"-show_entries", "format=duration", "-of", "csv=p=0", path)
	if err != nil {
		return 0, err
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil || f < 0 {
		return 0, nil // some formats do not tell
	}
	if d := time.Duration(f * float64(time.Second)); d <= c.cfg.Length {
		return d, nil
	}
	return 0, fmt.Errorf("%w: it is %.0f s long, %v are allowed", errRefused, f, c.cfg.Length)
}
