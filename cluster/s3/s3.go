package s3

import (
	"context"
	"crypto/md5" //nolint:gosec // entity tags of parts are MD5, beside the SHA-256 that counts
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"varve"
	"varve/archive/store"
)

// Config says where the bucket is.
type Config struct {
	Endpoint string // "https://s3.example.org"
	Region   string // "": the server is asked
	Bucket   string
	Prefix   string // of all keys; "": none

	AccessKey, SecretKey, SessionToken string

	PartSize int64                                                                // of multipart uploads; 0: 64 MiB. S3 takes 5 MiB at least, and 10,000 parts
	Attempts int                                                                  // of a request; 0: 5
	Timeout  time.Duration                                                        // of a request that moves nothing; 0: 60 s
	Dial     func(ctx context.Context, network, address string) (net.Conn, error) // nil: the network
}

const (
	minPart  = 5 << 20
	maxParts = 10_000
	// slowest is the rate below which a request is given up, in bytes a second.
	slowest = 64 << 10
)

// Store is a bucket. It is safe for concurrent use.
type Store struct {
	cfg   Config
	calls calls
	down  breaker
}

// calls are the requests that are made. They are method values, and no field has the type of the client: through templates, which look
// methods up by name, the linker would keep its two hundred others in the program, 1.7 MB.
type calls struct {
	stat     func(ctx context.Context, bucket, key string, o minio.StatObjectOptions) (minio.ObjectInfo, error)
	get      func(ctx context.Context, bucket, key string, o minio.GetObjectOptions) (io.ReadCloser, minio.ObjectInfo, http.Header, error)
	put      func(ctx context.Context, bucket, key string, data io.Reader, size int64, md5Base64, sha256Hex string, o minio.PutObjectOptions) (minio.UploadInfo, error)
	begin    func(ctx context.Context, bucket, key string, o minio.PutObjectOptions) (upload string, err error)
	part     func(ctx context.Context, bucket, key, upload string, number int, data io.Reader, size int64, o minio.PutObjectPartOptions) (minio.ObjectPart, error)
	parts    func(ctx context.Context, bucket, key, upload string, marker, most int) (minio.ListObjectPartsResult, error)
	complete func(ctx context.Context, bucket, key, upload string, parts []minio.CompletePart, o minio.PutObjectOptions) (minio.UploadInfo, error)
	abort    func(ctx context.Context, bucket, key, upload string) error
	uploads  func(ctx context.Context, bucket, prefix string, recursive bool) <-chan minio.ObjectMultipartInfo
	list     func(ctx context.Context, bucket string, o minio.ListObjectsOptions) <-chan minio.ObjectInfo
	remove   func(ctx context.Context, bucket, key string, o minio.RemoveObjectOptions) error
}

var _ store.Store = (*Store)(nil)

