package cli

import (
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"varve/archive/catalog"
	"varve/crawl"
	"varve/crawl/control"
)

// serveControl serves the control interface of a run on its socket until the function is called.
// A socket address is short by nature, so it is bound by a relative path where that is shorter.
func serveControl(run *crawl.Run, col *catalog.Collection) (func() error, error) {
	nothing := func() error { return nil }
	dir, err := col.CrawlDir(run.ID)
	if err != nil {
		return nothing, err
	}
	path := filepath.Join(dir, "control.sock")
	_ = os.Remove(path) // of a run that was killed; the collection's lock is ours
	l, err := net.Listen("unix", path)
	if err != nil && len(path) > 100 {
		return nothing, nil // longer than a socket address can be: the crawl runs without it
	}
	if err != nil {
		return nothing, err
	}
	s := &http.Server{Handler: control.Of(run).Handler(), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	return func() error {
		err := s.Close()
		if e := <-ended; !errors.Is(e, http.ErrServerClosed) {
			err = errors.Join(err, e)
		}
		return err
	}, nil
}
