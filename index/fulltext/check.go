package fulltext

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// sumsFile of a shard has the SHA-256 of all its other files but labels and facets, which change while it does not.
const sumsFile = "sums"

// writeSums notes the digests of a shard that was just built.
func writeSums(shard string) error {
	var b strings.Builder
	err := eachFile(shard, func(name, path string) error {
		sum, err := digestOf(path)
		fmt.Fprintf(&b, "%s  %s\n", sum, name)
		return err
	})
	if err != nil {
		return err
	}
	return writeSynced(filepath.Join(shard, sumsFile), []byte(b.String()))
}

// eachFile gives the files of a shard that do not change.
func eachFile(shard string, do func(name, path string) error) error {
	return filepath.WalkDir(shard, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(shard, path)
		if err != nil || name == sumsFile || strings.HasPrefix(name, "labels-") || strings.HasPrefix(name, "facets-") {
			return err
		}
		return do(filepath.ToSlash(name), path)
	})
}

func digestOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// checkShard tells whether the files of a shard are what they were when it was built.
func checkShard(shard string) error {
	f, err := os.Open(filepath.Join(shard, sumsFile))
	if err != nil {
		return err
	}
	defer f.Close()
	want := map[string]string{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		sum, name, ok := strings.Cut(lines.Text(), "  ")
		if !ok {
			return errors.New("the list of its files is damaged")
		}
		want[name] = sum
	}
	if err := lines.Err(); err != nil {
		return err
	}
	err = eachFile(shard, func(name, path string) error {
		sum, err := digestOf(path)
		if err == nil && sum != want[name] {
			err = fmt.Errorf("%s is not what it was", name)
		}
		delete(want, name)
		return err
	})
	if err == nil && len(want) > 0 {
		err = fmt.Errorf("%d of its files are missing", len(want))
	}
	return err
}

// ErrDamaged is that of an index whose files are not what was written.
var ErrDamaged = errors.New("the text index is damaged")

// damage returns an error of reading an index as an ErrDamaged, unless it is of the machine: files that may not be read, no room,
// a failing disk. To build anew would not help there, or would throw away what is sound.
func damage(err error) error {
	if err == nil || errors.Is(err, ErrDamaged) {
		return err
	}
	for _, of := range []error{fs.ErrPermission, syscall.ENOSPC, syscall.EDQUOT, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EIO, syscall.EROFS} {
		if errors.Is(err, of) {
			return err
		}
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}

// Verify reads every byte of the index in dir and changes nothing; damage is an ErrDamaged.
func Verify(ctx context.Context, dir string) error {
	m, err := readManifest(dir)
	if err != nil {
		return damage(err)
	}
	for _, s := range m.Shards {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := checkShard(filepath.Join(dir, s.Dir))
		if err == nil {
			_, err = readLabels(dir, s)
		}
		if err == nil {
			err = checkFacets(dir, s)
		}
		if err != nil {
			return damage(fmt.Errorf("shard %s: %w", s.Dir, err))
		}
	}
	return damage(checkOrdinals(dir, m))
}

// Check reads every byte of the index in dir and takes the shards that are damaged out of it; the next Build makes them anew. It
// tells what was wrong.
func Check(ctx context.Context, dir string) (damaged []string, err error) {
	m, err := usable(dir)
	if err != nil || len(m.Shards) == 0 {
		return nil, err
	}
	sound := manifest{Version: m.Version}
	for _, s := range m.Shards {
		if err := ctx.Err(); err != nil {
			return damaged, err
		}
		err := checkShard(filepath.Join(dir, s.Dir))
		if err == nil {
			_, err = readLabels(dir, s)
		}
		if err != nil && !errors.Is(damage(err), ErrDamaged) {
			return damaged, fmt.Errorf("shard %s: %w", s.Dir, err)
		}
		if err != nil {
			damaged = append(damaged, fmt.Sprintf("shard %s: %v", s.Dir, err))
			continue
		}
		if err := checkFacets(dir, s); err != nil {
			if !errors.Is(damage(err), ErrDamaged) {
				return damaged, fmt.Errorf("shard %s: %w", s.Dir, err)
			}
			damaged = append(damaged, fmt.Sprintf("shard %s: %v", s.Dir, err))
		}
		sound.Shards = append(sound.Shards, s)
	}
	if err := checkOrdinals(dir, m); err != nil {
		if !errors.Is(damage(err), ErrDamaged) {
			return damaged, err
		}
		damaged = append(damaged, err.Error())
	}
	if len(damaged) == 0 {
		return nil, nil
	}
	for i := range sound.Shards { // facets are counted in all shards or none; they are written anew without the shards
		sound.Shards[i].Facets, sound.Shards[i].FacetsSum = "", ""
	}
	return damaged, errors.Join(writeManifest(dir, sound), sweep(dir, sound))
}
