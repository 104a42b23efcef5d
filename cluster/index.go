package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/BurntSushi/toml"

	"varve"
	"varve/cluster/opensearch"
	"varve/index/cdx"
	"varve/index/fulltext"
)

// KindOpenSearch is the kind of index beyond one machine.
const KindOpenSearch = "opensearch"

// KindEmbedded is the indexes in the archive itself.
const KindEmbedded = "embedded"

// IndexConfig is the table [index] of varve.toml: how OpenSearch is reached. Commands use it where they are told to (--to, --index).
type IndexConfig struct {
	Address      string `toml:"address"`
	User         string `toml:"user"`
	PasswordFile string `toml:"password_file"`
	CAFile       string `toml:"ca_file"`
	Prefix       string `toml:"prefix"`
	Replicas     *int   `toml:"replicas"`
	Shards       int    `toml:"shards"`
	Timeout      string `toml:"timeout"`

	archive string
}

// ReadIndex reads [index] of the varve.toml of an archive.
func ReadIndex(archive string) (IndexConfig, error) {
	c, err := readIndex(archive)
	if err == nil && c.Address == "" {
		return c, indexError(archive, errors.New("[index] names no address of OpenSearch"))
	}
	return c, err
}

func indexError(archive string, err error) error {
	return &varve.Error{Kind: varve.Invalid, Op: "read " + ConfigFile(archive), Err: err, Hint: "docs/formats/varve-toml.md tells each setting of [index]"}
}

// readIndex is ReadIndex where nothing of [index] may be there.
func readIndex(archive string) (IndexConfig, error) {
	var file struct {
		Index IndexConfig `toml:"index"`
	}
	meta, err := toml.DecodeFile(ConfigFile(archive), &file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return IndexConfig{}, indexError(archive, err)
	}
	if err == nil {
		for _, key := range meta.Undecoded() {
			if len(key) > 1 && key[0] == "index" {
				return IndexConfig{}, indexError(archive, fmt.Errorf("[index] has no setting %s", key[1]))
			}
		}
	}
	c := file.Index
	c.archive = archive
	return c, nil
}

// Forget takes all that OpenSearch has of a collection out of it, texts and captures, if varve.toml names one: of what is removed for ever, no copy may
// stay. It reports whether there is one.
func Forget(ctx context.Context, archive, collection string) (named bool, err error) {
	c, err := readIndex(archive)
	if err != nil || c.Address == "" {
		return false, err
	}
	client, err := c.Open()
	if err != nil {
		return true, err
	}
	return true, errors.Join(client.Forget(ctx, collection), client.Close())
}

// Open makes a client of OpenSearch. Nothing is asked of it yet.
func (c *IndexConfig) Open() (*opensearch.Client, error) {
	cfg := opensearch.Config{Address: c.Address, User: c.User, Prefix: c.Prefix, Replicas: c.Replicas, Shards: c.Shards, Password: os.Getenv("VARVE_OPENSEARCH_PASSWORD")}
	wrong := func(op string, err error, hint string) error {
		return &varve.Error{Kind: varve.Invalid, Op: op, Err: err, Hint: hint}
	}
	if c.Timeout != "" {
		d, err := time.ParseDuration(c.Timeout)
		if err == nil && d < time.Second {
			err = errors.New("less than a second")
		}
		if err != nil {
			return nil, wrong("read "+ConfigFile(c.archive), fmt.Errorf("timeout of [index]: %w", err), "")
		}
		cfg.Timeout = d
	}
	if c.PasswordFile != "" {
		path := c.beside(c.PasswordFile)
		info, err := os.Stat(path)
		if err != nil {
			return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the password of OpenSearch", Err: err, Hint: "password_file of [index] names the file"}
		}
		if info.Mode().Perm()&0o077 != 0 {
			return nil, wrong("read the password of OpenSearch from "+path, errors.New("others may read it"), "chmod 600 "+path)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return nil, wrong("read the password of OpenSearch", err, "")
		}
		cfg.Password = strings.TrimSpace(string(b))
	}
	if c.CAFile != "" {
		var err error
		if cfg.CA, err = os.ReadFile(c.beside(c.CAFile)); err != nil {
			return nil, wrong("read ca_file of [index]", err, "")
		}
	}
	return opensearch.New(cfg)
}

// beside is a path as varve.toml has it.
func (c *IndexConfig) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.archive, path)
}

// Indexes answers from OpenSearch in place of the indexes of an archive: what `varve serve --index opensearch` asks. A collection is looked for when it is first asked.
type Indexes struct {
	client *opensearch.Client

	mu       sync.Mutex
	texts    map[string]*opensearch.Text
	captures map[string]*opensearch.Captures
}

// OpenIndexes opens the engine that varve.toml names. It need not be there yet.
func OpenIndexes(archive string) (*Indexes, error) {
	c, err := ReadIndex(archive)
	if err != nil {
		return nil, err
	}
	client, err := c.Open()
	if err != nil {
		return nil, err
	}
	return &Indexes{client: client, texts: map[string]*opensearch.Text{}, captures: map[string]*opensearch.Captures{}}, nil
}

// Close closes the connections.
func (x *Indexes) Close() error { return x.client.Close() }

// Text returns the texts of a collection.
func (x *Indexes) Text(ctx context.Context, collection string) (fulltext.Text, error) {
	x.mu.Lock()
	have := x.texts[collection]
	x.mu.Unlock()
	if have != nil {
		return have, nil
	}
	have, err := x.client.Text(ctx, collection)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.texts[collection] = have
	return have, nil
}

// Captures returns the captures of a collection.
func (x *Indexes) Captures(ctx context.Context, collection string) (cdx.Captures, error) {
	x.mu.Lock()
	have := x.captures[collection]
	x.mu.Unlock()
	if have != nil {
		return have, nil
	}
	have, err := x.client.Captures(ctx, collection)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.captures[collection] = have
	return have, nil
}
