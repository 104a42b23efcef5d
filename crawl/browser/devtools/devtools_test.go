package devtools_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"go.uber.org/goleak"

	"varve/crawl/browser/devtools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pair gives a connection, what its browser reads, and what the browser writes to.
func pair(t testing.TB, limit int) (*devtools.Conn, *bufio.Reader, *io.PipeWriter) {
	theirR, ourW := io.Pipe()
	ourR, theirW := io.Pipe()
	c := devtools.New(ourR, ourW, limit)
	t.Cleanup(func() {
		theirW.Close()
		theirR.Close()
		c.Close()
	})
	return c, bufio.NewReader(theirR), theirW
}

// read gives the next command that the browser gets.
func read(t testing.TB, br *bufio.Reader) map[string]any {
	t.Helper()
	b, err := br.ReadBytes(0)
	if err != nil {
		t.Error(err)
		return nil
	}
	var m map[string]any
	if err := json.Unmarshal(b[:len(b)-1], &m); err != nil {
		t.Error(err)
	}
	return m
}

func TestCalls(t *testing.T) {
	c, br, w := pair(t, 1000)
	var events atomic.Int32
	c.Root().Handle(func(method string, params []byte) {
		if method == "Page.loadEventFired" && string(params) == `{"timestamp":1}` {
			events.Add(1)
		}
	})
	go func() {
		read(t, br)
		io.WriteString(w, `{"method":"Page.loadEventFired","params":{"timestamp":1}}`+"\x00not json\x00"+`{"id":1,"result":{"product":"Chrome/1"}}`+"\x00")
		read(t, br)
		io.WriteString(w, `{"id":2,"error":{"code":-3,"message":"no such thing","data":"x"}}`+"\x00")
		read(t, br)
		io.WriteString(w, `{"id":3,"result":{"product":"`+strings.Repeat("x", 200_000)+`"}}`+"\x00")
		m := read(t, br)
		if m["sessionId"] != "S" || m["method"] != "Page.navigate" {
			t.Errorf("command %v", m)
		}
		io.WriteString(w, `{"id":4,"sessionId":"S","result":{"frameId":"F"}}`+"\x00")
	}()
	ctx := t.Context()
	v, err := devtools.Call(ctx, c.Root(), browser.GetVersion, cdp.Empty{})
	if err != nil || v.Product != "Chrome/1" || events.Load() != 1 {
		t.Errorf("%+v %v, %d events", v, err, events.Load())
	}
	_, err = devtools.Call(ctx, c.Root(), browser.GetVersion, cdp.Empty{})
	var said *devtools.Error
	if !errors.As(err, &said) || said.Code != -3 || !strings.Contains(err.Error(), "Browser.getVersion: no such thing (x)") {
		t.Errorf("error %v", err)
	}
	if _, err = devtools.Call(ctx, c.Root(), browser.GetVersion, cdp.Empty{}); !errors.Is(err, devtools.ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	s := c.Attach("S", func(string, []byte) {})
	defer s.Detach()
	if r, err := devtools.Call(ctx, s, page.Navigate, page.NavigateParams{URL: "http://a.test/"}); err != nil || r.FrameID != "F" {
		t.Errorf("%+v %v", r, err)
	}
}

// A caller who gives up, and a browser that goes, end the wait.
func TestEnds(t *testing.T) {
	c, br, w := pair(t, 1000)
	go func() {
		read(t, br)
		read(t, br)
		w.Close()
	}()
	short, cancel := context.WithTimeoutCause(t.Context(), 20*time.Millisecond, errors.New("too long"))
	defer cancel()
	if _, err := devtools.Call(short, c.Root(), browser.GetVersion, cdp.Empty{}); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("given up: %v", err)
	}
	if _, err := devtools.Call(t.Context(), c.Root(), browser.GetVersion, cdp.Empty{}); !errors.Is(err, devtools.ErrClosed) {
		t.Errorf("gone: %v", err)
	}
	<-c.Done()
	if err := devtools.Send(c.Root(), browser.GetVersion, cdp.Empty{}); !errors.Is(err, devtools.ErrClosed) {
		t.Errorf("sent to one who is gone: %v", err)
	}
}

// Whatever a browser writes, the connection lives and answers the one that waits.
func FuzzMessages(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":{}}`))
	f.Add([]byte("\x00\x00{\"id\":"))
	f.Add([]byte(`{"method":"Target.attachedToTarget","params":[1,2` + "\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, theirW := io.Pipe()
		theirR, w := io.Pipe()
		c := devtools.New(r, w, 4096)
		c.Root().Handle(func(string, []byte) {})
		go func() {
			bufio.NewReader(theirR).ReadBytes(0)
			theirW.Write(b)
			io.WriteString(theirW, "\x00"+`{"id":1,"result":{"product":"end"}}`+"\x00")
		}()
		devtools.Call(t.Context(), c.Root(), browser.GetVersion, cdp.Empty{})
		theirR.Close()
		c.Close()
	})
}
