package cdx

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Sources lists the files whose lines are in the index of a directory, by name. It takes no lock and changes
// nothing; an index that was not built yet has none.
func Sources(dir string) ([]Source, error) { return SourcesIn(vfs.Default, dir) }

// SourcesIn is Sources in a file system.
func SourcesIn(fsys vfs.FS, dir string) (out []Source, err error) {
	for range refreshTries { // a merge may remove runs between the two readings
		if out, err = readSources(fsys, dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("sources of index %s: %w", dir, err)
	}
	return out, nil
}

func readSources(fsys vfs.FS, dir string) ([]Source, error) {
	m, err := readManifest(fsys, dir, manifestName)
	if err != nil {
		return nil, err
	}
	var out []Source
	for _, info := range m.Runs {
		text, err := readChecked(fsys, fsys.PathJoin(dir, runName(info.ID, extSources)), info.Sources)
		if err != nil {
			return nil, fmt.Errorf("run %d: %w", info.ID, err)
		}
		list, err := decodeSources(text)
		if err != nil {
			return nil, fmt.Errorf("run %d: %w", info.ID, err)
		}
		for _, s := range list {
			if !slices.Contains(info.Dropped, s.Name) {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, b Source) int { return compareSources(&a, &b) })
	return out, nil
}