// New makes a store. The server is not asked for anything yet.
func New(cfg Config) (*Store, error) {
	invalid := func(msg, hint string) error {
		return &varve.Error{Kind: varve.Invalid, Op: "store s3://" + cfg.Bucket, Msg: msg, Hint: hint}
	}
	u, err := url.Parse(cfg.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.Trim(u.Path, "/") != "" || u.User != nil || u.RawQuery != "" {
		return nil, invalid("the endpoint must be an address such as https://s3.example.org", "")
	}
	if cfg.Bucket == "" || strings.ContainsAny(cfg.Bucket, "/ ") {
		return nil, invalid("the name of the bucket is missing, or none", "")
	}
	if cfg.Prefix = strings.Trim(cfg.Prefix, "/"); cfg.Prefix != "" && (store.CheckKey(cfg.Prefix) != nil || len(cfg.Prefix) > 100) {
		return nil, invalid("the prefix cannot begin a key", "take a plain word")
	}
	if cfg.AccessKey == "" || cfg.SecretKey == "" {
		return nil, invalid("there are no keys", "set VARVE_S3_ACCESS_KEY and VARVE_S3_SECRET_KEY, or name a file with credentials_file")
	}
	if cfg.PartSize == 0 {
		cfg.PartSize = 64 << 20
	}
	if cfg.PartSize < minPart || cfg.PartSize > 5<<30 {
		return nil, invalid(fmt.Sprintf("a part of %d bytes", cfg.PartSize), "S3 takes parts from 5 MiB to 5 GiB")
	}
	if cfg.Attempts == 0 {
		cfg.Attempts = 5
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = time.Minute
	}
	dial := cfg.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	core, err := minio.NewCore(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(cfg.AccessKey, cfg.SecretKey, cfg.SessionToken),
		Secure: u.Scheme == "https", Region: cfg.Region, MaxRetries: cfg.Attempts,
		TrailingHeaders: true, // so that our own checksums are sent as they are, and none as trailers
		Transport: &http.Transport{
			DialContext: dial, TLSHandshakeTimeout: 10 * time.Second, ResponseHeaderTimeout: cfg.Timeout, MaxIdleConnsPerHost: 16,
			IdleConnTimeout: 90 * time.Second, DisableCompression: true, Proxy: http.ProxyFromEnvironment,
		},
	})
	if err != nil {
		return nil, invalid(err.Error(), "")
	}
	core.SetAppInfo("varve", "1")
	return &Store{cfg: cfg, calls: calls{
		core.StatObject, core.GetObject, core.PutObject, core.NewMultipartUpload, core.PutObjectPart, core.ListObjectParts, core.CompleteMultipartUpload,
		core.AbortMultipartUpload, core.ListIncompleteUploads, core.Client.ListObjects, core.RemoveObject,
	}}, nil
}

// String returns bucket and prefix.
func (s *Store) String() string { return "s3://" + path.Join(s.cfg.Bucket, s.cfg.Prefix) }

// Endpoint returns the address of the server.
func (s *Store) Endpoint() string { return s.cfg.Endpoint }

func (s *Store) key(key string) (string, error) {
	if err := store.CheckKey(key); err != nil {
		return "", err
	}
	return path.Join(s.cfg.Prefix, key), nil
}

// within bounds the time of requests that move so many bytes.
func (s *Store) within(ctx context.Context, size int64) (context.Context, context.CancelFunc) {
	once := s.cfg.Timeout + time.Duration(size/slowest)*time.Second
	return context.WithTimeout(ctx, once*time.Duration(s.cfg.Attempts))
}

// The metadata of objects: what Info says beside the size.
const (
	metaSHA256  = "Varve-Sha256"
	metaChanged = "Varve-Changed"

	headerChecksum  = "x-amz-checksum-sha256"
	headerAlgorithm = "x-amz-checksum-algorithm"
)

func describe(info store.Info) map[string]string {
	return map[string]string{metaSHA256: info.SHA256, metaChanged: info.Changed.UTC().Format(time.RFC3339Nano)}
}

