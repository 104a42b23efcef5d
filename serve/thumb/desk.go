package thumb

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"varve"
	"varve/crawl/collect"
	"varve/serve/access"
)

// Browser draws pages; *browser.Collector is one that keeps a screenshot.
type Browser interface {
	collect.Collector
	io.Closer
}

// Config says what thumbnails are made of. Archive, Dir, Sees and Start are needed.
type Config struct {
	Archive Archive
	Dir     func(collection string) (string, error) // where the thumbnails of a collection are kept
	Start   func() (Browser, error)                 // called when the first picture is wanted, and after a rest

	// Sees tells whether the visitor of a context may see captures.
	Sees func(ctx context.Context, collection string, parts ...Part) (bool, error)

	// Taken gives the picture that the crawl took of a capture, and Whole tells whether the visitor of a context may see
	// all of a collection: nobody knows what stands in such a picture. Both nil: all are drawn.
	Taken func(ctx context.Context, collection, url string, at time.Time) ([]byte, error)
	Whole func(ctx context.Context, collection string) (bool, error)

	Waiting    int             // pictures wanted at a time; 64
	Most       int64           // bytes of the thumbnails of a collection; 256 MiB
	Idle       time.Duration   // without a wish, after which the browser ends; a minute
	Background context.Context // of drawing, which goes on when who asked has left
	Log        *slog.Logger    // nil: silent
}

// Desk makes thumbnails and keeps them.
type Desk struct {
	cfg  Config
	turn chan struct{} // whose turn it is to draw

	mu      sync.Mutex
	under   map[string]*wish // by collection and name
	failed  map[string]error // pages that could not be drawn: not tried again until the server starts anew
	sizes   map[string]int64 // bytes of a folder, as far as known
	browser Browser          // nil: none runs
	rest    *time.Timer      // ends the browser

	work sync.WaitGroup
}

// wish is a picture that is being made.
type wish struct {
	done chan struct{}
	err  error
}

// New makes a desk. Nothing is started yet.
func New(cfg Config) *Desk {
	if cfg.Waiting == 0 {
		cfg.Waiting = 64
	}
	if cfg.Most == 0 {
		cfg.Most = 256 << 20
	}
	if cfg.Idle == 0 {
		cfg.Idle = time.Minute
	}
	if cfg.Background == nil {
		cfg.Background = context.Background()
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Desk{cfg: cfg, turn: make(chan struct{}, 1), under: map[string]*wish{}, failed: map[string]error{}, sizes: map[string]int64{}}
}

// maxFailed bounds the pages that are known not to be drawn.
const maxFailed = 4096

// Picture gives the thumbnail of a capture as a JPEG. The error is NotFound where there is none for who asks, whatever
// the reason, and Unavailable where too many are wanted.
func (d *Desk) Picture(ctx context.Context, collection, url string, at time.Time) ([]byte, error) {
	none := &varve.Error{Kind: varve.NotFound, Op: "show a picture of " + url, Msg: "there is none"}
	if ok, err := d.cfg.Sees(ctx, collection, Part{url, at}); err != nil || !ok {
		return nil, errors.Join(none, err)
	}
	dir, err := d.cfg.Dir(collection)
	if err != nil {
		return nil, err
	}
	file, m, err := load(dir, url, at)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			d.cfg.Log.Info("thumbnail is drawn again", "url", url, "cause", err)
		}
		if err := d.wait(ctx, collection, dir, url, at); err != nil {
			if varve.KindOf(err) == varve.Unavailable || ctx.Err() != nil {
				return nil, err
			}
			return nil, none
		}
		if file, m, err = load(dir, url, at); err != nil {
			return nil, none
		}
	}
	ok, err := d.cfg.Sees(ctx, collection, m.Parts...)
	if err == nil && ok && m.Taken {
		ok, err = d.cfg.Whole(ctx, collection)
	}
	if err != nil || !ok {
		return nil, errors.Join(none, err)
	}
	return file, nil
}

