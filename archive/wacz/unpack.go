package wacz

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"varve/archive/warc"
	"varve/archive/whole"
)

// UnpackOptions say what is taken out of a package.
type UnpackOptions struct {
	All   bool // every file under its path, not only the WARC files
	Force bool // keep files whose hash is wrong
	// Taken tells names of WARC files that are in use though no file of that name is in the directory; nil for none.
	Taken func(name string) bool
	// OnFile is told of each file; nil for nobody.
	OnFile func(Unpacked)
}

// The outcomes of unpacking a file.
const (
	UnpackWritten = "written"
	UnpackPresent = "present"    // it was there already, with the same content
	UnpackBad     = "wrong-hash" // not as the manifest says; written only by force
	UnpackUnsafe  = "unsafe"     // a path that leads out of the package; never written
	UnpackAbsent  = "absent"     // a package that the manifest of a multi-WACZ names and that is not in it
)

// ErrNoWARC is returned for packages that hold neither WARC files nor other packages.
var ErrNoWARC = errors.New("no WARC file in the package")

// maxNested bounds how deep packages in packages are followed.
const maxNested = 3

// Unpacked is one file taken out of a package.
type Unpacked struct {
	Path    string `json:"path"` // in the package
	Name    string `json:"name"` // in the directory
	Bytes   int64  `json:"bytes"`
	Outcome string `json:"outcome"`
	Detail  string `json:"detail,omitempty"`
}

// Unpack writes the WARC files of a package, and of the packages in it (multi-WACZ), into a directory, without
// the folder archive/, or all files under their paths. A file has its name only once it is whole, verified and
// synced. Nothing is overwritten: a WARC file whose name is taken by another one gets the first digits of its
// SHA-256 before its name; of other files it is an error that is fs.ErrExist.
func (p *Package) Unpack(ctx context.Context, root *os.Root, opts UnpackOptions) error {
	return p.unpack(ctx, root, opts, 0)
}

func (p *Package) unpack(ctx context.Context, root *os.Root, opts UnpackOptions, depth int) error {
	expected := map[string]string{}
	if m, err := p.Manifest(); err == nil {
		for _, r := range m.Resources {
			expected[r.Path] = r.Hash
		}
	}
	found := 0
	for _, f := range p.files {
		if p.byPath[f.Name] != f {
			continue
		}
		if !opts.All && isPackage(f.Name) {
			found++
			if err := p.unpackNested(ctx, root, f.Name, opts, depth); err != nil {
				return err
			}
		}
		if !opts.All && !isWARC(f.Name) && !isARC(f.Name) {
			continue
		}
		found++
		name := f.Name
		if !opts.All {
			name = strings.ReplaceAll(strings.TrimPrefix(name, archiveDir), "/", "-")
		}
		u := Unpacked{Path: f.Name, Name: name, Bytes: int64(f.UncompressedSize64)}
		if err := p.unpackOne(ctx, root, &u, expected[f.Name], opts); err != nil {
			return fmt.Errorf("unpack %s of %s: %w", f.Name, p.name, err)
		}
		opts.tell(u)
	}
	if !opts.All {
		for _, path := range slices.Sorted(maps.Keys(expected)) {
			if isPackage(path) && p.byPath[path] == nil {
				found++
				opts.tell(Unpacked{Path: path, Outcome: UnpackAbsent, Detail: "the manifest names this package, and it is not in " + p.name})
			}
		}
		if found == 0 {
			return fmt.Errorf("unpack %s: %w", p.name, ErrNoWARC)
		}
	}
	return nil
}

func (o *UnpackOptions) tell(u Unpacked) {
	if o.OnFile != nil {
		o.OnFile(u)
	}
}

// unpackNested unpacks a package that lies in this one.
func (p *Package) unpackNested(ctx context.Context, root *os.Root, path string, opts UnpackOptions, depth int) (err error) {
	if depth >= maxNested {
		return fmt.Errorf("unpack %s of %s: packages in packages, %d deep", path, p.name, depth+1)
	}
	src, err := p.Section(path)
	if errors.Is(err, errPacked) {
		file, err := p.spooled(ctx, path)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		info, err := file.Stat()
		if err != nil {
			return err
		}
		src = io.NewSectionReader(file, 0, info.Size())
	} else if err != nil {
		return err
	}
	inner, err := Open(p.name+"!"+path, src, src.Size(), p.limits)
	if err != nil {
		return err
	}
	return inner.unpack(ctx, root, opts, depth+1)
}

