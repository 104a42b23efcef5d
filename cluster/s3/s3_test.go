package s3_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"varve"
	"varve/archive/store"
	"varve/archive/store/storetest"
	"varve/cluster/s3"
	"varve/lab/s3server"
)

const (
	partSize = 5 << 20
	large    = 2*partSize + 1234 // three parts
)

// open makes a store at an endpoint, below a prefix of its own.
func open(t testing.TB, endpoint, prefix string, change func(*s3.Config)) *s3.Store {
	t.Helper()
	cfg := s3.Config{
		Endpoint: endpoint, Region: s3server.Region, Bucket: s3server.Bucket, Prefix: prefix,
		AccessKey: s3server.AccessKey, SecretKey: s3server.SecretKey, PartSize: partSize, Attempts: 3, Timeout: 20 * time.Second,
	}
	if change != nil {
		change(&cfg)
	}
	s, err := s3.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestStore(t *testing.T) {
	server := s3server.Start(t)
	storetest.Run(t, large, func(t *testing.T) store.Store {
		return open(t, server.Endpoint, strings.ReplaceAll(t.Name(), "/", "-"), nil)
	})
	t.Run("cached", func(t *testing.T) {
		storetest.Run(t, large, func(t *testing.T) store.Store {
			s := open(t, server.Endpoint, strings.ReplaceAll(t.Name(), "/", "-"), nil)
			return store.NewCached(s, store.CacheConfig{Memory: 4 << 20, Dir: t.TempDir(), Disk: 8 << 20})
		})
	})
	t.Run("probe", func(t *testing.T) {
		s := open(t, server.Endpoint, "probe", nil)
		if err := s.Probe(t.Context()); err != nil {
			t.Error(err)
		}
		if keys := storetest.Keys(t, s, ""); len(keys) > 0 {
			t.Errorf("the probe left %v", keys)
		}
	})
}

// The server stops in the middle of an upload: nothing is there; when it is back, the upload goes on with the part that was not sent.
func TestServerStopsDuringUpload(t *testing.T) {
	server := s3server.Start(t)
	proxy := s3server.Before(t, server)
	s := open(t, proxy.Endpoint, "p", func(c *s3.Config) { c.Attempts = 1 })
	content := storetest.Bytes(1, large)
	info := storetest.Info("x", content)
	proxy.Break(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("partNumber") == "3" {
			server.Stop()
		}
		return false
	})
	err := s.Put(t.Context(), info, bytes.NewReader(content))
	if varve.KindOf(err) != varve.Unavailable {
		t.Fatalf("put while the server stops: %v", err)
	}
	proxy.Break(nil)
	server.Run(t)
	storetest.Absent(t, s, "x")
	proxy.Seen()
	storetest.Put(t, s, "x", content)
	sent := 0
	for _, r := range proxy.Seen() {
		if strings.Contains(r, "partNumber=") && strings.HasPrefix(r, "PUT") {
			sent++
		}
	}
	if sent != 1 {
		t.Errorf("%d parts were sent again, want 1", sent)
	}
	if !bytes.Equal(storetest.Read(t, s, "x"), content) {
		t.Error("other bytes came back")
	}
	if n := server.Uploads(t); n != 0 {
		t.Errorf("%d uploads are left", n)
	}
}

// An upload that is torn on its way: the server takes nothing of it, and it is sent again.
func TestTornUpload(t *testing.T) {
	server := s3server.Start(t)
	proxy := s3server.Before(t, server)
	s := open(t, proxy.Endpoint, "p", nil)
	for name, size := range map[string]int{"small": 300_000, "parts": large} {
		content := storetest.Bytes(2, size)
		var torn atomic.Int32
		proxy.Break(func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPut || torn.Add(1) > 1 {
				return false
			}
			_, _ = io.CopyN(io.Discard, r.Body, 1000)
			panic(http.ErrAbortHandler)
		})
		storetest.Put(t, s, name, content)
		if torn.Load() < 2 {
			t.Errorf("%s: it was not sent again", name)
		}
		if !bytes.Equal(storetest.Read(t, s, name), content) {
			t.Errorf("%s: other bytes came back", name)
		}
	}
	// A body that is changed on its way is refused by the server.
	proxy.Break(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut {
			return false
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		body[7] ^= 1
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.Pass(w, r, nil)
		return true
	})
	content := storetest.Bytes(3, 5000)
	if err := s.Put(t.Context(), storetest.Info("changed", content), bytes.NewReader(content)); !errors.Is(err, store.ErrDigest) {
		t.Errorf("bytes that changed on their way: %v", err)
	}
	proxy.Break(nil)
	storetest.Absent(t, s, "changed")
}

