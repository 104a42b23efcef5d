package crawlspeed

import (
	"context"
	"os/exec"
	"path/filepath"
)

// The ways that are measured.
const (
	FloorWay = "floor"
	WgetWay  = "wget"
	VarveWay = "varve"

	GuidedWay = "guided" // varve with a definition of what the crawl is about
)

// way is a program that captures the sites.
type way struct {
	name    string
	files   string // glob of the WARC files in its folder
	command func(ctx context.Context, dir string) (*exec.Cmd, error)
	exit    func(code int) bool // exit codes that are well, besides 0
}

func (b *bench) ways() []way {
	plain := func(c func(context.Context, string) *exec.Cmd) func(context.Context, string) (*exec.Cmd, error) {
		return func(ctx context.Context, dir string) (*exec.Cmd, error) { return c(ctx, dir), nil }
	}
	const ours = "archive/collections/bench/warc/*.warc.gz"
	out := []way{{name: FloorWay, files: "floor.warc.gz", command: plain(b.floor)}}
	if b.cfg.Wget != "" {
		out = append(out, way{
			name: WgetWay, files: "wget.warc.gz", command: plain(b.wget),
			exit: func(code int) bool { return code == 8 }, // a server answered with an error: robots.txt may
		})
	}
	out = append(out, way{name: VarveWay, files: ours, command: plain(b.varve)})
	if b.cfg.Terms > 0 {
		out = append(out, way{name: GuidedWay, files: ours, command: b.guided})
	}
	return out
}

func (b *bench) floor(ctx context.Context, dir string) *exec.Cmd {
	return exec.CommandContext(ctx, b.cfg.Lab, "bench", "crawl-floor", b.plan, b.web.Addr, filepath.Join(dir, "floor.warc.gz"))
}

// wget follows the links of every seed on its host, with what pages need, as our scope "host" does.
// To let it span hosts would be no favour: it walks all hosts again from every seed.
func (b *bench) wget(ctx context.Context, dir string) *exec.Cmd {
	args := []string{
		"--no-config", "-q", "--recursive", "--level=inf", "--page-requisites",
		"--tries=1", "--no-check-certificate", "--no-hsts", "--warc-file=wget", "--no-warc-keep-log",
		"-e", "use_proxy=yes", "-e", "http_proxy=http://" + b.web.Addr + "/",
	}
	c := exec.CommandContext(ctx, b.cfg.Wget, append(args, b.web.Seeds...)...)
	c.Dir = dir
	c.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=" + dir, "TMPDIR=" + dir}
	return c
}

func (b *bench) varve(ctx context.Context, dir string) *exec.Cmd {
	args := []string{
		"crawl", "--no-index", "--archive", filepath.Join(dir, "archive"), "--collection", "bench",
		"--delay", "0", "--json", "--quiet",
	}
	for _, rule := range b.web.Resolve {
		args = append(args, "--resolve", rule)
	}
	return exec.CommandContext(ctx, b.cfg.Varve, append(args, b.web.Seeds...)...)
}
