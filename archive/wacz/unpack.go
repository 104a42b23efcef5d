package wacz

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"varve/archive/warc"
)

// UnpackOptions say what is taken out of a package.
type UnpackOptions struct {
	All   bool // every file under its path, not only the WARC files
	Force bool // keep files whose hash is wrong
	// OnFile is told of each file; nil for nobody.
	OnFile func(Unpacked)
}

// The outcomes of unpacking a file.
const (
	UnpackWritten = "written"
	UnpackPresent = "present"    // it was there already, with the same content
	UnpackBad     = "wrong-hash" // not as the manifest says; written only by force
	UnpackUnsafe  = "unsafe"     // a path that leads out of the package; never written
)

// Unpacked is one file taken out of a package.
type Unpacked struct {
	Path    string `json:"path"` // in the package
	Name    string `json:"name"` // in the directory
	Bytes   int64  `json:"bytes"`
	Outcome string `json:"outcome"`
	Detail  string `json:"detail,omitempty"`
}

// Unpack writes the WARC files of a package into a directory, without the folder archive/, or all
// files under their paths. A file has its name only once it is whole, verified and synced. Nothing
// is overwritten: a file of that name with other content is an error that is fs.ErrExist.
func (p *Package) Unpack(ctx context.Context, root *os.Root, opts UnpackOptions) error {
	expected := map[string]string{}
	if m, err := p.Manifest(); err == nil {
		for _, r := range m.Resources {
			expected[r.Path] = r.Hash
		}
	}
	for _, f := range p.files {
		if p.byPath[f.Name] != f || !opts.All && !isWARC(f.Name) {
			continue
		}
		name := f.Name
		if !opts.All {
			name = strings.ReplaceAll(strings.TrimPrefix(name, archiveDir), "/", "-")
		}
		u := Unpacked{Path: f.Name, Name: name, Bytes: int64(f.UncompressedSize64)}
		if err := p.unpackOne(ctx, root, &u, expected[f.Name], opts.Force); err != nil {
			return fmt.Errorf("unpack %s of %s: %w", f.Name, p.name, err)
		}
		if opts.OnFile != nil {
			opts.OnFile(u)
		}
	}
	return nil
}

func (p *Package) unpackOne(ctx context.Context, root *os.Root, u *Unpacked, expected string, force bool) error {
	if err := errors.Join(safePath(u.Path), safePath(u.Name)); err != nil {
		u.Outcome, u.Detail = UnpackUnsafe, err.Error()
		return nil
	}
	if _, err := root.Lstat(u.Name); err == nil {
		return p.present(ctx, root, u)
	}
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

// present compares a file that is there with the one in the package.
func (p *Package) present(ctx context.Context, root *os.Root, u *Unpacked) error {
	f, err := root.Open(u.Name)
	if err != nil {
		return err
	}
	defer f.Close()
	in, err := p.OpenEntry(u.Path)
	if err != nil {
		return err
	}
	defer in.Close()
	a, b := sha256.New(), sha256.New()
	for _, c := range []struct {
		h hash.Hash
		r io.Reader
	}{{a, f}, {b, in}} {
		if _, err := io.Copy(c.h, &section{ctx: ctx, r: c.r}); err != nil {
			return err
		}
	}
	if string(a.Sum(nil)) != string(b.Sum(nil)) {
		return fmt.Errorf("%s with other content: %w", u.Name, fs.ErrExist)
	}
	u.Outcome = UnpackPresent
	return nil
}

func syncDir(root *os.Root, dir string) error {
	d, err := root.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
