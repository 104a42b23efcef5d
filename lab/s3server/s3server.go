// Package s3server runs a real S3 server for tests: versitygw over a folder, a process of its own on loopback, and before it, where a
// test wants, a proxy that breaks things.
//
// The server is not linked into anything: the folder versitygw is a module of its own that names its version, and the first test that needs
// it builds it from the module proxy into the cache of the user (about a minute of processor time; later tests take it from there). Chosen
// because it checks SHA-256 checksums and conditional writes: gofakes3 v0.0.11 has neither (docs/decisions/20261118_store.md).
package s3server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/rogpeppe/go-internal/testscript"
)

// The keys and the bucket of every server.
const (
	AccessKey = "varve-test"
	SecretKey = "a-secret-that-must-not-be-printed"
	Bucket    = "archive"
	Region    = "us-east-1"
)

// Server is a running server.
type Server struct {
	Endpoint string
	program  string
	dir      string
	address  string

	mu  sync.Mutex
	cmd *exec.Cmd
	out *bytes.Buffer
}

// Build builds the server, or finds it built.
func Build(ctx context.Context) (program string, err error) {
	module, err := folder()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(module, "go.mod"))
	if err != nil {
		return "", err
	}
	m := regexp.MustCompile(`versity/versitygw (v\S+)`).FindSubmatch(text)
	if m == nil {
		return "", errors.New("no version of versitygw in its go.mod")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	path := filepath.Join(cache, "varve-test", "versitygw-"+string(m[1])+"-"+runtime.GOOS+"-"+runtime.GOARCH)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", err
	}
	lock, err := os.Create(path + ".lock") // tests of several packages come at once
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", path+".new", "github.com/versity/versitygw/cmd/versitygw")
	cmd.Dir = module
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build versitygw, which needs the module proxy the first time: %w\n%.500s", err, out)
	}
	return path, os.Rename(path+".new", path)
}

// folder finds the module of the server: from the folder of a test upwards.
func folder() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		module := filepath.Join(dir, "lab", "s3server", "versitygw")
		if _, gone := os.Stat(filepath.Join(module, "go.mod")); gone == nil {
			return module, nil
		}
		if filepath.Dir(dir) == dir {
			err = errors.New("not in the module")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// Launch runs a server with an empty bucket in a folder.
func Launch(program, dir string) (*Server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{program: program, dir: dir, address: l.Addr().String(), Endpoint: "http://" + l.Addr().String(), out: &bytes.Buffer{}}
	if err := errors.Join(l.Close(), os.MkdirAll(s.Dir(), 0o755)); err != nil {
		return nil, err
	}
	return s, s.run()
}

// Start runs a server with an empty bucket until the test ends. Where it cannot be built, the test is skipped.
func Start(t testing.TB) *Server {
	t.Helper()
	program, err := Build(t.Context())
	if err != nil {
		t.Skipf("no S3 server: %v", err)
	}
	s, err := Launch(program, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Stop()
		if t.Failed() {
			t.Logf("the S3 server said:\n%.2000s", s.out)
		}
	})
	return s
}

// Run starts the server again after Stop, with what it had.
func (s *Server) Run(t testing.TB) {
	t.Helper()
	if err := s.run(); err != nil {
		t.Fatal(err)
	}
}

