package crawlspeed

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"varve/archive/warc"
)

// step is one capture of the floor: everything about it is known beforehand but the answer.
type step struct {
	url, host string
	request   []byte
	metadata  []byte // without the digest, which is of the answer
}

// reference crawls once with varve, unmeasured, and makes the plan and the expected URLs of it.
func (b *bench) reference(ctx context.Context) error {
	dir := filepath.Join(b.dir, "reference")
	if out, _, err := output(b.varve(ctx, dir)); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	files, err := filepath.Glob(filepath.Join(dir, "archive/collections/bench/warc/*.warc.gz"))
	if err != nil {
		return err
	}
	steps := map[string]*step{}
	for _, f := range files {
		if err := collect(f, steps); err != nil {
			return err
		}
	}
	if b.cfg.Terms > 0 {
		v := newVocabulary()
		for _, f := range files {
			if err := v.read(f); err != nil {
				return err
			}
		}
		if b.terms = v.terms(b.cfg.Terms); len(b.terms) < b.cfg.Terms {
			return fmt.Errorf("the pages have only %d terms, a definition of %d is asked for", len(b.terms), b.cfg.Terms)
		}
	}
	b.expected = map[string]bool{}
	for u := range steps {
		b.expected[u] = true
	}
	if len(steps) != b.web.Documents {
		return fmt.Errorf("%d URLs captured, the simulated web has %d", len(steps), b.web.Documents)
	}
	return errors.Join(writePlan(b.plan, steps), os.RemoveAll(dir))
}

// collect reads the requests and metadata of a WARC file. robots.txt is manners, not content.
func collect(file string, steps map[string]*step) error {
	return eachRecord(file, func(rec *warc.Record) error {
		kind, u := rec.Type(), rec.TargetURI()
		if kind != warc.TypeRequest && kind != warc.TypeMetadata || isRobots(u) {
			return nil
		}
		block, err := io.ReadAll(rec.Block)
		if err != nil {
			return err
		}
		s := steps[u]
		if s == nil {
			parsed, err := url.Parse(u)
			if err != nil {
				return err
			}
			s = &step{url: u, host: parsed.Host}
			steps[u] = s
		}
		if kind == warc.TypeRequest {
			s.request = block
		} else {
			s.metadata = withoutDigest(block)
		}
		return nil
	})
}

func isRobots(u string) bool { return strings.HasSuffix(u, "/robots.txt") }

// withoutDigest takes the line out that the floor writes itself.
func withoutDigest(block []byte) []byte {
	var out []byte
	for line := range strings.Lines(string(block)) {
		if !strings.HasPrefix(line, "payload-sha256:") {
			out = append(out, line...)
		}
	}
	return out
}

// writePlan stores steps host by host, each as its four fields with their lengths before them.
func writePlan(file string, steps map[string]*step) error {
	urls := make([]string, 0, len(steps))
	for u := range steps {
		urls = append(urls, u)
	}
	sort.Strings(urls)
	var b []byte
	for _, u := range urls {
		s := steps[u]
		for _, field := range [...][]byte{[]byte(s.url), []byte(s.host), s.request, s.metadata} {
			b = append(binary.AppendUvarint(b, uint64(len(field))), field...)
		}
	}
	return os.WriteFile(file, b, 0o644)
}

func readPlan(file string) ([]step, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []step
	for at := 0; at < len(b); {
		var fields [4][]byte
		for i := range fields {
			n, used := binary.Uvarint(b[at:])
			if used <= 0 || n > uint64(len(b)-at-used) {
				return nil, fmt.Errorf("plan %s is torn at byte %d", file, at)
			}
			at += used
			fields[i] = b[at : at+int(n)]
			at += int(n)
		}
		out = append(out, step{string(fields[0]), string(fields[1]), fields[2], fields[3]})
	}
	return out, nil
}
