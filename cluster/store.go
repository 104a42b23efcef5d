package cluster

import (
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
	"varve/archive/store"
	"varve/cluster/s3"
	"varve/crawl/scope"
)

// The kinds of stores.
const (
	KindDirectory = "directory"
	KindS3        = "s3"
)

// StoreConfig is the table [store] of varve.toml.
type StoreConfig struct {
	Kind string `toml:"kind"` // where new files go: "directory", the archive itself, or "s3"

	// How the bucket is reached. With kind "directory" it is for files that are still there.
	Endpoint        string     `toml:"endpoint"`
	Region          string     `toml:"region"`
	Bucket          string     `toml:"bucket"`
	Prefix          string     `toml:"prefix"`
	CredentialsFile string     `toml:"credentials_file"`
	PartSize        scope.Size `toml:"part_size"`
	Timeout         string     `toml:"timeout"`

	KeepLocal   *bool      `toml:"keep_local"` // files stay on the disk when the store has them; default: yes
	Upload      *bool      `toml:"upload"`     // crawls and imports send their files by themselves; default: yes
	CacheMemory scope.Size `toml:"cache_memory"`
	CacheDisk   scope.Size `toml:"cache_disk"`
	CacheDir    string     `toml:"cache_dir"`

	archive string
}

// ConfigFile is the varve.toml of an archive.
func ConfigFile(archive string) string { return filepath.Join(archive, "varve.toml") }

// ReadStore reads [store] of the varve.toml of an archive. Without it, the store is the directory of the archive.
func ReadStore(archive string) (StoreConfig, error) {
	var file struct {
		Store StoreConfig `toml:"store"`
	}
	wrong := func(err error) (StoreConfig, error) {
		return StoreConfig{}, &varve.Error{Kind: varve.Invalid, Op: "read " + ConfigFile(archive), Err: err, Hint: "docs/formats/varve-toml.md tells each setting"}
	}
	meta, err := toml.DecodeFile(ConfigFile(archive), &file)
	if errors.Is(err, fs.ErrNotExist) {
		return StoreConfig{Kind: KindDirectory, archive: archive}, nil
	}
	if err != nil {
		return wrong(err)
	}
	for _, key := range meta.Undecoded() {
		if len(key) > 1 && key[0] == "store" {
			return wrong(fmt.Errorf("[store] has no setting %s", key[1]))
		}
	}
	c := file.Store
	c.archive = archive
	if c.Kind == "" {
		c.Kind = KindDirectory
	}
	if c.Kind != KindDirectory && c.Kind != KindS3 {
		return wrong(fmt.Errorf("kind of [store] is %q, must be %q or %q", c.Kind, KindDirectory, KindS3))
	}
	if (c.Kind == KindS3 || c.Endpoint != "") && c.Bucket == "" {
		return wrong(errors.New("[store] names no bucket"))
	}
	if _, err := c.timeout(); err != nil {
		return wrong(fmt.Errorf("timeout of [store]: %w", err))
	}
	return c, nil
}

func (c *StoreConfig) timeout() (time.Duration, error) {
	if c.Timeout == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(c.Timeout)
	if err == nil && d < time.Second {
		err = errors.New("less than a second")
	}
	return d, err
}

// Reachable reports whether there is a store beside the archive itself.
func (c *StoreConfig) Reachable() bool { return c.Bucket != "" }

// Keeps reports whether files stay on the disk when the store has them.
func (c *StoreConfig) Keeps() bool { return c.KeepLocal == nil || *c.KeepLocal }

// Uploads reports whether crawls and imports send their files by themselves.
func (c *StoreConfig) Uploads() bool { return c.Kind == KindS3 && (c.Upload == nil || *c.Upload) }

