package job

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"varve/archive/whole"
)

// Receipt says what a part was made from, and what came out.
type Receipt struct {
	Job     string `json:"job"`
	Version int    `json:"version"`
	Part    string `json:"part,omitempty"` // empty: of the reducer
	Mark    string `json:"mark"`           // of the part and of what the job needed
	Items   int64  `json:"items"`
	Failed  int64  `json:"failed"`
	Partial int64  `json:"partial,omitempty"`
	Files   []Made `json:"files"`

	CPU time.Duration `json:"-"` // that it took now
}

// Made is a file that came out.
type Made struct {
	Path   string `json:"path"` // below the folder of derivatives
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// stateDir holds receipts and runs.
const stateDir = ".state"

func (r *Runner) receiptPath(job, part string) string {
	if part == "" {
		return filepath.Join(r.cfg.Dir, stateDir, job+".json")
	}
	return filepath.Join(r.cfg.Dir, stateDir, job, part+".json")
}

func (r *Runner) readReceipt(job, part string) (Receipt, bool) {
	return readReceipt(r.receiptPath(job, part))
}

// HasMade reports whether a job of that name has made something in a folder of derivatives.
func HasMade(dir, job string) bool {
	entries, err := os.ReadDir(filepath.Join(dir, stateDir, job))
	return err == nil && len(entries) > 0
}

func readReceipt(path string) (Receipt, bool) {
	var rec Receipt
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &rec) != nil {
		return Receipt{}, false
	}
	return rec, true
}

// fits tells whether a receipt stands for what would be made now, and its files are there.
func (r *Runner) fits(rec Receipt, version int, mark string) bool {
	if rec.Version != version || rec.Mark != mark {
		return false
	}
	for _, f := range rec.Files {
		if st, err := os.Stat(filepath.Join(r.cfg.Dir, f.Path)); err != nil || st.Size() != f.Size {
			return false
		}
	}
	return true
}

// Table returns the path of a part's file of a table, and whether it is what the job would make now. The job must need no others.
func Table(dir string, j Job, p Part, table string) (path string, ok bool) {
	r := &Runner{cfg: Config{Dir: dir}}
	rec, ok := r.readReceipt(j.Name, p.Name)
	return r.tablePath(table, p.Name), ok && r.fits(rec, j.Version, r.markOf(&j, nil, p))
}

// writeReceipt makes it durable; from then on the part is done.
func (r *Runner) writeReceipt(rec Receipt) error {
	path := r.receiptPath(rec.Job, rec.Part)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return whole.JSON(path, 0o644, rec)
}

// settle syncs a temporary file, closes it and gives it its name for good.
func settle(f *os.File, path string) error {
	err := errors.Join(f.Sync(), f.Close())
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return err
	}
	return whole.SyncDir(filepath.Dir(path))
}

// measure gives size and digest of a file.
func measure(path string) (size int64, sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return size, hex.EncodeToString(h.Sum(nil)), err
}

func sumOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