// spooled copies a compressed entry into a temporary file.
func (p *Package) spooled(ctx context.Context, path string) (*os.File, error) {
	in, err := p.OpenEntry(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	f, err := whole.Scratch("")
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(f, &section{ctx: ctx, r: in}); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// isPackage tells by its name whether an entry is a package.
func isPackage(p string) bool { return strings.HasSuffix(p, ".wacz") }

// isARC tells ARC files, which some put where WARC files belong.
func isARC(p string) bool {
	return strings.HasPrefix(p, archiveDir) && hasAnySuffix(p, []string{".arc", ".arc.gz"})
}

func (p *Package) unpackOne(ctx context.Context, root *os.Root, u *Unpacked, expected string, opts UnpackOptions) error {
	if err := errors.Join(safePath(u.Path), safePath(u.Name)); err != nil {
		u.Outcome, u.Detail = UnpackUnsafe, err.Error()
		return nil
	}
	if done, err := p.settleName(ctx, root, u, opts); done || err != nil {
		return err
	}
	force := opts.Force
	if dir := path.Dir(u.Name); dir != "." {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	open := u.Name + warc.OpenSuffix
	f, err := root.OpenFile(open, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	err = p.copyChecked(ctx, f, u, expected)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil || u.Outcome == UnpackBad && !force {
		return errors.Join(err, root.Remove(open))
	}
	if err := root.Rename(open, u.Name); err != nil {
		return err
	}
	return syncDir(root, path.Dir(u.Name))
}

// copyChecked writes the content and compares it with the manifest.
func (p *Package) copyChecked(ctx context.Context, w io.Writer, u *Unpacked, expected string) error {
	newHash, want, err := parseHash(expected)
	if err != nil {
		newHash = sha256.New // whatever: there is nothing to compare with
		u.Detail = "the manifest has no readable hash for it"
	}
	in, err := p.OpenEntry(u.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	h := newHash()
	n, err := io.Copy(io.MultiWriter(w, h), &section{ctx: ctx, r: in})
	if err != nil {
		return err
	}
	u.Bytes, u.Outcome = n, UnpackWritten
	if want != nil && string(h.Sum(nil)) != string(want) {
		u.Outcome, u.Detail = UnpackBad, "its hash is not the one in the manifest"
	}
	return nil
}

// settleName finds a name for a file; done tells that a file with its content is there already.
func (p *Package) settleName(ctx context.Context, root *os.Root, u *Unpacked, opts UnpackOptions) (done bool, err error) {
	taken := func() bool {
		_, err := root.Lstat(u.Name)
		return err == nil
	}
	elsewhere := func() bool { return opts.Taken != nil && !opts.All && opts.Taken(u.Name) }
	if !taken() && !elsewhere() {
		return false, nil
	}
	in, err := p.OpenEntry(u.Path)
	if err != nil {
		return false, err
	}
	defer in.Close()
	mine, err := entrySum(ctx, in)
	if err != nil {
		return false, err
	}
	for range 2 {
		if taken() {
			f, err := root.Open(u.Name)
			if err != nil {
				return false, err
			}
			theirs, err := entrySum(ctx, f)
			if err = errors.Join(err, f.Close()); err != nil {
				return false, err
			}
			if mine == theirs {
				u.Outcome = UnpackPresent
				return true, nil
			}
			if opts.All {
				break
			}
		} else if !elsewhere() {
			return false, nil
		}
		u.Name = path.Join(path.Dir(u.Name), mine[:8]+"-"+path.Base(u.Name))
	}
	return false, fmt.Errorf("%s with other content: %w", u.Name, fs.ErrExist)
}

func entrySum(ctx context.Context, r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, &section{ctx: ctx, r: r}); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func syncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