// Open opens the store, with its cache. Nothing is asked of it yet.
func (c *StoreConfig) Open() (*store.Cached, error) {
	s, err := c.Bare()
	if err != nil {
		return nil, err
	}
	cache := store.CacheConfig{Memory: int64(c.CacheMemory), Disk: int64(c.CacheDisk)}
	if cache.Memory == 0 {
		cache.Memory = 64 << 20
	}
	if cache.Disk > 0 {
		if cache.Dir = c.CacheDir; cache.Dir == "" {
			cache.Dir = filepath.Join(c.archive, "cache", "store")
		}
	}
	return store.NewCached(s, cache), nil
}

// Bare opens the bucket without a cache.
func (c *StoreConfig) Bare() (*s3.Store, error) {
	if !c.Reachable() {
		return nil, &varve.Error{
			Kind: varve.Invalid, Op: "open the store of " + c.archive, Msg: "all its WARC files lie in the archive itself",
			Hint: "[store] in " + ConfigFile(c.archive) + " names a bucket; docs/formats/varve-toml.md tells how",
		}
	}
	cfg := s3.Config{Endpoint: c.Endpoint, Region: c.Region, Bucket: c.Bucket, Prefix: c.Prefix, PartSize: int64(c.PartSize)}
	var err error
	if cfg.Timeout, err = c.timeout(); err != nil {
		return nil, err
	}
	if err := c.credentials(&cfg); err != nil {
		return nil, err
	}
	return s3.New(cfg)
}

// credentials takes the keys from a file, else from the environment.
func (c *StoreConfig) credentials(cfg *s3.Config) error {
	if c.CredentialsFile == "" {
		for _, names := range [][3]string{
			{"VARVE_S3_ACCESS_KEY", "VARVE_S3_SECRET_KEY", "VARVE_S3_SESSION_TOKEN"}, {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"},
		} {
			if os.Getenv(names[0]) != "" {
				cfg.AccessKey, cfg.SecretKey, cfg.SessionToken = os.Getenv(names[0]), os.Getenv(names[1]), os.Getenv(names[2])
				return nil
			}
		}
		return nil // the store says what is missing
	}
	path := c.CredentialsFile
	if !filepath.IsAbs(path) {
		path = filepath.Join(c.archive, path)
	}
	wrong := func(msg, hint string) error {
		return &varve.Error{Kind: varve.Invalid, Op: "read keys from " + path, Msg: msg, Hint: hint}
	}
	info, err := os.Stat(path)
	if err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "read keys", Err: err, Hint: "credentials_file of [store] names the file"}
	}
	if info.Mode().Perm()&0o077 != 0 {
		return wrong("others may read it", "chmod 600 "+path)
	}
	var keys struct {
		AccessKey    string `toml:"access_key"`
		SecretKey    string `toml:"secret_key"`
		SessionToken string `toml:"session_token"`
	}
	if _, err := toml.DecodeFile(path, &keys); err != nil {
		return wrong("it is no TOML with access_key and secret_key", "") // errors of the parser quote the text
	}
	if keys.AccessKey == "" || keys.SecretKey == "" {
		return wrong("access_key or secret_key is missing", "")
	}
	cfg.AccessKey, cfg.SecretKey, cfg.SessionToken = keys.AccessKey, keys.SecretKey, strings.TrimSpace(keys.SessionToken)
	return nil
}

// Objects opens the objects of an archive; nil where its files lie in the archive itself. What is wrong with varve.toml is told when the first object is
// opened: an archive can be listed without.
func Objects(archive string) store.Opener {
	if _, err := os.Stat(ConfigFile(archive)); err != nil {
		return nil
	}
	c, err := ReadStore(archive)
	if err == nil && !c.Reachable() {
		return nil
	}
	return &objects{config: c, err: err}
}

// objects opens the store when the first object is asked for.
type objects struct {
	config StoreConfig
	once   sync.Once
	store  *store.Cached
	err    error
}

// OpenKnown opens an object.
func (o *objects) OpenKnown(info store.Info) (store.Object, error) {
	o.once.Do(func() {
		if o.err == nil {
			o.store, o.err = o.config.Open()
		}
	})
	if o.err != nil {
		return nil, o.err
	}
	return o.store.OpenKnown(info)
}
