package realsites

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/crawl"
	"varve/lab/eval/capture"
	"varve/web/canon"
)

// Config says what is measured, and with what.
type Config struct {
	Sites []string // names; none: all
	Varve string   // the product
	Flags []string // further arguments of 'varve crawl'
	Dir   string   // where sites and archives are made; packages of npm stay there
	Keep  bool     // leave sites and archives where they are
	Looks int      // pages that are read live and in replay, at most; 0 is none
	Plain bool     // count requests of plain crawls, too
	// Browser is whether each site is crawled once more with a browser for every page, to compare what that costs.
	Browser bool
	// Changes is whether sites that can be edited are, to see what the product says of it.
	Changes bool
	// Templates is whether sites that can be get another template, to see whether what people wrote is read then.
	Templates bool
	Themes    string // a folder with further templates of WordPress; "" for none
	Replay    capture.Replayer
}

// Line is what came of one site.
type Line struct {
	Site       string           `json:"site"`
	LeftOut    string           `json:"leftOut,omitempty"` // why it was not measured
	Failed     string           `json:"failed,omitempty"`  // what ended the measuring of it
	Pages      int              `json:"pages"`             // by the site's own account
	Found      int              `json:"found"`             // of them in the archive
	Missed     []string         `json:"missed,omitempty"`
	Requests   int              `json:"requests"`           // that the server answered
	Status     map[string]int   `json:"status"`             // of these, by status
	Plain      int              `json:"plain,omitempty"`    // requests of a crawl that lets in what shows nothing new, where that was counted
	PlainCut   bool             `json:"plainCut,omitempty"` // a limit ended that crawl
	Queued     int64            `json:"queued"`             // addresses that were ever queued
	Refused    int64            `json:"refused"`
	Refusals   map[string]int64 `json:"refusals,omitempty"`
	Films      int              `json:"films,omitempty"`     // what plays, by the site's own account
	Got        int              `json:"got,omitempty"`       // of them in the archive with all that they need
	Strangers  []string         `json:"strangers,omitempty"` // other hosts that were asked, or whose names were, and how they were found
	Complete   bool             `json:"complete"`
	Gaps       []crawl.Gap      `json:"gaps,omitempty"`
	Seconds    float64          `json:"seconds"`
	CPU        float64          `json:"cpu"`                  // seconds of the crawl with all processes that it started
	Everywhere float64          `json:"everywhere,omitempty"` // the same of a crawl with a browser for every page, where that was made
	Executed   int              `json:"executed,omitempty"`   // pages that the latter has of those of the site's own account
	Objects    int              `json:"objects"`              // posts, comments and articles of the database
	Right      int              `json:"right"`                // of them read out of the archive with all fields right
	Wrong      []string         `json:"wrong,omitempty"`
	Change     *Change          `json:"change,omitempty"`
	Looked     int              `json:"looked"` // pages read live and in replay
	Same       int              `json:"same"`   // of them with the same words
	Differ     []string         `json:"differ,omitempty"`
	Alike      int              `json:"alike"`    // of them whose picture in replay is like the live one
	Likeness   float64          `json:"likeness"` // structural, of the page that is least alike
	Unlike     []string         `json:"unlike,omitempty"`
	Outside    []string         `json:"outside,omitempty"` // hosts that pages called for in replay
	Template   *Template        `json:"template,omitempty"`
}

// Whole reports whether the site was captured and shown as it was, and the crawl said what was true.
func (l *Line) Whole() bool {
	return l.LeftOut+l.Failed == "" && len(l.Missed) == 0 && l.Same == l.Looked && l.Alike == l.Looked && len(l.Outside) == 0 && len(l.Wrong) == 0 && l.Change.whole() && l.Template.whole()
}