// Put stores an object.
func (s *Store) Put(ctx context.Context, info store.Info, src io.ReaderAt) error {
	key, err := s.key(info.Key)
	if err != nil {
		return err
	}
	if sum, err := hex.DecodeString(info.SHA256); err != nil || len(sum) != sha256.Size {
		return fmt.Errorf("put %s: %q is no SHA-256", info.Key, info.SHA256)
	}
	switch there, err := s.Stat(ctx, info.Key); {
	case err == nil && there.Size == info.Size && there.SHA256 == info.SHA256:
		return nil
	case err == nil:
		return fmt.Errorf("put %s: %w", info.Key, store.ErrExists)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	composite := ""
	if info.Size <= s.cfg.PartSize {
		err = s.putWhole(ctx, key, info, src)
	} else {
		composite, err = s.putParts(ctx, key, info, src)
	}
	if code := codeOf(err); code == "PreconditionFailed" || code == "ConditionalRequestConflict" {
		err = nil // somebody put it meanwhile: what is there tells whether it is the same
	}
	if err != nil {
		return s.explain("put "+info.Key, err)
	}
	return s.verify(ctx, key, info, composite)
}

// verify asks the server what it has.
func (s *Store) verify(ctx context.Context, key string, info store.Info, composite string) error {
	ctx, cancel := s.within(ctx, 0)
	defer cancel()
	there, err := s.calls.stat(ctx, s.cfg.Bucket, key, minio.StatObjectOptions{Checksum: true})
	if err != nil {
		return s.explain("put "+info.Key, err)
	}
	if there.Size != info.Size || there.UserMetadata[metaSHA256] != info.SHA256 {
		return fmt.Errorf("put %s: %w", info.Key, store.ErrExists)
	}
	if sum := there.ChecksumSHA256; sum != "" && sum != composite {
		if whole, err := base64.StdEncoding.DecodeString(sum); err != nil || hex.EncodeToString(whole) != info.SHA256 {
			return fmt.Errorf("put %s: %w: the server has %s", info.Key, store.ErrDigest, sum)
		}
	}
	return nil
}

// putWhole sends an object with one request.
func (s *Store) putWhole(ctx context.Context, key string, info store.Info, src io.ReaderAt) error {
	sum, _ := hex.DecodeString(info.SHA256)
	opts := minio.PutObjectOptions{UserMetadata: describe(info), DisableContentSha256: true} // ours is signed; else it would sign chunks
	opts.UserMetadata[headerChecksum] = base64.StdEncoding.EncodeToString(sum)
	opts.SetMatchETagExcept("*")
	ctx, cancel := s.within(ctx, info.Size)
	defer cancel()
	_, err := s.calls.put(ctx, s.cfg.Bucket, key, io.NewSectionReader(src, 0, info.Size), info.Size, "", info.SHA256, opts)
	return err
}

// part is what is known of one part of a file.
type part struct {
	number    int
	from      int64
	size      int64
	sum       [sha256.Size]byte
	entityTag string // as servers give it to parts that they do not encrypt
}

func (p *part) checksum() string { return base64.StdEncoding.EncodeToString(p.sum[:]) }

// parts cuts a file and hashes it: each part, and the whole.
func (s *Store) parts(ctx context.Context, info store.Info, src io.ReaderAt) (list []part, err error) {
	size := s.cfg.PartSize
	for info.Size/size >= maxParts {
		size *= 2
	}
	all := sha256.New()
	for from := int64(0); from < info.Size; from += size {
		p := part{number: len(list) + 1, from: from, size: min(size, info.Size-from)}
		one, tag := sha256.New(), md5.New() //nolint:gosec // as above
		n, err := io.Copy(io.MultiWriter(all, one, tag), io.NewSectionReader(src, from, p.size))
		if err == nil && n < p.size {
			err = io.ErrUnexpectedEOF
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		one.Sum(p.sum[:0])
		p.entityTag = hex.EncodeToString(tag.Sum(nil))
		list = append(list, p)
	}
	if got := hex.EncodeToString(all.Sum(nil)); got != info.SHA256 {
		return nil, fmt.Errorf("%w: they have %s, announced was %s", store.ErrDigest, got, info.SHA256)
	}
	return list, nil
}

// putParts sends an object as a multipart upload, and goes on with one that broke off. It returns the checksum of the checksums of
// the parts, as servers tell it of such objects.
func (s *Store) putParts(ctx context.Context, key string, info store.Info, src io.ReaderAt) (composite string, err error) {
	list, err := s.parts(ctx, info, src)
	if err != nil {
		return "", err
	}
	upload, have, err := s.begun(ctx, key)
	if err != nil {
		return "", err
	}
	if upload == "" {
		opts := minio.PutObjectOptions{UserMetadata: describe(info)}
		opts.UserMetadata[headerAlgorithm] = "SHA256"
		short, cancel := s.within(ctx, 0)
		upload, err = s.calls.begin(short, s.cfg.Bucket, key, opts)
		cancel()
		if err != nil {
			return "", err
		}
	}
	sums := sha256.New()
	complete := make([]minio.CompletePart, len(list))
	for i := range list {
		p := &list[i]
		sums.Write(p.sum[:])
		tag, ok := have[p.number].is(p)
		if !ok {
			if tag, err = s.sendPart(ctx, key, upload, p, src); err != nil {
				return "", err // what was sent stays, and is found again; Sweep removes it where nobody comes back
			}
		}
		complete[i] = minio.CompletePart{PartNumber: p.number, ETag: tag, ChecksumSHA256: p.checksum()}
	}
	opts := minio.PutObjectOptions{}
	opts.SetMatchETagExcept("*")
	ctx, cancel := s.within(ctx, info.Size) // some servers copy the parts together
	defer cancel()
	_, err = s.calls.complete(ctx, s.cfg.Bucket, key, upload, complete, opts)
	if err != nil && isFinal(err) {
		err = errors.Join(err, s.abort(ctx, key, upload)) // its parts would not do the next time either
	}
	return fmt.Sprintf("%s-%d", base64.StdEncoding.EncodeToString(sums.Sum(nil)), len(list)), err
}

// isFinal reports whether the server has judged the parts of an upload, and not merely failed.
func isFinal(err error) bool {
	switch codeOf(err) {
	case "InvalidPart", "InvalidPartOrder", "EntityTooSmall", "BadDigest", "InvalidRequest", "PreconditionFailed":
		return true
	}
	return false
}

func (s *Store) sendPart(ctx context.Context, key, upload string, p *part, src io.ReaderAt) (tag string, err error) {
	ctx, cancel := s.within(ctx, p.size)
	defer cancel()
	sent, err := s.calls.part(ctx, s.cfg.Bucket, key, upload, p.number, io.NewSectionReader(src, p.from, p.size), p.size, minio.PutObjectPartOptions{
		DisableContentSha256: true, Sha256Hex: hex.EncodeToString(p.sum[:]), CustomHeader: http.Header{http.CanonicalHeaderKey(headerChecksum): {p.checksum()}},
	})
	return sent.ETag, err
}

// had is a part that the server has.
type had minio.ObjectPart

// is reports whether the server has this very part, and its entity tag.
func (h *had) is(p *part) (tag string, ok bool) {
	if h == nil || h.Size != p.size {
		return "", false
	}
	tag = strings.Trim(h.ETag, `"`)
	if h.ChecksumSHA256 != "" {
		return tag, h.ChecksumSHA256 == p.checksum()
	}
	return tag, tag == p.entityTag
}

// begun finds the newest upload of a key that broke off, and the parts that the server has of it.
func (s *Store) begun(ctx context.Context, key string) (upload string, have map[int]*had, err error) {
	ctx, cancel := s.within(ctx, 0)
	defer cancel()
	var at time.Time
	for u := range s.calls.uploads(ctx, s.cfg.Bucket, key, true) {
		if u.Err != nil {
			return "", nil, u.Err
		}
		if u.Key == key && (upload == "" || u.Initiated.After(at)) {
			upload, at = u.UploadID, u.Initiated
		}
	}
	if upload == "" {
		return "", nil, nil
	}
	have = map[int]*had{}
	for marker := 0; ; {
		list, err := s.calls.parts(ctx, s.cfg.Bucket, key, upload, marker, 1000)
		if codeOf(err) == "NoSuchUpload" {
			return "", nil, nil // it was completed or removed meanwhile
		}
		if err != nil {
			return "", nil, err
		}
		for i := range list.ObjectParts {
			have[list.ObjectParts[i].PartNumber] = (*had)(&list.ObjectParts[i])
		}
		if !list.IsTruncated || list.NextPartNumberMarker <= marker {
			return upload, have, nil
		}
		marker = list.NextPartNumberMarker
	}
}

func (s *Store) abort(ctx context.Context, key, upload string) error {
	ctx, cancel := s.within(context.WithoutCancel(ctx), 0)
	defer cancel()
	if err := s.calls.abort(ctx, s.cfg.Bucket, key, upload); err != nil && codeOf(err) != "NoSuchUpload" {
		return err
	}
	return nil
}

// Stat asks the server.
func (s *Store) Stat(ctx context.Context, key string) (store.Info, error) {
	full, err := s.key(key)
	if err != nil {
		return store.Info{}, err
	}
	ctx, cancel := s.within(ctx, 0)
	defer cancel()
	o, err := s.calls.stat(ctx, s.cfg.Bucket, full, minio.StatObjectOptions{})
	if err != nil {
		return store.Info{}, s.explain("look at "+key, s.worded(ctx, err))
	}
	return infoOf(key, o), nil
}

// worded makes a request that has an answer with words, after one that has not (HEAD) failed without saying why.
func (s *Store) worded(ctx context.Context, err error) error {
	if e, ok := errors.AsType[minio.ErrorResponse](err); !ok || e.StatusCode == http.StatusNotFound {
		return err
	}
	if o, ok := <-s.calls.list(ctx, s.cfg.Bucket, minio.ListObjectsOptions{MaxKeys: 1}); ok && o.Err != nil {
		return o.Err
	}
	return err
}

func infoOf(key string, o minio.ObjectInfo) store.Info {
	info := store.Info{Key: key, Size: o.Size, SHA256: o.UserMetadata[metaSHA256]}
	if t, err := time.Parse(time.RFC3339Nano, o.UserMetadata[metaChanged]); err == nil {
		info.Changed = t
	}
	return info
}

// Open opens an object. Each read is a request; if the object becomes another one, reads fail.
func (s *Store) Open(ctx context.Context, key string) (store.Object, error) {
	full, err := s.key(key)
	if err != nil {
		return nil, err
	}
	if err := s.down.since(); err != nil {
		return nil, fmt.Errorf("open %s: %w", key, err)
	}
	ctx, cancel := s.within(ctx, 0)
	defer cancel()
	o, err := s.calls.stat(ctx, s.cfg.Bucket, full, minio.StatObjectOptions{})
	if err != nil {
		return nil, s.down.note(err, s.explain("open "+key, s.worded(ctx, err)))
	}
	return &object{s, key, full, o.ETag, o.Size}, nil
}

// object is an object open for reading.
type object struct {
	store     *Store
	name, key string
	etag      string
	size      int64
}

// Size returns the size of the object.
func (o *object) Size() int64 { return o.size }

// Close ends the reading.
func (o *object) Close() error { return nil }

// ReadAt reads a range. An answer that is shorter than the range, or of another range, is asked for again.
func (o *object) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, fmt.Errorf("read %s at %d", o.name, off)
	}
	if off >= o.size {
		return 0, io.EOF
	}
	want := p[:min(int64(len(p)), o.size-off)]
	if len(want) == 0 {
		return 0, nil
	}
	if err := o.store.down.since(); err != nil {
		return 0, fmt.Errorf("read %s: %w", o.name, err)
	}
	for attempt := range o.store.cfg.Attempts {
		if n, err = o.read(want, off); err == nil {
			if n < len(p) {
				err = io.EOF
			}
			return n, err
		}
		if !isTorn(err) {
			break
		}
		time.Sleep(time.Duration(attempt*attempt) * 50 * time.Millisecond)
	}
	return 0, o.store.down.note(err, o.store.explain(fmt.Sprintf("read %s at %d", o.name, off), err))
}