// An answer to a range that breaks off, or is of another range, is asked for again and never taken; one that stays short is an error.
func TestTruncatedRange(t *testing.T) {
	server := s3server.Start(t)
	proxy := s3server.Before(t, server)
	s := open(t, proxy.Endpoint, "p", nil)
	content := storetest.Bytes(4, 2<<20)
	storetest.Put(t, s, "x", content)
	o, err := s.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	for _, lie := range []struct {
		name   string
		change func(*http.Response)
	}{
		{"cut", func(a *http.Response) { a.Body = io.NopCloser(io.LimitReader(a.Body, 1000)) }},
		{"short, and says so", func(a *http.Response) {
			a.Body = io.NopCloser(io.LimitReader(a.Body, 1000))
			a.Header.Set("Content-Length", "1000")
		}},
		{"another range", func(a *http.Response) { a.Header.Set("Content-Range", "bytes 0-99999/2097152") }},
		{"everything", func(a *http.Response) { a.Header.Del("Content-Range") }},
	} {
		for _, always := range []bool{false, true} {
			var lies atomic.Int32
			proxy.Break(func(w http.ResponseWriter, r *http.Request) bool {
				if r.Method != http.MethodGet || lies.Add(1) > 1 && !always {
					return false
				}
				proxy.Pass(w, r, lie.change)
				return true
			})
			b := make([]byte, 100_000)
			n, err := o.ReadAt(b, 500_000)
			switch {
			case always && (err == nil || n != 0):
				t.Errorf("%s, always: %d bytes, %v", lie.name, n, err)
			case !always && (err != nil || !bytes.Equal(b, content[500_000:600_000])):
				t.Errorf("%s, once: %d bytes, %v", lie.name, n, err)
			}
		}
	}
}

// A server that does not answer in time is an error that says so.
func TestSlowServer(t *testing.T) {
	server := s3server.Start(t)
	proxy := s3server.Before(t, server)
	s := open(t, proxy.Endpoint, "p", func(c *s3.Config) { c.Timeout, c.Attempts = 200*time.Millisecond, 2 })
	release := make(chan struct{})
	proxy.Break(func(http.ResponseWriter, *http.Request) bool {
		<-release
		panic(http.ErrAbortHandler)
	})
	_, err := s.Stat(t.Context(), "x")
	close(release)
	if varve.KindOf(err) != varve.Unavailable || varve.HintOf(err) == "" {
		t.Errorf("a server that does not answer: %v", err)
	}
}

// An object that becomes another one while it is read is an error, never a mixture.
func TestObjectIsReplacedBySomebody(t *testing.T) {
	server := s3server.Start(t)
	s := open(t, server.Endpoint, "p", nil)
	storetest.Put(t, s, "x", storetest.Bytes(5, 4000))
	o, err := s.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	storetest.Put(t, s, "x", storetest.Bytes(6, 4000))
	if n, err := o.ReadAt(make([]byte, 100), 0); err == nil || n != 0 {
		t.Errorf("%d bytes of another object", n)
	}
}

