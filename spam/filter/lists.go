package filter

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"varve/crawl/gate"
	"varve/crawl/spamfilter"
	"varve/spam/label"
)

var _ gate.Rulings = (*Lists)(nil)

// Lists are what people decided about hosts: the labels of a collection, and files of hosts that are never, or always, let in. Labels go
// before lists, for they say who and when; a host on both lists is let in. It is safe for concurrent use.
type Lists struct {
	labels       *label.Log
	black, white []string

	mu      sync.RWMutex
	rulings map[string]ruling
	below   map[string]ruling // of domains: all hosts below them
	seen    []stamp
}

type ruling struct {
	is  spamfilter.Ruling
	why string
}

// stamp tells versions of a file apart.
type stamp struct {
	size int64
	time time.Time
}

// OpenLists reads labels and lists. labels may be nil; a list that cannot be read is an error, for its hosts would slip through.
func OpenLists(labels *label.Log, black, white []string) (*Lists, error) {
	l := &Lists{labels: labels, black: black, white: white}
	return l, l.load()
}

// Of tells what was decided about a host.
func (l *Lists) Of(host string) (spamfilter.Ruling, string) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if r, ok := l.rulings[host]; ok {
		return r.is, r.why
	}
	if len(l.below) == 0 {
		return spamfilter.Undecided, ""
	}
	name, _, _ := strings.Cut(host, ":")
	for rest := name; rest != ""; {
		if r, ok := l.below[rest]; ok {
			return r.is, r.why
		}
		_, rest, _ = strings.Cut(rest, ".")
	}
	return spamfilter.Undecided, ""
}

// Len is how many hosts and domains were decided about.
func (l *Lists) Len() int {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return len(l.rulings) + len(l.below)
}

// Changed reads the files again if one of them changed, and tells whether that was so. A file that cannot be read then leaves
// the rulings as they were.
func (l *Lists) Changed() bool {
	l.mu.RLock()
	same := equalStamps(l.seen, l.stamps())
	l.mu.RUnlock()
	return !same && l.load() == nil
}

func (l *Lists) files() []string {
	out := append(append([]string(nil), l.black...), l.white...)
	if l.labels != nil {
		out = append(out, l.labels.Path())
	}
	return out
}

func (l *Lists) stamps() (out []stamp) {
	for _, name := range l.files() {
		var s stamp
		if info, err := os.Stat(name); err == nil {
			s = stamp{info.Size(), info.ModTime()}
		}
		out = append(out, s)
	}
	return out
}

func equalStamps(a, b []stamp) bool {
	for i := range a {
		if a[i].size != b[i].size || !a[i].time.Equal(b[i].time) {
			return false
		}
	}
	return len(a) == len(b)
}

// load reads everything; on an error all stays as it was.
func (l *Lists) load() error {
	seen := l.stamps() // before the reading: what changes meanwhile is read again
	rulings, below := map[string]ruling{}, map[string]ruling{}
	for _, list := range []struct {
		files []string
		is    spamfilter.Ruling
	}{{l.black, spamfilter.Refuse}, {l.white, spamfilter.Allow}} {
		for _, name := range list.files {
			if err := readList(name, ruling{list.is, "list " + name}, rulings, below); err != nil {
				return err
			}
		}
	}
	if err := l.readLabels(rulings); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rulings, l.below, l.seen = rulings, below, seen
	return nil
}

func (l *Lists) readLabels(rulings map[string]ruling) error {
	if l.labels == nil {
		return nil
	}
	latest, err := l.labels.Latest()
	if err != nil {
		return err
	}
	for host, e := range latest {
		why := fmt.Sprintf("labelled %s by %s", e.Label, e.Who)
		if e.Why != "" {
			why += ": " + e.Why
		}
		switch e.Label {
		case label.Spam:
			rulings[host] = ruling{spamfilter.Refuse, why}
		case label.Normal:
			rulings[host] = ruling{spamfilter.Allow, why}
		}
	}
	return nil
}

func readList(name string, r ruling, hosts, below map[string]ruling) error {
	f, err := os.Open(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("the list %s does not exist", name)
		}
		return err
	}
	defer f.Close()
	if err := ReadList(f, func(host string, all bool) {
		if all {
			below[host] = r
		} else {
			hosts[host] = r
		}
	}); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// ReadList reads a list: one host a line; "*.example.com" is a domain with all hosts below it; what follows a # is for people.
func ReadList(r io.Reader, each func(host string, below bool)) error {
	in := bufio.NewScanner(r)
	for n := 1; in.Scan(); n++ {
		line, _, _ := strings.Cut(in.Text(), "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		bare, all := strings.CutPrefix(line, "*.")
		host, err := label.Host(bare)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		each(host, all)
	}
	return in.Err()
}