func (s *Server) run() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cmd = exec.Command(s.program, "--port", s.address, "--region", Region, "--quiet", "posix", s.dir)
	s.cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY="+AccessKey, "ROOT_SECRET_KEY="+SecretKey)
	s.cmd.Stdout, s.cmd.Stderr = s.out, s.out
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	for deadline := time.Now().Add(30 * time.Second); ; {
		c, err := net.DialTimeout("tcp", s.address, time.Second)
		if err == nil {
			return c.Close()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("the S3 server does not come up: %w\n%s", err, s.out)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Script is a command of scripts: s3 starts a server until the script ends, sets $S3 to its endpoint, and the keys. Stop and start are
// "s3 stop" and "s3 start".
func Script() func(ts *testscript.TestScript, neg bool, args []string) {
	running := map[*testscript.TestScript]*Server{}
	var mu sync.Mutex
	return func(ts *testscript.TestScript, neg bool, args []string) {
		mu.Lock()
		defer mu.Unlock()
		s := running[ts]
		switch verb := strings.Join(args, " "); {
		case !neg && verb == "" && s == nil:
			program, err := Build(context.Background())
			ts.Check(err)
			s, err = Launch(program, ts.MkAbs(".s3"))
			ts.Check(err)
			running[ts] = s
			ts.Defer(s.Stop)
			ts.Setenv("S3", s.Endpoint)
			ts.Setenv("VARVE_S3_ACCESS_KEY", AccessKey)
			ts.Setenv("VARVE_S3_SECRET_KEY", SecretKey)
		case !neg && verb == "stop" && s != nil:
			s.Stop()
		case !neg && verb == "start" && s != nil:
			ts.Check(s.run())
		default:
			ts.Fatalf("usage: s3 [stop|start]")
		}
	}
}

// Condition is a condition of scripts: [s3], whether there is a server.
func Condition(cond string) (bool, error) {
	if cond != "s3" {
		return false, fmt.Errorf("unknown condition %q", cond)
	}
	_, err := Build(context.Background())
	return err == nil, nil
}

// Stop kills the server.
func (s *Server) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait() // it was killed
		s.cmd = nil
	}
}

// Dir is the folder in which the server keeps the objects of the bucket.
func (s *Server) Dir() string { return filepath.Join(s.dir, Bucket) }

// Uploads counts the multipart uploads that broke off.
func (s *Server) Uploads(t testing.TB) (n int) {
	t.Helper()
	c, err := minio.New(s.address, &minio.Options{Creds: credentials.NewStaticV4(AccessKey, SecretKey, ""), Region: Region})
	if err != nil {
		t.Fatal(err)
	}
	for u := range c.ListIncompleteUploads(t.Context(), Bucket, "", true) {
		if u.Err != nil {
			t.Fatal(u.Err)
		}
		n++
	}
	return n
}

// Fault breaks one exchange: it may answer the request itself and return true, or change the answer of the server.
type Fault func(w http.ResponseWriter, r *http.Request) (handled bool)

// Proxy stands before a server. It can break exchanges.
type Proxy struct {
	Endpoint string
	server   *Server
	listener net.Listener

	mu    sync.Mutex
	fault Fault
	seen  []string // method and query of requests
}

// Before starts a proxy that passes everything on.
func Before(t testing.TB, s *Server) *Proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{Endpoint: "http://" + l.Addr().String(), server: s, listener: l}
	srv := &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l) // it ends with the test
	}()
	t.Cleanup(func() {
		_ = srv.Close()
		<-done
	})
	return p
}

// Break lets a fault judge all requests from now on; nil: everything passes.
func (p *Proxy) Break(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault = f
}

// Seen returns the requests so far, and forgets them.
func (p *Proxy) Seen() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	out := p.seen
	p.seen = nil
	return out
}

// ServeHTTP passes an exchange on, unless a fault has it.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.seen = append(p.seen, r.Method+" "+r.URL.Path+"?"+r.URL.RawQuery)
	fault := p.fault
	p.mu.Unlock()
	if fault != nil && fault(w, r) {
		return
	}
	p.Pass(w, r, nil)
}

// Pass lets the server answer; change, if not nil, may wrap the body of the answer.
func (p *Proxy) Pass(w http.ResponseWriter, r *http.Request, change func(*http.Response)) {
	out := r.Clone(context.WithoutCancel(r.Context()))
	out.URL.Scheme, out.URL.Host, out.RequestURI = "http", p.server.address, "" // Host stays: it is signed
	transport := &http.Transport{DisableKeepAlives: true, DisableCompression: true}
	answer, err := transport.RoundTrip(out)
	if err != nil {
		panic(http.ErrAbortHandler) // as if the server were not there
	}
	defer answer.Body.Close()
	if change != nil {
		change(answer)
	}
	for k, v := range answer.Header {
		w.Header()[k] = v
	}
	w.WriteHeader(answer.StatusCode)
	if _, err := io.Copy(w, answer.Body); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// Answer returns a fault that answers with an error of the protocol.
func Answer(status int, code string) Fault {
	return func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>made by a test</Message></Error>`, code)
		return true
	}
}
