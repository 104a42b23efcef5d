package wacz

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"

	"varve/archive/warc"
)

// Package is a WACZ file open for reading. It is safe for concurrent use.
type Package struct {
	name   string
	size   int64
	limits Limits
	src    io.ReaderAt
	files  []*zip.File          // in the order of the directory, folders left out
	byPath map[string]*zip.File // of two with one name the last counts, as in other readers
	twice  []string

	mu      sync.Mutex
	warcs   map[string]*warc.File
	indexes []index
	opened  bool // indexes is filled
}

// Entry is a file in the ZIP of a package.
type Entry struct {
	Path   string `json:"path"`
	Size   int64  `json:"bytes"`  // unpacked
	Packed int64  `json:"packed"` // in the ZIP
	Stored bool   `json:"stored"` // not compressed: random access is possible
}

// Open reads the directory of a package. The name is for messages. Anything that is a ZIP can be
// opened; Check tells what is wrong with it.
func Open(name string, src io.ReaderAt, size int64, limits Limits) (*Package, error) {
	p := &Package{
		name: name, src: src, size: size, limits: limits.withDefaults(),
		byPath: map[string]*zip.File{}, warcs: map[string]*warc.File{},
	}
	b := &budget{r: src, left: p.limits.Directory}
	z, err := zip.NewReader(b, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	b.lifted = true
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") && f.UncompressedSize64 == 0 {
			continue
		}
		if p.byPath[f.Name] != nil {
			p.twice = append(p.twice, f.Name)
		}
		p.byPath[f.Name] = f
		p.files = append(p.files, f)
	}
	return p, nil
}

// budget bounds what is read until the directory is in memory, where it takes several times its
// size: a hostile one is as large as the file.
type budget struct {
	r      io.ReaderAt
	left   int64
	lifted bool // set before the package is handed out
}

// ReadAt reads as long as the budget lasts.
func (b *budget) ReadAt(p []byte, off int64) (int, error) {
	if !b.lifted {
		if b.left -= int64(len(p)); b.left < 0 {
			return 0, errors.New("the ZIP directory is beyond the limit")
		}
	}
	return b.r.ReadAt(p, off)
}

// Name gives the name that the package was opened with.
func (p *Package) Name() string { return p.name }

// Size gives the bytes of the package.
func (p *Package) Size() int64 { return p.size }

// Entries gives all files in the ZIP, in its order.
func (p *Package) Entries() []Entry {
	out := make([]Entry, 0, len(p.files))
	for _, f := range p.files {
		out = append(out, Entry{f.Name, int64(f.UncompressedSize64), int64(f.CompressedSize64), f.Method == zip.Store})
	}
	return out
}

// WARCs gives the paths of the WARC files.
func (p *Package) WARCs() []string {
	var out []string
	for _, f := range p.files {
		if isWARC(f.Name) && p.byPath[f.Name] == f {
			out = append(out, f.Name)
		}
	}
	return out
}

// find gives the entry of a path.
func (p *Package) find(path string) (*zip.File, error) {
	f := p.byPath[path]
	if f == nil {
		return nil, fmt.Errorf("%s in %s: %w", path, p.name, fs.ErrNotExist)
	}
	if f.CompressedSize64 > uint64(p.size) {
		return nil, fmt.Errorf("%s in %s: %d bytes in a package of %d", path, p.name, f.CompressedSize64, p.size)
	}
	if f.UncompressedSize64 > uint64(p.limits.Unpacked) && f.Method != zip.Store {
		return nil, fmt.Errorf("%s in %s: unpacks to %d bytes, the limit is %d", path, p.name, f.UncompressedSize64, p.limits.Unpacked)
	}
	return f, nil
}

// OpenEntry reads a file of the package from its start. Its CRC is checked at the end.
func (p *Package) OpenEntry(path string) (io.ReadCloser, error) {
	f, err := p.find(path)
	if err != nil {
		return nil, err
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", path, p.name, err)
	}
	return r, nil
}

// errPacked is told of entries that must be stored and are not.
var errPacked = errors.New("compressed in the ZIP: there is no random access")

// Section gives random access to a stored file of the package.
func (p *Package) Section(path string) (*io.SectionReader, error) {
	f, err := p.find(path)
	if err != nil {
		return nil, err
	}
	if f.Method != zip.Store {
		return nil, fmt.Errorf("%s in %s: %w", path, p.name, errPacked)
	}
	at, err := f.DataOffset()
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", path, p.name, err)
	}
	size := int64(f.CompressedSize64)
	if at < 0 || at > p.size-size {
		return nil, fmt.Errorf("%s in %s: reaches beyond the end of the package", path, p.name)
	}
	return io.NewSectionReader(p.src, at, size), nil
}

// readAll gives a small file.
func (p *Package) readAll(path string, limit int64) ([]byte, error) {
	r, err := p.OpenEntry(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", path, p.name, err)
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s in %s: more than %d bytes", path, p.name, limit)
	}
	return b, nil
}

// Manifest reads datapackage.json.
func (p *Package) Manifest() (*Manifest, error) {
	b, err := p.readAll(ManifestPath, p.limits.Manifest)
	if err != nil {
		return nil, err
	}
	m, err := ParseManifest(b)
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", ManifestPath, p.name, err)
	}
	return m, nil
}

// Signature verifies the signature of the package; a package without one gives the kind Unsigned.
func (p *Package) Signature(trust Trust) (*Signature, error) {
	if p.byPath[DigestPath] == nil {
		return &Signature{Kind: Unsigned}, nil
	}
	b, err := p.readAll(DigestPath, p.limits.Manifest)
	if err != nil {
		return nil, err
	}
	d, err := ParseDigestFile(b)
	if err != nil {
		return nil, fmt.Errorf("%s in %s: %w", DigestPath, p.name, err)
	}
	manifest, err := p.readAll(ManifestPath, p.limits.Manifest)
	if err != nil {
		return nil, err
	}
	return VerifySignature(manifest, d, trust), nil
}
