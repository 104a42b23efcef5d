package fulltext

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"varve/derive"
	"varve/index/renew"
)

// FormatVersion of the index. One of the version before answers until it was built anew (index/renew); others are built anew at once.
const FormatVersion = 5

const (
	batchDocs = 500 // documents that are made a segment together
	manyYears = 8   // shards that are built in one pass over the table
)

// manifest names the shards that make up an index.
type manifest struct {
	Version int         `json:"version"`
	Shards  []shardInfo `json:"shards"`
	// Ordinals is the mark of the file of ordinals, and OrdinalsSum its SHA-256; empty if no shard has facets.
	Ordinals    string `json:"ordinals,omitempty"`
	OrdinalsSum string `json:"ordinals_sum,omitempty"`
	// Sum is the SHA-256 of the manifest without it; those written before November 2026 have none.
	Sum string `json:"sum,omitempty"`
}

// sum returns the digest of a manifest.
func (m manifest) sum() (string, error) {
	m.Sum = ""
	b, err := json.Marshal(m)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), err
}

type shardInfo struct {
	Year string `json:"year"`
	Dir  string `json:"dir"`
	Mark string `json:"mark"` // digest of its documents
	Docs int    `json:"docs"`
	// Labels is the mark of the file of labels; empty if there is none.
	Labels string `json:"labels,omitempty"`
	// Pairs is false of a shard of version 4, which has no file of them.
	Pairs bool `json:"pairs,omitempty"`
	// Facets is the mark of the file of facets that analyses declared, and FacetsSum its SHA-256; empty if there is none.
	Facets    string `json:"facets,omitempty"`
	FacetsSum string `json:"facets_sum,omitempty"`
}

// Progress is told while an index is built.
type Progress struct {
	Year string `json:"year"`
	Done int    `json:"done"`
	Docs int    `json:"docs"`
}

// Report is what Build did.
type Report struct {
	Shards  int   `json:"shards"`
	Built   int   `json:"built"` // the others were up to date
	Docs    int   `json:"docs"`
	Indexed int   `json:"indexed"` // of those, now
	Bytes   int64 `json:"bytes"`   // on disk
	// Facets are those that analyses declared, with how many values were left out.
	Facets []derive.Facet `json:"facets,omitempty"`
	// Damaged tells what was wrong with shards that were built anew for that.
	Damaged []string `json:"damaged,omitempty"`
}

// Build brings the index in dir up to the table of versions. Shards whose documents are as they were
// are kept, if every byte of them is as it was written: a damaged one is built anew, and told. A kill leaves the old index; the
// next Build removes what was half made.
func Build(ctx context.Context, dir, versions string, told func(Progress)) (rep Report, err error) {
	if told == nil {
		told = func(Progress) {}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return rep, err
	}
	if rep.Damaged, err = Check(ctx, dir); err != nil {
		return rep, err
	}
	old, err := usable(dir)
	if err != nil {
		return rep, err
	}
	facets, err := tableOfFacets(versions)
	if err != nil {
		return rep, err
	}
	years, err := measureYears(ctx, versions, &facets)
	if err != nil {
		return rep, err
	}
	next := manifest{Version: FormatVersion}
	var stale []*year
	for _, y := range years {
		rep.Docs += y.docs
		info := y.info()
		if i := slices.IndexFunc(old.Shards, func(s shardInfo) bool { return s.Dir == info.Dir && s.Mark == info.Mark && s.Docs == info.Docs }); i >= 0 {
			info.Labels, info.Facets, info.FacetsSum = old.Shards[i].Labels, old.Shards[i].Facets, old.Shards[i].FacetsSum
		} else {
			stale = append(stale, y)
			rep.Built++
			rep.Indexed += y.docs
		}
		next.Shards = append(next.Shards, info)
	}
	for some := range slices.Chunk(stale, manyYears) {
		if err := buildShards(ctx, dir, versions, some, told); err != nil {
			return rep, err
		}
	}
	rep.Shards = len(next.Shards)
	if err := facets.refresh(ctx, dir, versions, next.Shards, years); err != nil {
		return rep, err
	}
	if next.Ordinals = ordinalsMark(next.Shards); next.Ordinals == old.Ordinals {
		next.OrdinalsSum = old.OrdinalsSum
	} else if next.Ordinals != "" {
		if next.OrdinalsSum, err = writeOrdinals(ctx, dir, next.Ordinals, next.Shards); err != nil {
			return rep, fmt.Errorf("facets: %w", err)
		}
	}
	rep.Facets = facets.declared
	if err := writeManifest(dir, next); err != nil {
		return rep, err
	}
	return rep, errors.Join(sweep(dir, next), sweepBeside(dir, next), rep.measure(dir))
}

