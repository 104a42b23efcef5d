package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"varve/archive/warc/tool"
)

// progressEvery is how often the line on the terminal changes.
const progressEvery = 200 * time.Millisecond

// newProgress shows on standard error how far a tool is, if that is a terminal. clear wipes the
// line away.
func newProgress(c *cobra.Command) (tell tool.Progress, clear func()) {
	w := c.ErrOrStderr()
	if !IsTerminal(w) {
		return nil, func() {}
	}
	p := &progressLine{w: w, start: time.Now()}
	return p.tell, p.clear
}

// IsTerminal reports whether a writer is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// progressLine is one line that is written over and over.
type progressLine struct {
	w     io.Writer
	name  string
	start time.Time
	last  time.Time
	shown bool
}

func (p *progressLine) tell(name string, done, total int64) {
	now := time.Now()
	if name != p.name {
		p.name, p.start = name, now
	}
	if now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	rate := float64(done) / max(now.Sub(p.start).Seconds(), 0.001)
	if total > 0 {
		fmt.Fprintf(p.w, "\r\x1b[K%s %d%% (%s/s)", filepath.Base(name), 100*done/total, size(int64(rate)))
		return
	}
	fmt.Fprintf(p.w, "\r\x1b[K%s %s (%s/s)", filepath.Base(name), size(done), size(int64(rate)))
}

func (p *progressLine) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// size writes a number of bytes for people.
func size(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	f, unit := float64(n), 0
	for f >= 999.95 && unit < 5 {
		f /= 1000
		unit++
	}
	return fmt.Sprintf("%.1f %cB", f, " kMGTP"[unit])
}
