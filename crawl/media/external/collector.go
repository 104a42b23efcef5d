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
	"sync"
	"sync/atomic"

	"varve/archive/whole"
	"varve/crawl/browser/proxy"
	"varve/crawl/collect"
	"varve/crawl/jail"
	"varve/crawl/media"
	"varve/web/ca"
)

// Name is what routes call this collector.
const Name = "external"

// Outcome is what came of an address.
type Outcome struct {
	URL   string
	Bytes int64
	Err   error // nil: it is recorded when the crawl has ended
}

// Collector gets media objects with external programs. It is a collect.Collector.
type Collector struct {
	cfg       Config
	authority *ca.Authority

	told sync.Once   // why there is no jail
	free atomic.Bool // there is none

	mu       sync.Mutex
	outcomes []Outcome
}

var _ collect.Collector = (*Collector)(nil)

// New makes a collector. Programs that are missing are told when they are needed.
func New(cfg Config) (*Collector, error) {
	cfg = cfg.withDefaults()
	authority, err := ca.New("Varve media", cfg.Now)
	if err != nil {
		return nil, err
	}
	return &Collector{cfg: cfg, authority: authority}, nil
}

// Outcomes gives what came of each address so far.
func (c *Collector) Outcomes() []Outcome {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]Outcome(nil), c.outcomes...)
}

// Collect gets the object that an answer is, or is the player of.
func (c *Collector) Collect(ctx context.Context, a *collect.Answer, net collect.Net) (*collect.Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.cfg.Time, fmt.Errorf("the limit of %v is over", c.cfg.Time))
	defer cancel()
	res := &collect.Result{}
	r, err := c.get(ctx, a, net)
	url, _ := c.cfg.Of(a)
	out := Outcome{URL: url, Err: err}
	if err == nil {
		out.Bytes = r.Body.Size()
		res.Resources = []collect.Resource{*r}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.outcomes = append(c.outcomes, out)
	return res, err
}

// get makes the resource of an object. Its scratch folder lives as long as its body.
func (c *Collector) get(ctx context.Context, a *collect.Answer, net collect.Net) (r *collect.Resource, err error) {
	scratch, err := whole.NewFolder(c.cfg.Dir, "media") // what a killed fetch left goes with it
	if err != nil {
		return nil, fmt.Errorf("scratch folder: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, scratch.Close())
		}
	}()
	if media.FormatOf(a.MIME, a.URL, a.Content) == media.File && a.Status == 200 {
		return c.convert(ctx, a, net, scratch)
	}
	return c.download(ctx, a, net, scratch)
}

// download gets what is behind a player.
func (c *Collector) download(ctx context.Context, a *collect.Answer, net collect.Net, scratch *whole.Folder) (*collect.Resource, error) {
	if c.cfg.Tools.YTDLP == "" {
		return nil, missing("yt-dlp")
	}
	via, err := proxy.Listen(c.authority, proxy.Limits{Requests: 50_000})
	if err != nil {
		return nil, err
	}
	defer via.Close()
	turn, err := via.Begin(ctx, a.URL, net)
	if err != nil {
		return nil, err
	}
	defer turn.End()
	about, err := c.probe(ctx, a.URL, scratch.Path, via)
	if err != nil {
		return nil, err
	}
	limit := ctx
	if about.Live {
		var cancel context.CancelFunc
		limit, cancel = context.WithTimeoutCause(ctx, c.cfg.Live, errLiveOver)
		defer cancel()
	}
	_, err = c.downloader(limit, scratch.Path, via, 1<<20,
		"--load-info-json", filepath.Join(scratch.Path, infoFile), "--format", c.format(), "--max-filesize", strconv.FormatInt(c.cfg.Size, 10),
		"--no-part", "--no-mtime", "--hls-use-mpegts", "--output", filepath.Join(scratch.Path, "media.%(ext)s"))
	if err != nil && !errors.Is(err, errLiveOver) {
		return nil, err
	}
	fields := append([]collect.Field{{Name: "program", Value: strings.TrimSpace("yt-dlp " + about.Version.Version)}}, about.fields()...)
	return c.resource(a, scratch, fields)
}

// errLiveOver ends a live stream that was taken as long as it should be.
var errLiveOver = errors.New("the set time of live streams is over")