// breaker lets readers fail at once for a while after the server did not answer at all: a page that is shown again has many parts,
// and each would wait for all attempts.
type breaker struct {
	mu    sync.Mutex
	until time.Time
	err   error
}

// broken is how long readers are turned away.
const broken = 2 * time.Second

// since returns why readers are turned away now; nil if they are not.
func (b *breaker) since() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Now().Before(b.until) {
		return b.err
	}
	return nil
}

// note keeps what a reader is told, if the server gave no answer, and returns it.
func (b *breaker) note(err, told error) error {
	if _, answered := errors.AsType[minio.ErrorResponse](err); answered || isLie(err) || errors.Is(err, context.Canceled) {
		return told
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.until, b.err = time.Now().Add(broken), told
	return told
}

// isLie reports whether there was an answer, but with other bytes.
func isLie(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, errRange)
}

// errRange is the error of an answer with other bytes than were asked for.
var errRange = errors.New("the server sent another range")

// isTorn reports whether an answer broke off, or was another one.
func isTorn(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return isLie(err) || network
}

func (o *object) read(p []byte, off int64) (int, error) {
	s := o.store
	once := s.cfg.Timeout + time.Duration(len(p)/slowest)*time.Second
	ctx, cancel := context.WithTimeout(context.Background(), once)
	defer cancel()
	var opts minio.GetObjectOptions
	last := off + int64(len(p)) - 1
	if err := errors.Join(opts.SetRange(off, last), opts.SetMatchETag(o.etag)); err != nil {
		return 0, err
	}
	body, info, _, err := s.calls.get(ctx, s.cfg.Bucket, o.key, opts)
	if err != nil {
		return 0, err
	}
	defer body.Close()
	got, want := info.Headers.Get("Content-Range"), fmt.Sprintf("bytes %d-%d/%d", off, last, o.size)
	if whole := off == 0 && int64(len(p)) == o.size; got != want && (got != "" || !whole) {
		return 0, fmt.Errorf("%w: %.60q for %q", errRange, got, want)
	}
	return io.ReadFull(body, p)
}

