package job

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

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
}

// Made is a file that came out.
type Made struct {
	Path   string `json:"path"` // below the folder of derivatives
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// folder is where derivatives lie.
type folder string

// stateDir holds receipts and runs.
const stateDir = ".state"

func (d folder) path(rel string) string { return filepath.Join(string(d), filepath.FromSlash(rel)) }

func (d folder) state() string { return filepath.Join(string(d), stateDir) }

// State returns the folder of a job's receipts, below that of the derivatives.
func State(job string) string { return filepath.Join(stateDir, job) }

// tableName and runName are names for good, below the folder.
func tableName(table, part string) string { return filepath.Join(table, part+".parquet") }
func runName(job, part string) string     { return filepath.Join(stateDir, job, part+".run") }

func (d folder) receiptPath(job, part string) string {
	if part == "" {
		return filepath.Join(d.state(), job+".json")
	}
	return filepath.Join(d.state(), job, part+".json")
}

func (d folder) readReceipt(job, part string) (Receipt, bool) {
	return readReceipt(d.receiptPath(job, part))
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
func (d folder) fits(rec Receipt, version int, mark string) bool {
	if rec.Version != version || rec.Mark != mark {
		return false
	}
	for _, f := range rec.Files {
		if st, err := os.Stat(d.path(f.Path)); err != nil || st.Size() != f.Size {
			return false
		}
	}
	return true
}

// markOf tells what a part's result depends on: the file, and the receipts of the jobs that are needed.
func (d folder) markOf(j *Job, all []Job, p Part) string {
	mark := ownMark(j, p)
	for _, n := range j.Needs {
		i := slices.IndexFunc(all, func(o Job) bool { return o.Name == n })
		mark += " " + n + "=" + strconv.Itoa(all[i].Version)
		rec, _ := d.readReceipt(n, p.Name)
		for _, f := range rec.Files {
			mark += "," + f.SHA256[:min(16, len(f.SHA256))]
		}
	}
	return mark
}

// ownMark is the mark of a part without what the job needs of others.
func ownMark(j *Job, p Part) string {
	if j.Mark == "" {
		return p.Mark
	}
	return p.Mark + " " + j.Mark
}

// Table returns the path of a part's file of a table, and whether it is what the job would make now. The job must need no others.
func Table(dir string, j Job, p Part, table string) (path string, ok bool) {
	d := folder(dir)
	rec, ok := d.readReceipt(j.Name, p.Name)
	return d.path(tableName(table, p.Name)), ok && d.fits(rec, j.Version, d.markOf(&j, nil, p))
}

// writeReceipt makes it durable; from then on the part is done.
func (d folder) writeReceipt(rec Receipt) error {
	path := d.receiptPath(rec.Job, rec.Part)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return whole.JSON(path, 0o644, rec)
}

// settle gives a finished file its name for good.
func settle(from, path string) error {
	err := os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.Rename(from, path)
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
