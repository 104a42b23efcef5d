// Package renew is how an index of an older format is replaced while it answers: the rule for cdx, temporal and fulltext.
//
// Terms:
//
//	format    the number that a manifest carries: of the layout of the files, or of the rule by which they were made. It counts up
//	older     one format back: it is read, answers, and is built anew
//	note      a small file beside the folder of the index that says how far that is, for whoever looks: DIR.renewing
//
// What an index does, so that nobody waits and nothing is lost:
//
//	open      Reads(have, now): the format of today or the one before it; all others are refused by name
//	build     new files beside the old ones; the manifest of the old ones stays in its place
//	swap      the manifest is replaced when all is there; then the old files are removed (readers keep what they have open)
//	killed    the old manifest counts; what the new one has so far is used again, or swept
//
// Who builds holds the lock of the collection, and writes the note: Begin, At, End. Who looks needs no lock: Read. A note that
// is not touched for a while is of a process that was killed, or stands still; the next one begins it anew.
package renew

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"time"

	"varve/archive/whole"
)

// ErrFormat is the cause of the errors for an index of a format that is not read.
var ErrFormat = errors.New("index has another format version")

// Reads returns nil for the format of today and for the one before it.
func Reads(have, now int) error {
	switch {
	case have == now || have == now-1 && have > 0:
		return nil
	case have > now:
		return fmt.Errorf("format %d is newer than this program, which knows %d: %w", have, now, ErrFormat)
	}
	return fmt.Errorf("format %d is older than this program can read (%d and %d): %w", have, max(1, now-1), now, ErrFormat)
}

// Work is an index that is built anew.
type Work struct {
	Index   string    `json:"index"` // as people call it: "captures", "versions in time", "words"
	From    int       `json:"from"`  // the format that answers
	To      int       `json:"to"`
	Unit    string    `json:"unit"` // of the counts: "bytes", "captures", "versions"
	Done    int64     `json:"done"`
	Total   int64     `json:"total"`
	Before  int64     `json:"before,omitempty"` // of Done: what an earlier process had done
	Began   time.Time `json:"began"`            // by this process
	Touched time.Time `json:"touched"`
}

// stillAfter is how long a note may stay as it is before its process is taken to be gone.
const stillAfter = 5 * time.Minute

// Still reports whether nobody seems to work on it any more.
func (w *Work) Still(now time.Time) bool { return now.Sub(w.Touched) > stillAfter }

// Left estimates how long it will go on, by how long it took so far; false as long as there is nothing to go by.
func (w *Work) Left(now time.Time) (time.Duration, bool) {
	took, done := now.Sub(w.Began), w.Done-w.Before
	if took <= 0 || done <= 0 || w.Total <= 0 {
		return 0, false
	}
	return max(0, time.Duration(float64(took)/float64(done)*float64(w.Total-w.Done))), true
}

// Share is how much of it is done, from 0 to 1.
func (w *Work) Share() float64 {
	if w.Total <= 0 {
		return 0
	}
	return min(1, float64(w.Done)/float64(w.Total))
}

// String says it in a line: what, how far, how long yet.
func (w *Work) String() string { return w.Line(w.Touched) }

// Line is String as it is at an instant.
func (w *Work) Line(now time.Time) string {
	out := fmt.Sprintf("the index of %s is built anew (format %d to %d): %.0f%% done", w.Index, w.From, w.To, 100*w.Share())
	switch left, ok := w.Left(now); {
	case w.Still(now):
		out += ", and nobody has worked on it since " + w.Touched.UTC().Format("2006-01-02 15:04 UTC") + ": 'varve index' goes on"
	case ok:
		out += ", " + about(left) + " left"
	default:
		out += fmt.Sprintf(", %d %s to go", max(0, w.Total-w.Done), w.Unit)
	}
	return out + "; the older one answers until then"
}

// about says a time as people do.
func about(d time.Duration) string {
	for _, u := range []struct {
		of   time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if n := int64((d + u.of/2) / u.of); d >= u.of && n > 1 {
			return fmt.Sprintf("about %d %ss", n, u.name)
		} else if d >= u.of {
			return "about 1 " + u.name
		}
	}
	return "less than a minute"
}

// NoteOf returns the path of the note of the index in a directory.
func NoteOf(dir string) string { return dir + ".renewing" }

// Read returns the work on the index in a directory; false if there is none.
func Read(dir string) (w Work, ok bool) {
	b, err := os.ReadFile(NoteOf(dir))
	if err != nil || json.Unmarshal(b, &w) != nil || w.Index == "" {
		return Work{}, false
	}
	return w, true
}

// Renewal is work that is told of. Its methods may be called from several goroutines.
type Renewal struct {
	dir string
	now func() time.Time

	mu   sync.Mutex
	work Work
	told func(Work)
}

// touchEvery is how often a note is written.
const touchEvery = 2 * time.Second

// Begin notes that the index in a directory is built anew: beside it, so that the folder must not be there yet. told gets each
// note too; nil for nobody.
func Begin(dir string, w Work, now func() time.Time, told func(Work)) (*Renewal, error) {
	w.Began, w.Touched, w.Before = now(), now(), w.Done
	r := &Renewal{dir: dir, now: now, work: w, told: told}
	return r, r.write()
}

func (r *Renewal) write() error {
	if r.told != nil {
		r.told(r.work)
	}
	if err := whole.JSON(NoteOf(r.dir), 0o644, r.work); err != nil {
		return fmt.Errorf("note how far the index of %s is: %w", r.work.Index, err)
	}
	return nil
}

// At notes how much is done. It is written every few seconds; a note that cannot be written stops nothing.
func (r *Renewal) At(done, total int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.work.Done, r.work.Total = done, total
	if now := r.now(); now.Sub(r.work.Touched) >= touchEvery {
		r.work.Touched = now
		_ = r.write() // what is told is late then; the work itself says what is wrong with the disk
	}
}

// End removes the note: the new index answers.
func (r *Renewal) End() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return Forget(r.dir)
}

// Forget removes the note of an index, if there is one.
func Forget(dir string) error {
	err := os.Remove(NoteOf(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