// List lists objects. The server tells neither digests nor our times in listings.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[store.Info, error] {
	return func(yield func(store.Info, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		full, cut := prefix, 0
		if s.cfg.Prefix != "" {
			full, cut = s.cfg.Prefix+"/"+prefix, len(s.cfg.Prefix)+1
		}
		for o := range s.calls.list(ctx, s.cfg.Bucket, minio.ListObjectsOptions{Prefix: full, Recursive: true}) {
			if o.Err != nil {
				yield(store.Info{}, s.explain("list "+s.String(), o.Err))
				return
			}
			if len(o.Key) < cut || strings.HasSuffix(o.Key, "/") {
				continue
			}
			if !yield(store.Info{Key: o.Key[cut:], Size: o.Size}, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(store.Info{}, err)
		}
	}
}

// Delete removes an object. Where the bucket keeps versions, the server keeps an older one: its lifecycle rules must remove it.
func (s *Store) Delete(ctx context.Context, key string) error {
	full, err := s.key(key)
	if err != nil {
		return err
	}
	ctx, cancel := s.within(ctx, 0)
	defer cancel()
	if err := s.calls.remove(ctx, s.cfg.Bucket, full, minio.RemoveObjectOptions{}); err != nil && codeOf(err) != "NoSuchKey" {
		return s.explain("delete "+key, err)
	}
	return nil
}

// Sweep aborts multipart uploads below the prefix that were begun before an instant.
func (s *Store) Sweep(ctx context.Context, before time.Time) (n int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	prefix := s.cfg.Prefix
	if prefix != "" {
		prefix += "/"
	}
	for u := range s.calls.uploads(ctx, s.cfg.Bucket, prefix, true) {
		if u.Err != nil {
			return n, s.explain("list uploads", u.Err)
		}
		if !u.Initiated.Before(before) {
			continue
		}
		if err := s.abort(ctx, u.Key, u.UploadID); err != nil {
			return n, s.explain("remove an upload that broke off", err)
		}
		n++
	}
	return n, nil
}