// Run measures the sites one after the other and hands over what came of each as soon as it is known. What fails on one does not stop the others.
func Run(ctx context.Context, cfg Config, progress io.Writer, each func(*Line) error) error {
	for _, s := range Sites() {
		if len(cfg.Sites) > 0 && !slices.Contains(cfg.Sites, s.Name) {
			continue
		}
		fmt.Fprintf(progress, "%s ...\n", s.Name)
		l, err := measure(ctx, &cfg, s)
		if errors.Is(err, errNotHere) {
			l.LeftOut, err = err.Error(), nil
		}
		if err != nil {
			l.Failed = err.Error()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := each(l); err != nil {
			return err
		}
	}
	return nil
}

func measure(ctx context.Context, cfg *Config, s Site) (l *Line, err error) {
	l = &Line{Site: s.Name}
	node, venv := filepath.Join(cfg.Dir, "npm"), filepath.Join(cfg.Dir, "python-"+s.Name)
	if err := s.install(ctx, node, venv); err != nil {
		return l, err
	}
	dir, err := os.MkdirTemp(cfg.Dir, s.Name+"-")
	if err != nil {
		return l, err
	}
	if !cfg.Keep {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	h := &server{dir: dir, venv: venv}
	defer h.stop()
	if err := h.startSQL(ctx, s); err != nil {
		return l, err
	}
	env := []string{"URL=" + s.URL(), "SITE=" + dir, "WWW=" + filepath.Join(dir, "www"), "NODE=" + node, "VENV=" + venv, "SQL=" + h.sql}
	truth, err := s.fill(ctx, dir, env)
	if err != nil {
		return l, err
	}
	if err := h.startWeb(ctx, s); err != nil {
		return l, err
	}
	looks := truth.Pages[:min(len(truth.Pages), cfg.Looks)]
	var live [2][]look
	for i := range live {
		if live[i], err = read(ctx, "MAP *."+domain+" "+h.addr+", MAP * ~NOTFOUND", "", looks); err != nil {
			return l, err
		}
	}
	before, _, err := h.requests(0)
	if err != nil {
		return l, err
	}
	archive := filepath.Join(dir, "archive")
	if l.CPU, err = h.crawl(ctx, cfg, s, archive); err != nil {
		return l, err
	}
	if l.Requests, l.Status, err = h.requests(before); err != nil {
		return l, err
	}
	if s.Acts && cfg.Plain {
		if err := l.plain(ctx, cfg, s, h, before+l.Requests); err != nil {
			return l, fmt.Errorf("plain crawl: %w", err)
		}
	}
	if cfg.Browser {
		if err := l.everywhere(ctx, cfg, s, h, truth); err != nil {
			return l, fmt.Errorf("a browser for every page: %w", err)
		}
	}
	if cfg.Changes {
		if l.Change, err = h.change(ctx, cfg, s, truth, env); err != nil {
			return l, fmt.Errorf("changes: %w", err)
		}
	}
	if cfg.Templates {
		if l.Template, err = h.template(ctx, cfg, s, archive, env); err != nil {
			return l, fmt.Errorf("template: %w", err)
		}
	}
	h.stop() // from here on there is only the archive
	if err := l.judge(s, truth, archive); err != nil {
		return l, err
	}
	if err := l.readObjects(ctx, cfg, archive, filepath.Join(dir, "objects.jsonl")); err != nil {
		return l, fmt.Errorf("objects: %w", err)
	}
	if len(looks) == 0 {
		return l, nil
	}
	base, stop, err := cfg.Replay(ctx, archive)
	if err != nil {
		return l, fmt.Errorf("replay: %w", err)
	}
	defer func() { err = errors.Join(err, stop()) }()
	u, err := url.Parse(base)
	if err != nil {
		return l, err
	}
	world, err := openOutside()
	if err != nil {
		return l, err
	}
	shown, err := read(ctx, "MAP * "+world.listener.Addr().String()+", EXCLUDE "+u.Hostname()+", EXCLUDE *."+u.Hostname(), base, looks)
	l.Outside = world.close()
	if err != nil {
		return l, err
	}
	l.compare(looks, live[0], live[1], shown)
	return l, nil
}

// maxPlain bounds a plain crawl, in requests of the one it is compared with: beyond it is said that it took more.
const maxPlain = 4

// plain counts the requests of a crawl that lets in what shows nothing new: forms, orders of lists, old versions.
func (l *Line) plain(ctx context.Context, cfg *Config, s Site, h *server, before int) (err error) {
	rules := filepath.Join(h.dir, "plain.toml")
	if err := os.WriteFile(rules, []byte("scope = \"host\"\n[[rule]]\nname = \"what shows nothing new\"\ndo = \"accept\"\ntrap = [\"action\"]\n"), 0o644); err != nil {
		return err
	}
	archive := filepath.Join(h.dir, "plain")
	if _, err := h.crawl(ctx, cfg, s, archive, "--scope-file", rules, "--max-urls", strconv.Itoa(maxPlain*l.Requests)); err != nil {
		return err
	}
	rep, _, err := reportOf(archive)
	if err != nil {
		return err
	}
	l.PlainCut = !rep.Finished
	l.Plain, _, err = h.requests(before)
	return err
}

// everywhere crawls the site with a browser for every page, and notes what that costs.
func (l *Line) everywhere(ctx context.Context, cfg *Config, s Site, h *server, truth *Truth) (err error) {
	archive := filepath.Join(h.dir, "everywhere")
	if l.Everywhere, err = h.crawl(ctx, cfg, s, archive, "--capture=browser"); err != nil {
		return err
	}
	have, err := heldBy(archive)
	for _, p := range truth.Pages {
		if have[keyOf(p.Needs)] {
			l.Executed++
		}
	}
	return err
}

// crawl captures a site as a user would, who knows nothing of it, and returns how many seconds of processor time that took.
func (h *server) crawl(ctx context.Context, cfg *Config, s Site, archive string, flags ...string) (float64, error) {
	args := []string{
		"crawl", s.URL(), "--archive", archive, "--collection", capture.Collection, "--resolve", "*." + domain + "=" + h.addr,
		"--delay", "0s", "--max-time", "20m", "--no-index", "--quiet", "--json",
	}
	c := exec.CommandContext(ctx, cfg.Varve, slices.Concat(args, cfg.Flags, flags)...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = time.Minute
	var used func() (time.Duration, error)
	var cpu time.Duration
	var watchErr error
	_, err := outputWhile(c, func(p *os.Process) {
		h.mu.Lock()
		defer h.mu.Unlock()
		switch h.crawler = p; {
		case p != nil:
			used, watchErr = capture.Watch(p.Pid)
		case used != nil:
			cpu, watchErr = used()
		}
	})
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == varve.ExitFindings {
		err = nil // the report says what is missing
	}
	return cpu.Seconds(), errors.Join(err, watchErr)
}

// hold stops the crawler that is at work, or lets it go on.
func (h *server) hold(still bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	sig := syscall.SIGCONT
	if still {
		sig = syscall.SIGSTOP
	}
	if h.crawler != nil {
		_ = h.crawler.Signal(sig) // it may have ended just now
	}
}

// reportOf returns what the crawl of an archive says of itself, and its folder.
func reportOf(archive string) (*crawl.Report, string, error) {
	col, err := catalog.Open(archive).Collection(capture.Collection)
	if err != nil {
		return nil, "", err
	}
	ids, err := col.Crawls()
	if err != nil || len(ids) == 0 {
		return nil, "", errors.Join(errors.New("no crawl was made"), err)
	}
	dir, err := col.CrawlDir(ids[0])
	if err != nil {
		return nil, "", err
	}
	rep, err := crawl.ReadReport(dir)
	return rep, dir, err
}

// judge holds the archive against what the site says it has.
func (l *Line) judge(s Site, truth *Truth, archive string) error {
	rep, dir, err := reportOf(archive)
	if err != nil {
		return err
	}
	l.Refused, l.Refusals, l.Complete, l.Gaps, l.Seconds = rep.Refused, rep.Refusals, rep.Complete, rep.Gaps, rep.Seconds
	l.Queued = rep.Queued
	for _, host := range rep.Hosts {
		l.Queued += host.Done + host.Dropped
	}
	have, err := heldBy(archive)
	if err != nil {
		return err
	}
	for _, p := range truth.Pages {
		l.Pages++
		if have[keyOf(p.Needs)] {
			l.Found++
		} else {
			l.Missed = append(l.Missed, p.URL)
		}
	}
	for _, part := range truth.Parts {
		if !have[keyOf(part)] {
			l.Missed = append(l.Missed, "part "+part)
		}
	}
	for _, f := range truth.Films {
		l.Films++
		missed := slices.DeleteFunc(slices.Clone(f.Needs), func(u string) bool { return have[keyOf(u)] })
		if len(missed) == 0 {
			l.Got++
			continue
		}
		l.Missed = append(l.Missed, fmt.Sprintf("film %s: %d of %d addresses, such as %s", f.Name, len(missed), len(f.Needs), missed[0]))
	}
	if err := l.told(truth.Told, archive); err != nil {
		return err
	}
	l.Strangers, err = strangers(filepath.Join(dir, "crawl.log"))
	return err
}

// heldBy returns what an archive has an answer of, by its key.
func heldBy(archive string) (map[string]bool, error) {
	col, err := catalog.Open(archive).Collection(capture.Collection)
	if err != nil {
		return nil, err
	}
	list, err := capture.ReadExchanges(col.WarcDir())
	have := map[string]bool{}
	for _, x := range list {
		if (x.Status == 200 || x.Status == 206) && x.Method == "GET" {
			have[keyOf(x.URL)] = true
		}
	}
	return have, err
}

// told holds streams that cannot be got against what the archive names as such.
func (l *Line) told(want []string, archive string) error {
	if len(want) == 0 {
		return nil
	}
	col, err := catalog.Open(archive).Collection(capture.Collection)
	if err != nil {
		return err
	}
	names, err := notHTTP(col.WarcDir())
	for _, address := range want {
		if !slices.Contains(names, address) {
			l.Missed = append(l.Missed, "not told of: "+address)
		}
	}
	return err
}

func keyOf(address string) string {
	u, err := canon.Parse(address)
	if err != nil {
		return address
	}
	return u.FrontierKey()
}

// strangers are the hosts beyond the site that a crawl asked, or asked for, with how the first address of each was found.
func strangers(file string) (list []string, err error) {
	seen := map[string]bool{}
	err = eachAsked(file, func(address, hops string, _ span) {
		u, err := url.Parse(address)
		if err != nil || strings.HasSuffix(u.Hostname(), "."+domain) || seen[u.Hostname()] {
			return
		}
		seen[u.Hostname()] = true
		list = append(list, u.Hostname()+" ("+hops+")")
	})
	slices.Sort(list)
	return list, err
}

// span is how long an answer took.
type span struct{ from, to time.Time }

// eachAsked calls each for the addresses of a crawl's log that somebody was asked for, with how they were found and when they were fetched.
func eachAsked(file string, each func(address, hops string, at span)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		field := strings.Fields(lines.Text())
		if len(field) < 5 || field[1] == "-5000" || field[1] == "-9998" { // refused: nobody was asked
			continue
		}
		var at span
		if len(field) > 8 {
			if at, err = parseSpan(field[8]); err != nil {
				return fmt.Errorf("%s: %q: %w", file, lines.Text(), err)
			}
		}
		each(field[3], field[4], at)
	}
	return lines.Err()
}

// parseSpan reads when a fetch began and how many milliseconds it took, as 20261116193001075+1132; "-" for none.
func parseSpan(s string) (span, error) {
	if s == "-" {
		return span{}, nil
	}
	begin, took, _ := strings.Cut(s, "+")
	if len(begin) != 17 {
		return span{}, errors.New("no time with milliseconds")
	}
	from, err := time.Parse("20060102150405.000", begin[:14]+"."+begin[14:])
	if err != nil {
		return span{}, err
	}
	ms, err := strconv.Atoi(took)
	return span{from, from.Add(time.Duration(ms) * time.Millisecond)}, err
}
