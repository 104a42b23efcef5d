package bag

import (
	"bufio"
	"cmp"
	"context"
	"crypto/md5"  //nolint:gosec // old bags have no other
	"crypto/sha1" //nolint:gosec // likewise
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"varve/archive/fixity"
)

// Rule names what can be wrong with a bag.
type Rule string

// The rules.
const (
	Declaration Rule = "declaration" // bagit.txt is missing or says something else
	NoManifest  Rule = "manifest"    // there is none, it cannot be read, or its algorithm is not known
	MissingFile Rule = "missing"     // a manifest lists it, but it is not there
	WrongDigest Rule = "digest"      // other bytes than the manifest says
	Unlisted    Rule = "unlisted"    // a payload file that a manifest does not list
	Oxum        Rule = "oxum"        // Payload-Oxum does not fit
	BadPath     Rule = "path"        // leads out of the bag, or is no file
	Fetch       Rule = "fetch"       // fetch.txt: some of the payload is elsewhere
)

// Finding is something wrong with a bag.
type Finding struct {
	Rule    Rule   `json:"rule"`
	File    string `json:"file,omitempty"`
	Message string `json:"message"`
}

// Report is what a check found.
type Report struct {
	Version  string    `json:"version"`
	Info     []Field   `json:"info"`
	Files    int       `json:"files"` // of the payload
	Bytes    int64     `json:"bytes"`
	Findings []Finding `json:"findings"`
}

// maxTagFile bounds a tag file that is read whole.
const maxTagFile = 64 << 20

// algorithms by their name in manifests.
func newHash(name string) hash.Hash {
	switch name {
	case "md5":
		return md5.New() //nolint:gosec // see above
	case "sha1":
		return sha1.New() //nolint:gosec // see above
	case "sha256":
		return sha256.New()
	case "sha512":
		return sha512.New()
	}
	return nil
}

type checker struct {
	root   *os.Root
	report *Report
	expect map[string]map[string]string // file -> algorithm -> digest
	listed map[string][]string          // algorithm -> payload files of its manifest
	tell   func(file string, done, total int64)
}

// Check reads a whole bag and tells what is wrong with it. The error is for what kept it from being read at all.
func Check(ctx context.Context, dir string, progress func(file string, done, total int64)) (*Report, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	c := &checker{
		root: root, report: &Report{Findings: []Finding{}}, tell: progress,
		expect: map[string]map[string]string{}, listed: map[string][]string{},
	}
	c.declaration()
	if err := c.manifests(); err != nil {
		return c.report, err
	}
	if err := c.walk(ctx); err != nil {
		return c.report, err
	}
	c.info()
	slices.SortStableFunc(c.report.Findings, func(a, b Finding) int { return cmp.Compare(a.File, b.File) })
	return c.report, nil
}

func (c *checker) find(rule Rule, file, format string, args ...any) {
	c.report.Findings = append(c.report.Findings, Finding{rule, file, fmt.Sprintf(format, args...)})
}

func (c *checker) declaration() {
	fields, err := c.fields("bagit.txt")
	if err != nil {
		c.find(Declaration, "bagit.txt", "%v", err)
		return
	}
	for _, f := range fields {
		switch {
		case f.Label == "BagIt-Version":
			c.report.Version = f.Value
		case f.Label == "Tag-File-Character-Encoding" && !strings.EqualFold(f.Value, "UTF-8"):
			c.find(Declaration, "bagit.txt", "tag files are in %s: only UTF-8 is read", f.Value)
		}
	}
	if c.report.Version == "" {
		c.find(Declaration, "bagit.txt", "no BagIt-Version")
	}
}

// fields reads a tag file of labels and values; lines that begin with white space continue the one before.
func (c *checker) fields(name string) ([]Field, error) {
	f, err := c.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Field
	s := bufio.NewScanner(io.LimitReader(f, maxTagFile))
	s.Buffer(nil, 1<<20)
	for n := 1; s.Scan(); n++ {
		text := strings.TrimPrefix(strings.TrimRight(s.Text(), "\r"), "\ufeff")
		label, value, ok := strings.Cut(text, ":")
		switch {
		case strings.TrimSpace(text) == "":
		case text[0] == ' ' || text[0] == '\t':
			if len(out) > 0 {
				out[len(out)-1].Value += " " + strings.TrimSpace(text)
			}
		case !ok:
			return out, fmt.Errorf("line %d has no colon: %.80q", n, text)
		default:
			out = append(out, Field{label, strings.TrimSpace(value)})
		}
	}
	return out, s.Err()
}

