package nats

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/nats-io/nats.go/jetstream"
)

// An object that is read from a server that has not got all of it yet comes cut, with a wrong digest, or not at all: it is asked for again, and nothing of
// what was cut is used. What is wrong for good is told, and no file stays.
func TestWhole(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	cut := errors.Join(jetstream.ErrDigestMismatch)
	for _, c := range []struct {
		name  string
		errs  []error // of the first attempts
		tries int
		want  error
	}{
		{"at once", nil, 1, nil},
		{"cut twice", []error{cut, cut}, 3, nil},
		{"not there, then cut", []error{jetstream.ErrObjectNotFound, cut}, 3, nil},
		{"not there", []error{jetstream.ErrObjectNotFound, jetstream.ErrObjectNotFound, jetstream.ErrObjectNotFound, nil}, missingTries + 1, jetstream.ErrObjectNotFound},
		{"cut for good", []error{cut, cut, cut, cut, cut, cut, cut, cut, cut, cut}, cutTries + 1, jetstream.ErrDigestMismatch},
		{"no connection", []error{io.ErrClosedPipe}, 1, io.ErrClosedPipe},
	} {
		t.Run(c.name, func(t *testing.T) {
			tries := 0
			get := func() (io.ReadCloser, error) {
				tries++
				if tries > len(c.errs) {
					return io.NopCloser(strings.NewReader("all of it")), nil
				}
				err := c.errs[tries-1]
				if errors.Is(err, jetstream.ErrDigestMismatch) {
					return io.NopCloser(io.MultiReader(strings.NewReader("all of it, or more"), iotest.ErrReader(err))), nil
				}
				return nil, err
			}
			r, err := whole(t.Context(), get, func(ctx context.Context, n int) error { return ctx.Err() })
			if !errors.Is(err, c.want) || c.want == nil && err != nil || tries != c.tries {
				t.Fatalf("%v after %d tries, want %v after %d", err, tries, c.want, c.tries)
			}
			if err == nil {
				if b, err := io.ReadAll(r); string(b) != "all of it" || err != nil {
					t.Errorf("%q, %v", b, err)
				}
				if err := r.Close(); err != nil {
					t.Error(err)
				}
			}
			if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
				t.Errorf("files stay: %v, %v", left, err)
			}
		})
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if _, err := whole(ctx, func() (io.ReadCloser, error) { return nil, jetstream.ErrObjectNotFound }, pause); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
