package fulltext

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"time"
)

// labelFacets are the facets that come from judgements, which change while documents do not: they lie in a file of their own
// beside each shard, and the shard is not built anew for them.
var labelFacets = []string{"coherence", "spam"}

// Labelled is what a label may depend on.
type Labelled struct {
	SURT, Host, Crawl string
	First, Last       time.Time
	Captures          int
}

// Labels judge documents; "" is unknown. nil functions judge nothing.
type Labels struct {
	Coherence func(Labelled) string // of a version
	Spam      func(host string) string
}

// labelsMagic starts a file of labels; its last byte is the version.
const labelsMagic = "vvlab\x00\x00\x01"

// Relabel judges all documents of the index in dir anew. A kill leaves the labels that were there.
func Relabel(ctx context.Context, dir string, l Labels) error {
	m, err := usable(dir)
	if err != nil {
		return err
	}
	changed := false
	for i := range m.Shards {
		info := &m.Shards[i]
		cols, err := readColumns(filepath.Join(dir, info.Dir, "columns"))
		if err != nil {
			return err
		}
		b := cols.label(l)
		sum := sha256.Sum256(b)
		mark := hex.EncodeToString(sum[:6])
		if mark == info.Labels {
			continue
		}
		if err := errors.Join(ctx.Err(), writeSynced(labelsFile(dir, info.Dir, mark), b)); err != nil {
			return err
		}
		info.Labels, changed = mark, true
	}
	if !changed {
		return nil
	}
	return errors.Join(writeManifest(dir, m), sweepBeside(dir, m))
}

func labelsFile(dir, shard, mark string) string { return filepath.Join(dir, shard, "labels-"+mark) }

// sweepBeside removes files of labels and facets that the manifest does not name.
func sweepBeside(dir string, m manifest) (err error) {
	for _, s := range m.Shards {
		for kind, mark := range map[string]string{"labels-": s.Labels, "facets-": s.Facets} {
			files, bad := filepath.Glob(filepath.Join(dir, s.Dir, kind+"*"))
			err = errors.Join(err, bad)
			for _, f := range files {
				if filepath.Base(f) != kind+mark || mark == "" {
					err = errors.Join(err, os.Remove(f))
				}
			}
		}
	}
	return err
}

// label gives the file of the labels of a shard.
func (c *columns) label(l Labels) []byte {
	place := make([]uint32, len(c.number))
	for p, n := range c.number {
		place[n] = uint32(p)
	}
	hosts, crawls := &c.facets[0], &c.facets[5]
	coherence, spam := newNaming(len(place)), newNaming(len(place))
	known := map[uint32]string{} // by host
	for n, key := range c.keys.from(0) {
		p := place[n]
		d := Labelled{
			SURT: string(key), Host: hosts.names[hosts.of[p]], Crawl: crawls.names[crawls.of[p]], First: time.UnixMicro(c.from[p]).UTC(), Last: time.UnixMicro(c.last[p]).UTC(),
			Captures: int(c.captures[p]),
		}
		if l.Coherence != nil {
			coherence.set(p, l.Coherence(d))
		}
		if l.Spam != nil {
			name, ok := known[hosts.of[p]]
			if !ok {
				name = l.Spam(d.Host)
				known[hosts.of[p]] = name
			}
			spam.set(p, name)
		}
	}
	b := binary.LittleEndian.AppendUint64([]byte(labelsMagic), uint64(len(place)))
	for _, n := range []*naming{coherence, spam} {
		b = n.facet().append(b)
	}
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

// readLabels gives the facets of a file of labels; without one everything is unknown.
func readLabels(dir string, info shardInfo) ([]facet, error) {
	if info.Labels == "" {
		out := make([]facet, len(labelFacets))
		for i := range out {
			out[i] = newNaming(info.Docs).facet()
			out[i].index()
		}
		return out, nil
	}
	path := labelsFile(dir, info.Dir, info.Labels)
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:6]) != info.Labels {
		return nil, fmt.Errorf("%s: %w", path, errLabels)
	}
	out, err := parseLabels(b, info.Docs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

var errLabels = errors.New("labels are damaged")

func parseLabels(b []byte, docs int) ([]facet, error) {
	if len(b) < len(labelsMagic)+12 || !bytes.HasPrefix(b, []byte(labelsMagic)) || crc32.ChecksumIEEE(b[:len(b)-4]) != binary.LittleEndian.Uint32(b[len(b)-4:]) {
		return nil, errLabels
	}
	r := columnsReader{b: b[len(labelsMagic) : len(b)-4]}
	if r.uint64() != uint64(docs) {
		return nil, fmt.Errorf("%w: not %d documents", errLabels, docs)
	}
	var out []facet
	for range labelFacets {
		f, ok := r.facet(uint64(docs))
		if !ok {
			return nil, errLabels
		}
		out = append(out, f)
	}
	if len(r.b) > 0 {
		return nil, errLabels
	}
	return out, nil
}

// naming gives names to documents.
type naming struct {
	ids   map[string]uint32
	names []string
	of    []uint32
}

// newNaming begins with "" for all documents.
func newNaming(docs int) *naming {
	return &naming{ids: map[string]uint32{"": 0}, names: []string{""}, of: make([]uint32, docs)}
}

func (n *naming) set(doc uint32, name string) {
	id, ok := n.ids[name]
	if !ok {
		id = uint32(len(n.names))
		n.ids[name] = id
		n.names = append(n.names, name)
	}
	n.of[doc] = id
}

// facet sorts the names.
func (n *naming) facet() facet {
	f := facet{names: n.names, of: n.of}
	f.sort()
	return f
}