// manifests reads all of them.
func (c *checker) manifests() error {
	names, err := fs.ReadDir(c.root.FS(), ".")
	if err != nil {
		return err
	}
	payload := 0
	for _, e := range names {
		name := e.Name()
		algorithm, ok := strings.CutPrefix(strings.TrimPrefix(name, "tag"), "manifest-")
		algorithm, isText := strings.CutSuffix(algorithm, ".txt")
		if name == "fetch.txt" {
			c.find(Fetch, name, "parts of the payload have to be fetched from elsewhere: complete the bag first")
		}
		if !ok || !isText {
			continue
		}
		if newHash(algorithm) == nil {
			c.find(NoManifest, name, "the algorithm %q is not known", algorithm)
			continue
		}
		isTag := strings.HasPrefix(name, "tag")
		if !isTag {
			payload++
		}
		c.manifest(name, algorithm, isTag)
	}
	if payload == 0 {
		c.find(NoManifest, "", "no manifest that could be read")
	}
	return nil
}

func (c *checker) manifest(name, algorithm string, isTag bool) {
	f, err := c.root.Open(name)
	if err != nil {
		c.find(NoManifest, name, "%v", err)
		return
	}
	defer f.Close()
	lines, err := fixity.ReadManifest(io.LimitReader(f, maxTagFile), name)
	if err != nil {
		c.find(NoManifest, name, "%v", err)
		return
	}
	for _, l := range lines {
		if clean := path.Clean(l.Path); !fs.ValidPath(clean) || strings.HasPrefix(clean, "data/") == isTag {
			c.find(BadPath, l.Path, "%s lists a path that it must not", name)
			continue
		} else if c.expect[clean] == nil {
			c.expect[clean] = map[string]string{algorithm: l.Digest}
		} else {
			c.expect[clean][algorithm] = l.Digest
		}
		if !isTag {
			c.listed[algorithm] = append(c.listed[algorithm], path.Clean(l.Path))
		}
	}
}

// walk looks at all files: those that are listed, and those of the payload that are not.
func (c *checker) walk(ctx context.Context) error {
	seen := map[string]bool{}
	err := fs.WalkDir(c.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil || d.IsDir() {
			return err
		}
		isPayload := strings.HasPrefix(name, "data/")
		if !d.Type().IsRegular() {
			c.find(BadPath, name, "not a plain file")
			seen[name] = true
			return nil
		}
		seen[name] = true
		if isPayload {
			c.report.Files++
			for algorithm, files := range c.listed {
				if _, ok := c.expect[name][algorithm]; !ok && len(files) > 0 {
					c.find(Unlisted, name, "manifest-%s.txt does not list it", algorithm)
				}
			}
		}
		return c.digest(ctx, name, isPayload)
	})
	for name := range c.expect {
		if !seen[name] {
			c.find(MissingFile, name, "listed, but not there")
		}
	}
	return err
}

// digest compares a file with all that manifests say of it, in one read.
func (c *checker) digest(ctx context.Context, name string, isPayload bool) error {
	want := c.expect[name]
	if len(want) == 0 && !isPayload {
		return nil
	}
	f, err := c.root.Open(name)
	if err != nil {
		c.find(MissingFile, name, "%v", err)
		return nil
	}
	defer f.Close()
	sums := map[string]hash.Hash{}
	var into []io.Writer
	for algorithm := range want {
		sums[algorithm] = newHash(algorithm)
		into = append(into, sums[algorithm])
	}
	to := io.MultiWriter(into...)
	buf := make([]byte, 256<<10)
	for {
		n, err := f.Read(buf)
		if _, err := to.Write(buf[:n]); err != nil {
			return err
		}
		if isPayload {
			c.report.Bytes += int64(n)
		}
		if c.tell != nil {
			c.tell(name, c.report.Bytes, 0)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			c.find(MissingFile, name, "cannot be read: %v", err)
			return ctx.Err()
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for algorithm, sum := range sums {
		if got := hex.EncodeToString(sum.Sum(nil)); got != want[algorithm] {
			c.find(WrongDigest, name, "%s is %s, the manifest says %s", algorithm, got, want[algorithm])
		}
	}
	return nil
}

// info reads bag-info.txt, which may be missing, and compares the oxum.
func (c *checker) info() {
	fields, err := c.fields("bag-info.txt")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.find(Declaration, "bag-info.txt", "%v", err)
	}
	c.report.Info = fields
	for _, f := range fields {
		if strings.EqualFold(f.Label, "Payload-Oxum") {
			if got := fmt.Sprintf("%d.%d", c.report.Bytes, c.report.Files); got != f.Value {
				c.find(Oxum, "bag-info.txt", "the payload has %s, bag-info.txt says %s", got, f.Value)
			}
		}
	}
}
