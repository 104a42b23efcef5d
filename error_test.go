package varve_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"varve"
)

func TestErrorMapsOnce(t *testing.T) {
	base := &varve.Error{Kind: varve.NotFound, Op: "open collection x", Msg: "no such collection", Hint: "varve crawl makes one", Err: fs.ErrNotExist}
	err := fmt.Errorf("replay: %w", base)
	if got := err.Error(); got != "replay: open collection x: no such collection: file does not exist" {
		t.Errorf("text %q", got)
	}
	if varve.KindOf(err) != varve.NotFound || varve.HTTPStatus(err) != 404 || varve.HintOf(err) == "" || !errors.Is(err, fs.ErrNotExist) {
		t.Error("kind, status, hint or cause is lost in wrapping")
	}
	if varve.KindOf(errors.New("x")) != varve.Internal || varve.HTTPStatus(errors.New("x")) != 500 {
		t.Error("an unknown error is internal")
	}
	for err, want := range map[error]int{nil: 0, varve.ErrFindings: 1, base: 2} {
		if got := varve.ExitCode(err); got != want {
			t.Errorf("exit code of %v: %d, want %d", err, got, want)
		}
	}
}

func TestSpan(t *testing.T) {
	at := func(h int) time.Time { return time.Date(2026, 1, 1, h, 0, 0, 0, time.UTC) }
	s := varve.Span{From: at(2), To: at(4)}
	open := varve.Span{From: at(3)}
	if s.Contains(at(1)) || !s.Contains(at(2)) || s.Contains(at(4)) || !open.Contains(at(23)) {
		t.Error("a span is half open")
	}
	if !s.Intersects(open) || !open.Intersects(s) || s.Intersects(varve.Span{From: at(4)}) || s.Intersects(varve.Span{From: at(0), To: at(2)}) {
		t.Error("spans that only touch do not intersect")
	}
}
