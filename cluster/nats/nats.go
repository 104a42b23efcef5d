package nats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"varve"
	"varve/crawl/nodes/engine"
)

// Config says where the servers are and whose crawl it is.
type Config struct {
	URL   string // nats://user:password@host:port, several joined by commas
	Creds string // file with credentials; empty: none
	Crawl string // name of the crawl: letters, digits, - and _
	Name  string // of the node, for the server's lists

	Timeout time.Duration // of one request; 5 s
}

// Engine is a crawl's table, log and shelf.
type Engine struct {
	conn    *nats.Conn
	js      jetstream.JetStream
	kv      jetstream.KeyValue
	stream  jetstream.Stream
	objects jetstream.ObjectStore
	subject string // before the subjects of the log
	timeout time.Duration
}

var _ engine.Engine = (*Engine)(nil)

// The oldest server that has what is used here: expiry of the marks of deleted keys.
const leastMajor, leastMinor = 2, 11

// markTTL is how long a deleted key is remembered by the server. Its clock does not matter: a key whose mark is gone is not there, as before.
const markTTL = time.Hour

var crawlName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,60}$`)

// Open connects, and makes what the crawl needs where it is not there.
func Open(ctx context.Context, cfg Config) (*Engine, error) {
	if !crawlName.MatchString(cfg.Crawl) {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "join", Msg: fmt.Sprintf("%q cannot be the name of a crawl of several nodes", cfg.Crawl), Hint: "use letters, digits, - and _"}
	}
	conn, err := connect(&cfg)
	if err != nil {
		return nil, err
	}
	e := &Engine{conn: conn, subject: "varve." + cfg.Crawl + ".", timeout: cfg.Timeout}
	begun := time.Now()
	for {
		err := e.open(ctx, cfg)
		if err == nil {
			return e, nil
		}
		if time.Since(begun) > youngMost || !isYoung(err) || ctx.Err() != nil {
			conn.Close()
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// connect makes the connection.
func connect(cfg *Config) (*nats.Conn, error) {
	if cfg.Timeout <= 0 {
		cfg.Timeout = 5 * time.Second
	}
	opts := []nats.Option{
		nats.Name("varve " + cfg.Name), nats.MaxReconnects(-1), nats.ReconnectWait(250 * time.Millisecond), nats.ReconnectJitter(100*time.Millisecond, 100*time.Millisecond),
		nats.Timeout(cfg.Timeout), nats.PingInterval(2 * time.Second), nats.MaxPingsOutstanding(2),
		nats.ReconnectBufSize(-1), // a request that cannot be sent fails at once; who made it repeats it
	}
	if cfg.Creds != "" {
		opts = append(opts, nats.UserCredentials(cfg.Creds))
	}
	conn, err := nats.Connect(cfg.URL, opts...)
	if err != nil {
		return nil, connectError(cfg.URL, err)
	}
	return conn, nil
}

// Crawls lists the crawls that servers have, and says which server answered.
func Crawls(ctx context.Context, cfg Config) (names []string, server string, err error) {
	conn, err := connect(&cfg)
	if err != nil {
		return nil, "", err
	}
	defer conn.Close()
	server = conn.ConnectedServerName() + " " + conn.ConnectedServerVersion()
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(cfg.Timeout))
	if err != nil {
		return nil, server, err
	}
	list := js.StreamNames(ctx, jetstream.WithStreamListSubject("varve.>"))
	for name := range list.Name() {
		if crawl, ok := strings.CutPrefix(name, "varve-"); ok && crawlName.MatchString(crawl) {
			names = append(names, crawl)
		}
	}
	slices.Sort(names)
	return names, server, streamError(list.Err())
}

// youngMost is for how long a cluster is asked that has just been started, and whose servers do not know each other yet.
const youngMost = 20 * time.Second

// isYoung reports whether servers have not found each other yet: they say so, or nobody leads them who could answer.
func isYoung(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout) {
		return true
	}
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == 10005 || api.Code == 503)
}

func (e *Engine) open(ctx context.Context, cfg Config) (err error) {
	if v := e.conn.ConnectedServerVersion(); !newEnough(v) {
		return &varve.Error{
			Kind: varve.Unavailable, Op: "join", Msg: fmt.Sprintf("the NATS server is version %s; %d.%d or later is needed", v, leastMajor, leastMinor),
			Hint: "upgrade the server; a crawl of one process needs none",
		}
	}
	if e.js, err = jetstream.New(e.conn, jetstream.WithDefaultTimeout(cfg.Timeout), jetstream.WithPublishAsyncTimeout(cfg.Timeout)); err != nil {
		return err
	}
	replicas := 1
	if len(e.conn.Servers()) >= 3 {
		replicas = 3
	}
	name := "varve-" + cfg.Crawl
	e.kv, err = e.js.KeyValue(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		e.kv, err = e.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, Replicas: replicas, LimitMarkerTTL: markTTL, Storage: jetstream.FileStorage})
	}
	if err != nil {
		return streamError(err)
	}
	e.stream, err = e.js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		e.stream, err = e.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: name, Subjects: []string{e.subject + ">"}, Replicas: replicas, Storage: jetstream.FileStorage,
			Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardNew, AllowDirect: true, Duplicates: time.Second,
		})
	}
	if err != nil {
		return streamError(err)
	}
	e.objects, err = e.js.ObjectStore(ctx, name)
	if errors.Is(err, jetstream.ErrBucketNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		e.objects, err = e.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: name, Replicas: replicas, Storage: jetstream.FileStorage})
	}
	return streamError(err)
}

// Close ends the connection.
func (e *Engine) Close() { e.conn.Close() }

// Server says which server answers, and its version.
func (e *Engine) Server() string {
	return e.conn.ConnectedServerName() + " " + e.conn.ConnectedServerVersion()
}

// newEnough reports whether a server has what is used here.
func newEnough(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	return err1 == nil && err2 == nil && (major > leastMajor || major == leastMajor && minor >= leastMinor)
}

// connectError says what to do about a connection that did not come about, without the password in the address.
func connectError(url string, err error) error {
	places := strings.Split(url, ",")
	for i, p := range places {
		if at := strings.LastIndexByte(p, '@'); at >= 0 {
			places[i] = p[at+1:]
		}
	}
	out := &varve.Error{Kind: varve.Unavailable, Op: "join " + strings.Join(places, ","), Err: err, Hint: "see that the NATS servers run and can be reached from here"}
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrNkeysNotSupported) {
		out.Kind, out.Hint = varve.Forbidden, "give user and password in the address (nats://user:password@host), or a file with --creds"
	}
	return out
}

// streamError says what to do about a server on which nothing can be kept.
func streamError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount), errors.Is(err, nats.ErrNoResponders):
		return &varve.Error{Kind: varve.Unavailable, Op: "join", Err: err, Hint: "the NATS servers must run with JetStream (-js), for this account too"}
	case errors.Is(err, nats.ErrPermissionViolation):
		return &varve.Error{Kind: varve.Forbidden, Op: "join", Err: err, Hint: "the user needs the right to make and use streams"}
	}
	return &varve.Error{Kind: varve.Unavailable, Op: "join", Err: err}
}

// bound gives a request an end.
func (e *Engine) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, e.timeout)
}

// Get is part of engine.Table.
func (e *Engine) Get(ctx context.Context, key string) (engine.Entry, error) {
	ctx, end := e.bound(ctx)
	defer end()
	got, err := e.kv.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return engine.Entry{}, engine.ErrNotFound
	}
	if err != nil {
		return engine.Entry{}, fmt.Errorf("read %s: %w", key, err)
	}
	return engine.Entry{Key: key, Value: got.Value(), Revision: got.Revision()}, nil
}

// Put is part of engine.Table.
func (e *Engine) Put(ctx context.Context, key string, value []byte, last uint64) (rev uint64, err error) {
	ctx, end := e.bound(ctx)
	defer end()
	if last == 0 {
		rev, err = e.kv.Create(ctx, key, value)
	} else {
		rev, err = e.kv.Update(ctx, key, value, last)
	}
	return rev, writeError(key, err)
}

// Delete is part of engine.Table.
func (e *Engine) Delete(ctx context.Context, key string, last uint64) error {
	ctx, end := e.bound(ctx)
	defer end()
	return writeError(key, e.kv.Purge(ctx, key, jetstream.LastRevision(last), jetstream.PurgeTTL(markTTL)))
}

func writeError(key string, err error) error {
	var api *jetstream.APIError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jetstream.ErrKeyExists):
		return engine.ErrConflict
	case errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant):
		return engine.ErrConflict
	}
	return fmt.Errorf("write %s: %w", key, err)
}

// pattern is the subject of all keys with a prefix.
func pattern(prefix string) string { return prefix + ">" }

// List is part of engine.Table.
func (e *Engine) List(ctx context.Context, prefix string) ([]engine.Entry, error) {
	ctx, end := e.bound(ctx)
	defer end()
	w, err := e.kv.Watch(ctx, pattern(prefix), jetstream.IgnoreDeletes())
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", prefix, err)
	}
	defer w.Stop() //nolint:errcheck // it is over in any case
	var out []engine.Entry
	for {
		select {
		case got, ok := <-w.Updates():
			if !ok {
				return nil, fmt.Errorf("list %s: the connection broke", prefix)
			}
			if got == nil {
				return sorted(out), nil
			}
			out = append(out, engine.Entry{Key: got.Key(), Value: got.Value(), Revision: got.Revision()})
		case <-ctx.Done():
			return nil, fmt.Errorf("list %s: %w", prefix, ctx.Err())
		}
	}
}

// Watch is part of engine.Table.
func (e *Engine) Watch(ctx context.Context, prefix string, each func(engine.Entry)) error {
	w, err := e.kv.Watch(ctx, pattern(prefix))
	if err != nil {
		return fmt.Errorf("watch %s: %w", prefix, err)
	}
	defer w.Stop() //nolint:errcheck // it is over in any case
	for {
		select {
		case got, ok := <-w.Updates():
			switch {
			case !ok:
				return fmt.Errorf("watch %s: the connection broke", prefix)
			case got == nil: // all that was there has been passed
			case got.Operation() == jetstream.KeyValuePut:
				each(engine.Entry{Key: got.Key(), Value: nonNil(got.Value()), Revision: got.Revision()})
			default:
				each(engine.Entry{Key: got.Key(), Revision: got.Revision()})
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func nonNil(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// Append is part of engine.Log.
func (e *Engine) Append(ctx context.Context, messages ...engine.Message) (last uint64, err error) {
	ctx, end := e.bound(ctx)
	defer end()
	if len(messages) == 1 {
		ack, err := e.js.Publish(ctx, e.subject+messages[0].Subject, messages[0].Data, jetstream.WithExpectStream(e.stream.CachedInfo().Config.Name))
		if err != nil {
			return 0, fmt.Errorf("append to %s: %w", messages[0].Subject, err)
		}
		return ack.Sequence, nil
	}
	futures := make([]jetstream.PubAckFuture, 0, len(messages))
	for _, m := range messages {
		f, err := e.js.PublishAsync(e.subject+m.Subject, m.Data)
		if err != nil {
			return 0, fmt.Errorf("append to %s: %w", m.Subject, err)
		}
		futures = append(futures, f)
	}
	for i, f := range futures {
		select {
		case ack := <-f.Ok():
			last = max(last, ack.Sequence)
		case err := <-f.Err():
			return 0, fmt.Errorf("append to %s: %w", messages[i].Subject, err)
		case <-ctx.Done():
			return 0, fmt.Errorf("append to %s: %w", messages[i].Subject, ctx.Err())
		}
	}
	return last, nil
}

// Last is part of engine.Log.
func (e *Engine) Last(ctx context.Context) (uint64, error) {
	ctx, end := e.bound(ctx)
	defer end()
	info, err := e.stream.Info(ctx)
	if err != nil {
		return 0, fmt.Errorf("end of the log: %w", err)
	}
	return info.State.LastSeq, nil
}

// consumer makes a reader of subjects behind a place.
func (e *Engine) consumer(ctx context.Context, subjects []string, after uint64) (jetstream.Consumer, error) {
	bounded, end := e.bound(ctx)
	defer end()
	full := make([]string, len(subjects))
	for i, s := range subjects {
		full[i] = e.subject + s
	}
	c, err := e.stream.OrderedConsumer(bounded, jetstream.OrderedConsumerConfig{
		FilterSubjects: full, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: after + 1, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	return c, nil
}

// Follow is part of engine.Log.
func (e *Engine) Follow(ctx context.Context, subjects []string, after uint64, each func(engine.Message) error) error {
	if len(subjects) == 0 {
		<-ctx.Done()
		return ctx.Err()
	}
	c, err := e.consumer(ctx, subjects, after)
	if err != nil {
		return err
	}
	return e.pass(ctx, c, func(m engine.Message, left uint64) (bool, error) {
		m.Left = int64(left)
		return true, each(m)
	})
}

// Read is part of engine.Log.
func (e *Engine) Read(ctx context.Context, subjects []string, after, upTo uint64, each func(engine.Message) error) error {
	if len(subjects) == 0 || after >= upTo {
		return nil
	}
	c, err := e.consumer(ctx, subjects, after)
	if err != nil {
		return err
	}
	bounded, end := e.bound(ctx)
	info, err := c.Info(bounded)
	end()
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	if info.NumPending == 0 {
		return nil
	}
	return e.pass(ctx, c, func(m engine.Message, left uint64) (bool, error) {
		if m.Seq > upTo {
			return false, nil
		}
		return left > 0 && m.Seq < upTo, each(m)
	})
}

// pass passes messages until each is done with them.
func (e *Engine) pass(ctx context.Context, c jetstream.Consumer, each func(m engine.Message, left uint64) (bool, error)) error {
	it, err := c.Messages(jetstream.PullMaxMessages(512))
	if err != nil {
		return fmt.Errorf("read the log: %w", err)
	}
	defer it.Stop()
	for {
		got, err := it.Next(jetstream.NextContext(ctx))
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("read the log: %w", err)
		}
		meta, err := got.Metadata()
		if err != nil {
			return fmt.Errorf("read the log: %w", err)
		}
		more, err := each(engine.Message{Subject: strings.TrimPrefix(got.Subject(), e.subject), Data: got.Data(), Seq: meta.Sequence.Stream}, meta.NumPending)
		if err != nil || !more {
			return err
		}
	}
}

// Trim is part of engine.Log.
func (e *Engine) Trim(ctx context.Context, subject string, upTo uint64) error {
	ctx, end := e.bound(ctx)
	defer end()
	if err := e.stream.Purge(ctx, jetstream.WithPurgeSubject(e.subject+subject), jetstream.WithPurgeSequence(upTo+1)); err != nil {
		return fmt.Errorf("trim %s: %w", subject, err)
	}
	return nil
}

// Store is part of engine.Shelf.
func (e *Engine) Store(ctx context.Context, name string, r io.Reader) error {
	if _, err := e.objects.Put(ctx, jetstream.ObjectMeta{Name: name}, r); err != nil {
		return fmt.Errorf("store %s: %w", name, err)
	}
	return nil
}

// Fetch is part of engine.Shelf. Behind three servers an object that was just stored may be read from one that does not have all of it
// yet: it is not found there, or ends early. So it is read to its end before anything of it is used, and asked for again.
func (e *Engine) Fetch(ctx context.Context, name string) (io.ReadCloser, error) {
	r, err := whole(ctx, func() (io.ReadCloser, error) { return e.objects.Get(ctx, name) }, pause)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil, engine.ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", name, err)
	}
	return r, nil
}

// How often an object is asked for that came cut, or was not found; before the n-th time 50 ms * 2^n go by, 6 s and 0.1 s in all.
const (
	cutTries     = 7
	missingTries = 2
)

// whole reads an object to its end, into a file that goes away when it is closed; get begins to read it.
func whole(ctx context.Context, get func() (io.ReadCloser, error), pause func(ctx context.Context, n int) error) (_ io.ReadCloser, err error) {
	f, err := os.CreateTemp("", "varve-object-*")
	if err != nil {
		return nil, err
	}
	file := &unnamed{f}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	for n := 0; ; n++ {
		err := copyAll(f, get)
		switch {
		case err == nil:
			_, err = f.Seek(0, io.SeekStart)
			return file, err
		case errors.Is(err, jetstream.ErrDigestMismatch) && n < cutTries, errors.Is(err, jetstream.ErrObjectNotFound) && n < missingTries:
		default:
			return nil, err
		}
		if err := pause(ctx, n); err != nil {
			return nil, err
		}
	}
}

func copyAll(f *os.File, get func() (io.ReadCloser, error)) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r, err := get()
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, r.Close())
}

func pause(ctx context.Context, n int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(50 * time.Millisecond << n):
		return nil
	}
}

// unnamed is a file that nobody needs when it is closed.
type unnamed struct{ *os.File }

// Close removes the file.
func (f *unnamed) Close() error { return errors.Join(f.File.Close(), os.Remove(f.Name())) }

// Remove is part of engine.Shelf.
func (e *Engine) Remove(ctx context.Context, name string) error {
	ctx, end := e.bound(ctx)
	defer end()
	if err := e.objects.Delete(ctx, name); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	return nil
}

func sorted(list []engine.Entry) []engine.Entry {
	slices.SortFunc(list, func(a, b engine.Entry) int { return strings.Compare(a.Key, b.Key) })
	return list
}