func (r *Report) measure(dir string) error {
	return filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			r.Bytes += info.Size()
		}
		return err
	})
}

func readManifest(dir string) (m manifest, err error) {
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if errors.Is(err, os.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return manifest{}, fmt.Errorf("the list of its parts is damaged: %w", errAnew)
	}
	if err := renew.Reads(m.Version, FormatVersion); err != nil {
		return manifest{}, fmt.Errorf("%w: %w", err, errAnew)
	}
	if sum, err := m.sum(); err != nil || m.Sum != "" && m.Sum != sum {
		return manifest{}, errors.Join(err, fmt.Errorf("the list of its parts is not what was written: %w", errAnew))
	}
	return m, nil
}

// Older returns the format of the index in dir and its documents, if the format is the one before that of today: it answers, and Build makes one of today's
// beside it.
func Older(dir string) (format, docs int, ok bool) {
	m, err := readManifest(dir)
	for _, s := range m.Shards {
		docs += s.Docs
	}
	return m.Version, docs, err == nil && m.Version > 0 && m.Version < FormatVersion
}

// errAnew is of an index that cannot be read and will be built anew.
var errAnew = errors.New("'varve index' builds it anew")

// usable gives the manifest of an index that is brought up to date; of one that cannot be read nothing is kept.
func usable(dir string) (manifest, error) {
	m, err := readManifest(dir)
	if errors.Is(err, errAnew) {
		return manifest{}, nil
	}
	return m, err
}

func writeManifest(dir string, m manifest) error {
	var err error
	if m.Sum, err = m.sum(); err != nil {
		return err
	}
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "tmp-manifest-")
	if err != nil {
		return err
	}
	_, err = f.Write(append(b, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), filepath.Join(dir, "manifest.json")); err != nil {
		return err
	}
	return syncDir(dir)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// sweep removes what the manifest does not name.
func sweep(dir string, m manifest) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		used := e.Name() == "manifest.json" || e.Name() == "ordinals-"+m.Ordinals || slices.ContainsFunc(m.Shards, func(s shardInfo) bool { return s.Dir == e.Name() })
		if !used {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

type year struct {
	year string
	docs int
	sum  hash.Hash
	mark string

	facetSum hash.Hash // of the values of facets; nil if there are none
}

func (y *year) info() shardInfo {
	return shardInfo{Year: y.year, Mark: y.mark, Docs: y.docs, Dir: y.year + "-" + y.mark[:12], Pairs: true}
}

// newYear begins a shard. The format is part of its mark, so that one of another format is not overwritten while it serves.
func newYear(name string, facets *facetTable) (y *year, err error) {
	y = &year{year: name, sum: sha256.New()}
	fmt.Fprintf(y.sum, "format %d\n", FormatVersion)
	if len(facets.declared) > 0 {
		y.facetSum, err = facets.sum()
	}
	return y, err
}

func yearOf(v *derive.VersionRow) string { return v.From.UTC().Format("2006") }

// measureYears finds the shards and what tells whether they changed.
func measureYears(ctx context.Context, versions string, facets *facetTable) ([]*year, error) {
	byYear := map[string]*year{}
	n := 0
	var buf []byte
	values := facets.read()
	defer values.Close()
	err := derive.Rows(versions, func(v *derive.VersionRow) (bool, error) {
		y := byYear[yearOf(v)]
		if y == nil {
			var err error
			if y, err = newYear(yearOf(v), facets); err != nil {
				return false, err
			}
			byYear[y.year] = y
		}
		y.docs++
		buf = pack(buf[:0], v)
		y.sum.Write(buf)
		if y.facetSum != nil {
			list, err := values.Of(int64(n))
			if err != nil {
				return false, err
			}
			buf = addSum(y.facetSum, buf, list)
		}
		if n++; n%1000 == 0 {
			return true, ctx.Err()
		}
		return true, nil
	})
	var out []*year
	for _, y := range byYear {
		y.mark = hex.EncodeToString(y.sum.Sum(nil))
		out = append(out, y)
	}
	slices.SortFunc(out, func(a, b *year) int { return strings.Compare(a.year, b.year) })
	return out, err
}