// Uploads that nobody resumes are removed, those of today stay.
func TestSweep(t *testing.T) {
	server := s3server.Start(t)
	proxy := s3server.Before(t, server)
	s := open(t, proxy.Endpoint, "p", func(c *s3.Config) { c.Attempts = 1 })
	proxy.Break(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("partNumber") == "2" {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	content := storetest.Bytes(7, large)
	if err := s.Put(t.Context(), storetest.Info("x", content), bytes.NewReader(content)); err == nil {
		t.Fatal("it was not broken")
	}
	proxy.Break(nil)
	for _, step := range []struct {
		before      time.Time
		swept, left int
	}{{time.Now().Add(-time.Hour), 0, 1}, {time.Now().Add(time.Hour), 1, 0}} {
		n, err := s.Sweep(t.Context(), step.before)
		if left := server.Uploads(t); err != nil || n != step.swept || left != step.left {
			t.Errorf("swept %d, left %d, %v; want %d, %d", n, left, err, step.swept, step.left)
		}
	}
	storetest.Put(t, s, "x", content)
}

// What a person must see to is told in plain words, with a hint, and never with the keys.
func TestErrors(t *testing.T) {
	server := s3server.Start(t)
	proxy := s3server.Before(t, server)
	put := func(s *s3.Store) error {
		return s.Put(context.Background(), storetest.Info("x", []byte("x")), strings.NewReader("x"))
	}
	for _, c := range []struct {
		name   string
		change func(*s3.Config)
		fault  s3server.Fault
		kind   varve.Kind
		words  string
	}{
		{"wrong secret", func(c *s3.Config) { c.SecretKey = "wrong-" + c.SecretKey }, nil, varve.Forbidden, "does not take the keys"},
		{"unknown key", func(c *s3.Config) { c.AccessKey = "nobody" }, nil, varve.Forbidden, "does not take the keys"},
		{"no bucket", func(c *s3.Config) { c.Bucket = "nothing-here" }, nil, varve.NotFound, "no bucket nothing-here"},
		{"wrong region", func(c *s3.Config) { c.Region = "mars-north-1" }, nil, varve.Invalid, "region"},
		{"no server", func(c *s3.Config) { c.Endpoint, c.Attempts = "http://127.0.0.1:1", 1 }, nil, varve.Unavailable, "does not answer"},
		{"not tls", func(c *s3.Config) { c.Endpoint = strings.Replace(c.Endpoint, "http:", "https:", 1) }, nil, varve.Invalid, "speaks http"},
		{"full", nil, onPut(s3server.Answer(507, "QuotaExceeded")), varve.Unavailable, "full"},
		{"full, minio", nil, onPut(s3server.Answer(400, "XMinioAdminBucketQuotaExceeded")), varve.Unavailable, "full"},
		{"clock", nil, onPut(s3server.Answer(403, "RequestTimeTooSkewed")), varve.Unavailable, "clock"},
		{"denied", nil, onPut(s3server.Answer(403, "AccessDenied")), varve.Forbidden, "may not"},
		{"other version", nil, onPut(s3server.Answer(501, "NotImplemented")), varve.Unavailable, "cannot do"},
		{"web server", nil, func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = io.WriteString(w, "<html><title>Welcome</title>")
			return true
		}, varve.Unavailable, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			proxy.Break(c.fault)
			err := put(open(t, proxy.Endpoint, "e", c.change))
			if err == nil || c.words != "" && (varve.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.words) || varve.HintOf(err) == "") {
				t.Errorf("%s: %v\nhint: %s", varve.KindOf(err), err, varve.HintOf(err))
			}
			if err != nil && strings.Contains(err.Error(), s3server.SecretKey) {
				t.Error("the secret is told")
			}
		})
	}
	proxy.Break(nil)
}

// onPut breaks what writes.
func onPut(f s3server.Fault) s3server.Fault {
	return func(w http.ResponseWriter, r *http.Request) bool { return r.Method == http.MethodPut && f(w, r) }
}

// A server that stores anything under a wrong digest, or replaces, is found out before it is trusted.
func TestProbeFindsOut(t *testing.T) {
	server := s3server.Start(t)
	proxy := s3server.Before(t, server)
	for _, c := range []struct {
		honest int32 // puts that the server answers itself
		words  string
	}{{0, "wrong digest"}, {1, "replaces"}} {
		var puts atomic.Int32
		proxy.Break(func(w http.ResponseWriter, r *http.Request) bool {
			if r.Method != http.MethodPut || puts.Add(1) <= c.honest {
				return false
			}
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("ETag", `"x"`)
			return true
		})
		if err := open(t, proxy.Endpoint, "p", nil).Probe(t.Context()); err == nil || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%v, want %q", err, c.words)
		}
		proxy.Break(nil)
	}
}

// While the server does not answer, the second reader is told at once; when it is back, it is asked again.
func TestReadersDoNotQueueForADeadServer(t *testing.T) {
	server := s3server.Start(t)
	proxy := s3server.Before(t, server)
	s := open(t, proxy.Endpoint, "p", nil)
	storetest.Put(t, s, "x", []byte("x"))
	proxy.Break(func(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) })
	if _, err := s.Open(t.Context(), "x"); varve.KindOf(err) != varve.Unavailable {
		t.Fatal(err)
	}
	proxy.Seen()
	if _, err := s.Open(t.Context(), "x"); varve.KindOf(err) != varve.Unavailable {
		t.Error(err)
	}
	if seen := proxy.Seen(); len(seen) > 0 {
		t.Errorf("it was asked again: %v", seen)
	}
	if _, err := open(t, server.Endpoint, "p", nil).Open(t.Context(), "x"); err != nil { // each store for itself
		t.Error(err)
	}
}
