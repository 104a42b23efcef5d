package filter

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"sync"
	"time"

	"varve/archive/journal"
	"varve/crawl/gate"
)

var _ gate.Verdicts = (*Verdicts)(nil)

// Verdicts is the memory of what crawls found, shared by all crawls of an archive: models/verdicts.jsonl, which only grows. The last
// line of a host counts. A verdict is firm if the same model came to it, not longer ago than is allowed.
//
// Memory is about 150 bytes for each host of the file. It is safe for concurrent use.
type Verdicts struct {
	path   string
	model  string // digest of the model in use
	maxAge time.Duration

	mu  sync.RWMutex
	now map[string]verdictLine
	bad error
}

// Format of the file, told in its first line.
const (
	verdictFormat  = "varve-spam-verdicts"
	verdictVersion = 1
)

// verdictLine is one line of the file: its head, or a verdict.
type verdictLine struct {
	Format  string `json:"format,omitempty"`
	Version int    `json:"version,omitempty"`

	Host    string    `json:"host,omitempty"`
	Verdict string    `json:"verdict,omitempty"` // spam or normal
	Score   float64   `json:"score"`
	Content float64   `json:"content"`
	Model   string    `json:"model,omitempty"`
	At      time.Time `json:"at,omitzero"`
	Pages   int       `json:"pages,omitempty"`
	Why     string    `json:"why,omitempty"`
}

// Words of a verdict.
const (
	verdictSpam   = "spam"
	verdictNormal = "normal"
)

// errVerdictFormat is that of a file that is not ours, or of a later version: nothing of it counts.
var errVerdictFormat = errors.New("not a file of verdicts that this program reads")

// check tells what is wrong with a line.
func (l *verdictLine) check() error {
	share := func(v float64) bool { return v >= 0 && v <= 1 }
	switch {
	case l.Format != "" && (l.Format != verdictFormat || l.Version != verdictVersion):
		return fmt.Errorf("%w: %q, version %d", errVerdictFormat, l.Format, l.Version)
	case l.Format != "":
		return nil
	case l.Host == "":
		return errors.New("a verdict without a host")
	case l.Verdict != verdictSpam && l.Verdict != verdictNormal:
		return fmt.Errorf("verdict %q: spam or normal", l.Verdict)
	case !share(l.Score) || !share(l.Content):
		return fmt.Errorf("score %g, content %g: from 0 to 1", l.Score, l.Content)
	case l.Model == "" || l.At.IsZero():
		return errors.New("a verdict without model or date")
	}
	return nil
}

// VerdictsPath is where the verdicts of an archive lie.
func VerdictsPath(archive string) string { return filepath.Join(archive, "models", "verdicts.jsonl") }

// OpenVerdicts reads the verdicts of an archive for a crawl by the model with a digest. Lines that cannot be read are passed over;
// Unread names them.
func OpenVerdicts(archive, model string, maxAge time.Duration) (*Verdicts, error) {
	v := &Verdicts{path: VerdictsPath(archive), model: model, maxAge: maxAge, now: map[string]verdictLine{}}
	f, err := os.Open(v.path)
	if errors.Is(err, os.ErrNotExist) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var bad *journal.BadLines
	if err := readVerdicts(f, v.path, func(l verdictLine) { v.now[l.Host] = l }); !errors.As(err, &bad) && err != nil {
		return nil, err
	}
	if bad != nil {
		v.bad = bad
	}
	return v, nil
}

// readVerdicts gives the verdicts of a file in their order.
func readVerdicts(r io.Reader, name string, each func(verdictLine)) error {
	var other error
	err := journal.EachOf(r, name, func(l verdictLine) error {
		err := l.check()
		switch {
		case errors.Is(err, errVerdictFormat):
			other = err
		case err == nil && l.Format == "" && other == nil:
			each(l)
		}
		return err
	})
	if other != nil {
		return fmt.Errorf("%s: %w", name, other)
	}
	return err
}

// Unread names the lines that could not be read; nil if all could.
func (v *Verdicts) Unread() error { return v.bad }

// Path is where they lie.
func (v *Verdicts) Path() string { return v.path }

// Of returns the last verdict on a host.
func (v *Verdicts) Of(host string, at time.Time) (out gate.Verdict, firm, known bool) {
	v.mu.RLock()
	l, known := v.now[host]
	v.mu.RUnlock()
	if !known {
		return out, false, false
	}
	age := at.Sub(l.At)
	return gate.Verdict{
		Host: l.Host, Spam: l.Verdict == verdictSpam, Spamicity: l.Score, Content: l.Content, Pages: l.Pages, Why: l.Why, At: l.At,
	}, l.Model == v.model && age >= 0 && age <= v.maxAge, true
}

// Keep adds verdicts and returns when they are on disk. Several processes may write: each holds the lock of the file meanwhile.
func (v *Verdicts) Keep(list []gate.Verdict) error {
	lines := make([]verdictLine, 0, len(list))
	for _, one := range list {
		l := verdictLine{
			Host: one.Host, Verdict: verdictNormal, Score: round(one.Spamicity), Content: round(one.Content),
			Model: v.model, At: one.At.UTC().Truncate(time.Second), Pages: one.Pages, Why: one.Why,
		}
		if one.Spam {
			l.Verdict = verdictSpam
		}
		if err := l.check(); err != nil {
			return err
		}
		lines = append(lines, l)
	}
	err := journal.Update(v.path, 0o644, func(size int64) (out []byte, err error) {
		if size == 0 {
			out = fmt.Appendf(out, "{\"format\":%q,\"version\":%d}\n", verdictFormat, verdictVersion)
		}
		for i := range lines {
			line, err := json.Marshal(&lines[i])
			if err != nil {
				return nil, err
			}
			out = append(append(out, line...), '\n')
		}
		return out, nil
	})
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, l := range lines {
		v.now[l.Host] = l
	}
	return nil
}

// round keeps six digits: more is noise.
func round(p float64) float64 { return math.Round(p*1e6) / 1e6 }