// wait waits until a picture is made, by whoever asked first.
func (d *Desk) wait(ctx context.Context, collection, dir, url string, at time.Time) error {
	key := collection + "/" + name(url, at)
	d.mu.Lock()
	if err := d.failed[key]; err != nil {
		d.mu.Unlock()
		return err
	}
	w := d.under[key]
	if w == nil {
		if len(d.under) >= d.cfg.Waiting || d.cfg.Background.Err() != nil {
			d.mu.Unlock()
			return &varve.Error{Kind: varve.Unavailable, Op: "draw " + url, Msg: "many pictures are being drawn", Hint: "ask again in a few seconds"}
		}
		w = &wish{done: make(chan struct{})}
		d.under[key] = w
		d.work.Go(func() {
			w.err = d.draw(collection, dir, url, at)
			d.mu.Lock()
			delete(d.under, key)
			if w.err != nil && d.cfg.Background.Err() == nil {
				d.cfg.Log.Info("no thumbnail", "collection", collection, "url", url, "cause", w.err)
				if len(d.failed) >= maxFailed {
					clear(d.failed)
				}
				d.failed[key] = w.err
			}
			d.mu.Unlock()
			close(w.done)
		})
	}
	d.mu.Unlock()
	select {
	case <-w.done:
		return w.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// draw makes the picture of a capture when its turn comes.
func (d *Desk) draw(collection, dir, url string, at time.Time) error {
	select {
	case d.turn <- struct{}{}:
	case <-d.cfg.Background.Done():
		return context.Cause(d.cfg.Background)
	}
	defer func() { <-d.turn }()
	// Who asked may see more than others; the picture shows what everybody may.
	ctx := access.With(d.cfg.Background, access.Visitor{Role: access.Viewer})
	if d.cfg.Taken != nil {
		if ok, err := d.cfg.Whole(ctx, collection); err == nil && ok {
			if shot, err := d.cfg.Taken(ctx, collection, url, at); err == nil {
				return d.keep(dir, shot, made{Part: Part{url, at.UTC()}, Taken: true})
			}
		}
	}
	b, err := d.start()
	if err != nil {
		return err
	}
	defer d.stop()
	net := &then{archive: d.cfg.Archive, collection: collection, at: at}
	res, err := b.Collect(ctx, &collect.Answer{URL: url, Status: http.StatusOK, MIME: "text/html", Date: at}, net)
	if res == nil {
		return err
	}
	for _, r := range res.Resources {
		if r.ContentType != "image/png" {
			continue
		}
		shot, err := io.ReadAll(io.NewSectionReader(r.Body, 0, min(r.Body.Size(), maxShot)))
		if err != nil {
			return err
		}
		m := made{Part: Part{url, at.UTC()}}
		if !net.into(&m) {
			return errors.New("what everybody may see of it is another capture")
		}
		return d.keep(dir, shot, m)
	}
	return errors.Join(errors.New("the browser made no picture"), err)
}

// keep reduces a picture and writes it down with what stands in it.
func (d *Desk) keep(dir string, shot []byte, m made) error {
	img, err := reduce(shot)
	if err != nil {
		return err
	}
	file, err := encode(img, m)
	if err != nil {
		return err
	}
	if err := store(dir, m.URL, m.Time, file); err != nil {
		return err
	}
	return d.account(dir, int64(len(file)))
}

// maxShot bounds the picture that the browser gives.
const maxShot = 32 << 20

// account holds the folder below its bound. Only one draws at a time, so only one counts.
func (d *Desk) account(dir string, more int64) error {
	d.mu.Lock()
	size, known := d.sizes[dir]
	d.mu.Unlock()
	size += more
	if !known || size > d.cfg.Most {
		var err error
		if size, err = tidy(dir, d.cfg.Most); err != nil {
			return err
		}
	}
	d.mu.Lock()
	d.sizes[dir] = size
	d.mu.Unlock()
	return nil
}

// start gives the browser that runs, or starts one.
func (d *Desk) start() (Browser, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.rest != nil {
		d.rest.Stop()
	}
	if d.browser == nil {
		b, err := d.cfg.Start()
		if err != nil {
			return nil, err
		}
		d.browser = b
	}
	return d.browser, nil
}

// stop lets the browser end if nothing is wanted for a while.
func (d *Desk) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rest = time.AfterFunc(d.cfg.Idle, func() {
		select {
		case d.turn <- struct{}{}: // nobody draws
			d.end()
			<-d.turn
		default:
		}
	})
}

// end closes the browser.
func (d *Desk) end() {
	d.mu.Lock()
	b := d.browser
	d.browser = nil
	d.mu.Unlock()
	if b != nil {
		if err := b.Close(); err != nil {
			d.cfg.Log.Info("the browser of thumbnails did not end well", "cause", err)
		}
	}
}

// Close waits for pictures under way, whose Background must have ended, and ends the browser.
func (d *Desk) Close() {
	d.work.Wait()
	d.mu.Lock()
	if d.rest != nil {
		d.rest.Stop()
	}
	d.mu.Unlock()
	d.turn <- struct{}{} // a browser that is just being ended has ended
	d.end()
	<-d.turn
}
