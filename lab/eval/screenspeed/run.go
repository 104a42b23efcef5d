package screenspeed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"varve/lab/eval/cpu"
	"varve/serve"
)

// Screen is what a screen cost.
type Screen struct {
	Address string  `json:"address"`
	Status  int     `json:"status"`
	Bytes   int     `json:"bytes"`
	Cold    float64 `json:"coldMs"`  // CPU of the first request, and of what it set off
	Warm    float64 `json:"warmMs"`  // the least of three more
	After   float64 `json:"afterMs"` // CPU of what went on after the first answer
}

// Result is what was measured.
type Result struct {
	Captures int      `json:"captures"`
	Crawls   int      `json:"crawls"`
	Docs     int      `json:"documents"`
	Load     string   `json:"load"`
	Screens  []Screen `json:"screens"`
	RSS      int64    `json:"rss"`
}

// Target is the CPU time that a screen may take.
const Target = 100.0 // ms

// addresses are the screens, each with the largest thing that it can show.
func (w *world) addresses() []string {
	col := "/collections/" + name
	mid := w.crawlID(w.cfg.Crawls / 2 / 5 * 5)
	front := url.QueryEscape(w.page(0))
	crawl := col + "/crawls/" + mid
	return []string{
		"/", "/?collection=" + name, "/collections", col, col + "?from=950", col + "/pages", col + "/pages?url=h003.example", col + "/page?url=" + front, col + "/calendar?url=" + front,
		col + "/compare?url=" + front, col + "/compare?view=side&url=" + front, col + "/map", col + "/map?url=h003.example", crawl, crawl + "/coherence", crawl + "/events", crawl + "/review",
		col + "/assess", col + "/emerging", col + "/notes", col + "/plan", col + "/plan/new", col + "/plan/daily", col + "/plan/daily/edit", col + "/proposals/daily",
		"/search", "/search?q=council", "/search?q=ward77", "/search?q=%22rent+law%22&from=2021&to=2022", "/trends?terms=council,election", "/cloud", "/cloud?split=2022-05-01", "/opinions", "/facts", "/types",
		"/document?collection=" + name + "&url=" + front, "/knowledge", "/searches", "/selections", "/media", "/tray", "/access", "/access/users", "/retention", col + "/retention", "/crawls", "/crawls?state=stopped", "/new",
		"/find?q=h003.example", "/find?q=council", "/suggest?q=coun", "/api/", "/login", "/no/such/screen",
	}
}

// Run measures every screen. Other work of the process is counted: it is waited until there is none.
func Run(ctx context.Context, cfg Config) (_ *Result, err error) {
	if err := Make(ctx, cfg); err != nil {
		return nil, err
	}
	srv, err := serve.Listen(ctx, serve.Config{Archive: cfg.Dir, Addr: "127.0.0.1:0", ReplayAddr: "localhost:0", Every: time.Hour})
	if err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- srv.Run(running) }()
	defer func() {
		stop()
		err = errors.Join(err, <-ended)
	}()
	w := newWorld(cfg)
	res := &Result{Captures: cfg.Captures, Crawls: cfg.Crawls, Docs: cfg.Docs}
	client := &http.Client{Timeout: 10 * time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	idle(ctx)
	for _, a := range w.addresses() {
		s, err := one(ctx, client, srv.URL(), a)
		if err != nil {
			return res, fmt.Errorf("%s: %w", a, err)
		}
		fmt.Fprintf(cfg.Log, "%-60s %d %8d bytes %9.1f ms %9.1f ms, after %9.1f ms\n", short(a), s.Status, s.Bytes, s.Cold, s.Warm, s.After)
		res.Screens = append(res.Screens, s)
	}
	res.RSS = cpu.MaxRSS()
	return res, nil
}

func one(ctx context.Context, client *http.Client, origin, address string) (Screen, error) {
	s := Screen{Address: address}
	ask := func() error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+address, nil)
		if err != nil {
			return err
		}
		resp, err := client.Do(req)
		if err != nil {
			return err
		}
		b, err := io.ReadAll(resp.Body)
		s.Status, s.Bytes = resp.StatusCode, len(b)
		return errors.Join(err, resp.Body.Close())
	}
	used, err := cpu.Measure(ask)
	if err != nil {
		return s, err
	}
	s.Cold = ms(used.CPU)
	s.After = ms(idle(ctx))
	var warm []float64
	for range 3 {
		if used, err = cpu.Measure(ask); err != nil {
			return s, err
		}
		warm = append(warm, ms(used.CPU))
	}
	s.Warm = slices.Min(warm)
	return s, nil
}

// idle waits until the process does nothing more, and returns what it used until then.
func idle(ctx context.Context) time.Duration {
	var all time.Duration
	for quiet := 0; quiet < 3 && ctx.Err() == nil; {
		used, _ := cpu.Measure(func() error {
			select {
			case <-ctx.Done():
			case <-time.After(100 * time.Millisecond):
			}
			return nil
		})
		all += used.CPU
		if quiet++; used.CPU > 10*time.Millisecond {
			quiet = 0
		}
	}
	return all
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func short(s string) string {
	if len(s) > 60 {
		return s[:57] + "..."
	}
	return s
}

// Print writes the table, the dearest first.
func (r *Result) Print(w io.Writer) {
	fmt.Fprintf(w, "%d captures, %d crawls, %d documents in the text index; peak memory %d MB. CPU time of the server around a request, ms.\n", r.Captures, r.Crawls, r.Docs, r.RSS>>20)
	fmt.Fprintf(w, "%-62s %6s %9s %9s %9s\n", "screen", "status", "first", "again", "KB")
	list := slices.Clone(r.Screens)
	slices.SortStableFunc(list, func(a, b Screen) int { return int(b.Cold*1000) - int(a.Cold*1000) })
	over := 0
	for _, s := range list {
		mark := ""
		if s.Cold > Target {
			mark = "  over " + strings.TrimSuffix(fmt.Sprintf("%.0f", Target), ".")
			over++
		}
		fmt.Fprintf(w, "%-62s %6d %9.1f %9.1f %9.1f%s\n", short(s.Address), s.Status, s.Cold, s.Warm, float64(s.Bytes)/1000, mark)
	}
	fmt.Fprintf(w, "%d of %d screens take more than %.0f ms the first time\n", over, len(list), Target)
}
