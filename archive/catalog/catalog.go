package catalog

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"varve"
	"varve/archive/store"
)

// Archive is an archive directory.
type Archive struct {
	dir     string
	objects store.Opener // of files that lie in a store; nil: nobody said how they are reached
}

// Open gives the archive in a directory, which need not exist yet.
func Open(dir string) *Archive { return &Archive{dir: dir} }

// OpenWith is Open for an archive whose files may lie in a store.
func OpenWith(dir string, objects store.Opener) *Archive { return &Archive{dir, objects} }

// Objects is what the archive was opened with.
func (a *Archive) Objects() store.Opener { return a.objects }

// nameForm is what collections and crawls may be called: it is safe as a path on every system.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

func checkName(what, name string) error {
	if nameForm.MatchString(name) {
		return nil
	}
	return &varve.Error{
		Kind: varve.Invalid, Op: what + fmt.Sprintf(" %q", name),
		Msg: "the name cannot be used", Hint: "use letters, digits, dot, dash and underscore, at most 100 of them",
	}
}

// Collection gives the collection of that name, which need not exist yet.
func (a *Archive) Collection(name string) (*Collection, error) {
	if err := checkName("collection", name); err != nil {
		return nil, err
	}
	return &Collection{Name: name, dir: filepath.Join(a.dir, "collections", name), opener: a.objects}, nil
}

// CatalogueDir is where what lists show is kept (docs/formats/catalogue.md); it can be deleted.
func (a *Archive) CatalogueDir() string { return filepath.Join(a.dir, "catalogue") }

// Collections lists the collections by name.
func (a *Archive) Collections() ([]*Collection, error) {
	names, err := folders(filepath.Join(a.dir, "collections"))
	if err != nil {
		return nil, fmt.Errorf("list collections: %w", err)
	}
	var out []*Collection
	for _, n := range names {
		if c, err := a.Collection(n); err == nil {
			out = append(out, c)
		}
	}
	return out, nil
}

// folders lists the directories in a directory, sorted; none if it does not exist.
func folders(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) {
		return nil, nil
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, e.Name())
		}
	}
	slices.Sort(out)
	return out, err
}

// Collection is one collection of an archive.
type Collection struct {
	Name string
	dir  string
	refs referenceCache

	opener  store.Opener
	objects objectCache
}

// Dir is where the collection lies.
func (c *Collection) Dir() string { return c.dir }

// WarcDir is where its WARC files lie.
func (c *Collection) WarcDir() string { return filepath.Join(c.dir, "warc") }

// HistoryDir is where its history lies.
func (c *Collection) HistoryDir() string { return filepath.Join(c.dir, "history") }

// DefinitionFile is the collection.toml.
func (c *Collection) DefinitionFile() string { return filepath.Join(c.dir, "collection.toml") }

// Create makes the directories of the collection.
func (c *Collection) Create() error {
	for _, d := range []string{c.WarcDir(), filepath.Join(c.dir, "crawls")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return fmt.Errorf("create collection %s: %w", c.Name, err)
		}
	}
	return nil
}

// Exists tells whether the collection is on disk.
func (c *Collection) Exists() bool {
	info, err := os.Stat(c.dir)
	return err == nil && info.IsDir()
}

// CrawlDir is where a crawl of the collection lies.
func (c *Collection) CrawlDir(id string) (string, error) {
	if err := checkName("crawl", id); err != nil {
		return "", err
	}
	return filepath.Join(c.dir, "crawls", id), nil
}

// Crawls lists the ids of its crawls, oldest first (ids begin with their time).
func (c *Collection) Crawls() ([]string, error) {
	ids, err := folders(filepath.Join(c.dir, "crawls"))
	if err != nil {
		return nil, fmt.Errorf("list crawls of %s: %w", c.Name, err)
	}
	return ids, nil
}

// NewCrawlID makes an id for a crawl that starts now: its time, and a number if that is taken. It
// makes the crawl's directory, so the id is its own.
func (c *Collection) NewCrawlID(now time.Time) (id, dir string, err error) {
	if err := c.Create(); err != nil {
		return "", "", err
	}
	base := now.UTC().Format("20060102T150405Z")
	for n := 1; n < 1000; n++ {
		id = base
		if n > 1 {
			id = fmt.Sprintf("%s-%d", base, n)
		}
		dir = filepath.Join(c.dir, "crawls", id)
		err = os.Mkdir(dir, 0o755)
		if err == nil || !os.IsExist(err) {
			break
		}
	}
	if err != nil {
		return "", "", fmt.Errorf("new crawl of %s: %w", c.Name, err)
	}
	return id, dir, nil
}