// common are the arguments of every run of yt-dlp: no settings and caches of others, one film, our proxy. The
// proxy shows certificates of its own, which nobody else could use; those of servers are checked by the Net.
func (c *Collector) common(via string) []string {
	args := []string{
		"--ignore-config", "--no-cache-dir", "--no-playlist", "--no-warnings", "--no-progress", "--no-check-certificates",
		"--proxy", "http://" + via, "--socket-timeout", "60", "--retries", "3",
	}
	if c.cfg.Tools.FFmpeg != "" {
		args = append(args, "--ffmpeg-location", filepath.Dir(c.cfg.Tools.FFmpeg))
	}
	return args
}

// downloader runs yt-dlp, in a jail whose only door is the proxy if there can be one, and gives up to so many bytes that
// it printed.
func (c *Collector) downloader(ctx context.Context, scratch string, via *proxy.Proxy, output int, args ...string) ([]byte, error) {
	if len(c.cfg.Jail) > 0 && !c.free.Load() {
		p := c.process(c.cfg.Tools.YTDLP, scratch, append(c.common(jail.Addr), args...)...)
		p.output, p.jail, p.door = output, c.cfg.Jail, via.Also
		out, err := p.run(ctx)
		if !errors.Is(err, jail.ErrUnavailable) {
			return out, err
		}
		c.unjailed(err)
	}
	p := c.process(c.cfg.Tools.YTDLP, scratch, append(c.common(via.Addr()), args...)...)
	p.output = output
	return p.run(ctx)
}

// unjailed notes that there can be no jail, and tells it once.
func (c *Collector) unjailed(why error) {
	c.free.Store(true)
	c.told.Do(func() {
		if c.cfg.Unjailed != nil {
			c.cfg.Unjailed(why)
		}
	})
}

// converter runs ffmpeg or ffprobe, without any network where that can be.
func (c *Collector) converter(ctx context.Context, program, scratch string, args ...string) ([]byte, error) {
	p := c.process(program, scratch, args...)
	if p.alone = len(c.cfg.Jail) > 0 && !c.free.Load(); p.alone {
		out, err := p.run(ctx)
		if !errors.Is(err, jail.ErrUnavailable) {
			return out, err
		}
		c.unjailed(err)
		p.alone = false
	}
	return p.run(ctx)
}

// format asks for the best under the limit; without ffmpeg pictures and sound cannot be joined.
func (c *Collector) format() string {
	h := fmt.Sprintf("[height<=?%d]", c.cfg.Height)
	if c.cfg.Tools.FFmpeg == "" {
		return "b" + h + "/b"
	}
	return "bv*" + h + "+ba/b" + h + "/b"
}

func (c *Collector) process(program, scratch string, args ...string) *process {
	return &process{program: program, args: args, dir: scratch, size: c.cfg.Size + 64<<20, refresh: c.cfg.Refresh, nice: c.cfg.Nice, output: 1 << 20}
}

// resource makes a resource of the largest media file in the scratch folder.
func (c *Collector) resource(a *collect.Answer, scratch *whole.Folder, fields []collect.Field) (*collect.Resource, error) {
	entries, err := os.ReadDir(scratch.Path)
	if err != nil {
		return nil, err
	}
	best, size, mime := "", int64(0), ""
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() <= size || !strings.HasPrefix(e.Name(), "media.") {
			continue
		}
		path := filepath.Join(scratch.Path, e.Name())
		if t := typeOf(headOf(path)); t != "" {
			best, size, mime = path, info.Size(), t
		}
	}
	switch {
	case best == "":
		return nil, errors.New("the program left no film and no sound")
	case size > c.cfg.Size:
		return nil, fmt.Errorf("%w: %d bytes, %d are allowed", errSize, size, c.cfg.Size)
	}
	f, err := os.Open(best)
	if err != nil {
		return nil, err
	}
	url, page := c.cfg.Of(a)
	return &collect.Resource{
		URI: media.ObjectPrefix + url, ContentType: mime, Body: &scratched{f, size, scratch},
		Fields: append([]collect.Field{{Name: "media-of", Value: url}, {Name: "found-on", Value: page}}, fields...),
	}, nil
}

func headOf(path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	b := make([]byte, 4096)
	n, err := io.ReadFull(f, b)
	if err != nil && n == 0 {
		return nil
	}
	return b[:n]
}

// scratched is a file in a scratch folder that goes with it.
type scratched struct {
	*os.File
	size int64
	dir  *whole.Folder
}

// Size is the length of the file.
func (s *scratched) Size() int64 { return s.size }

// Close removes the file and its folder.
func (s *scratched) Close() error { return errors.Join(s.File.Close(), s.dir.Close()) }
