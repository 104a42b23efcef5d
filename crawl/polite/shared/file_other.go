//go:build !linux

package shared

import (
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"varve"
	"varve/crawl/polite"
)

// File is the politeness between the processes of a machine; only Linux has the locks that it needs.
type File struct{}

// DefaultDir is where the processes of a user on this machine would meet.
func DefaultDir() string {
	return filepath.Join(os.TempDir(), "varve-polite-"+strconv.Itoa(os.Geteuid()))
}

// Open says that there is none.
func Open(string, bool, *slog.Logger) (*File, error) {
	return nil, &varve.Error{
		Kind: varve.Unavailable, Op: "politeness between processes", Msg: "not on this system",
		Hint: "run one crawl of a host at a time; '--polite-dir none' says that it is meant so",
	}
}

// Close does nothing.
func (*File) Close() error { return nil }

// Enter allows everything.
func (*File) Enter([]polite.Claim, time.Time) (polite.Denial, bool) { return polite.Denial{}, true }

// Leave does nothing.
func (*File) Leave([]polite.Stay, time.Time) {}
