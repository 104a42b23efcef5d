package crawls

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"varve/archive/catalog"
)

// LogName is the file of a collection with what crawls wrote that were started here.
const LogName = "crawls.log"

const (
	maxLog   = 8 << 20 // a log that is larger makes place for a new one; the one before it goes
	maxWords = 2 << 10 // of the end of a log, shown with a failed job
)

// log is the log file of a collection, and where the part of one job begins.
type log struct {
	file  *os.File
	begin int64
}

func openLog(col *catalog.Collection, job Job) (*log, error) {
	path := filepath.Join(col.Dir(), LogName)
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	what := "crawl " + job.Definition
	if job.Resumed != "" {
		what = "resume " + job.Resumed
	}
	_, err = fmt.Fprintf(f, "--- %s %s, started by %s\n", job.Started.Format(time.RFC3339), what, oneLine(job.By))
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &log{f, info.Size()}, nil
}

// oneLine keeps a name from breaking the line that it stands on.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// lastWords is the end of what the job wrote. What cannot be read is not worth an error: the file
// is there for people.
func (l *log) lastWords() string {
	info, err := l.file.Stat()
	if err != nil {
		return ""
	}
	from := max(l.begin, info.Size()-maxWords)
	b, err := io.ReadAll(io.NewSectionReader(l.file, from, info.Size()-from))
	if err != nil {
		return ""
	}
	text := strings.ToValidUTF8(string(b), "")
	if _, rest, cut := strings.Cut(text, "\n"); cut && from > l.begin {
		text = rest // begins in the middle of a line
	}
	return strings.TrimSpace(text)
}
