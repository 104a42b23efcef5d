// Package opensearchd runs a real OpenSearch for drills: one node, a process of its own on loopback.
//
// The server is not linked into anything: the folder node has a pom.xml that names its version and some thirty lines of Java. The first drill that needs it fetches
// it from Maven into the cache of the user (100 MB) and compiles these lines; later ones take it from there. It needs Java 17 and Maven; where they are missing, Build says so in a word
// that Start skips with.
package opensearchd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// ErrMissing is of a machine without Java or Maven.
var ErrMissing = errors.New("OpenSearch cannot be had here")

// Built is a server that can be launched.
type Built struct {
	java string
	path string // of classes
}

// Build fetches and compiles the server, or finds it.
func Build(ctx context.Context) (b Built, err error) {
	if b.java, err = exec.LookPath("java"); err != nil {
		return b, fmt.Errorf("%w: no java (17 or later)", ErrMissing)
	}
	source, err := folder()
	if err != nil {
		return b, err
	}
	sum := sha256.New()
	for _, name := range []string{"pom.xml", "Main.java"} {
		text, err := os.ReadFile(filepath.Join(source, name))
		if err != nil {
			return b, err
		}
		sum.Write(text)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	dir := filepath.Join(cache, "varve-test", "opensearch-"+hex.EncodeToString(sum.Sum(nil)[:6]))
	b.path = filepath.Join(dir, "classes") + string(filepath.ListSeparator) + filepath.Join(dir, "lib", "*")
	done := filepath.Join(dir, "done")
	if _, err := os.Stat(done); err == nil {
		return b, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return b, err
	}
	lock, err := os.Create(dir + ".lock") // tests of several packages come at once
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return b, err
	}
	if _, err := os.Stat(done); err == nil {
		return b, nil
	}
	for _, program := range []string{"mvn", "javac"} {
		if _, err := exec.LookPath(program); err != nil {
			return b, fmt.Errorf("%w: no %s, which the first drill needs", ErrMissing, program)
		}
	}
	for _, c := range [][]string{
		{"mvn", "-q", "-B", "-f", filepath.Join(source, "pom.xml"), "dependency:copy-dependencies", "-DoutputDirectory=" + filepath.Join(dir, "lib")},
		{"javac", "-nowarn", "-cp", filepath.Join(dir, "lib", "*"), "-d", filepath.Join(dir, "classes"), filepath.Join(source, "Main.java")},
	} {
		if out, err := exec.CommandContext(ctx, c[0], c[1:]...).CombinedOutput(); err != nil {
			return b, fmt.Errorf("%w: %s: %w\n%.500s", ErrMissing, c[0], err, out)
		}
	}
	return b, os.WriteFile(done, nil, 0o644)
}

// folder finds the sources of the server: from the folder of a test upwards.
func folder() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		source := filepath.Join(dir, "lab", "opensearchd", "node")
		if _, gone := os.Stat(filepath.Join(source, "pom.xml")); gone == nil {
			return source, nil
		}
		if filepath.Dir(dir) == dir {
			err = errors.New("not in the module")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}

// Server is a running server.
type Server struct {
	Address string
	built   Built
	dir     string
	ports   [2]string

	mu  sync.Mutex
	cmd *exec.Cmd
	out *bytes.Buffer
}

// Launch runs a server over a folder.
func Launch(ctx context.Context, b Built, dir string) (*Server, error) {
	s := &Server{built: b, dir: dir}
	for i := range s.ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		_, s.ports[i], _ = net.SplitHostPort(l.Addr().String())
		if err := l.Close(); err != nil {
			return nil, err
		}
	}
	s.Address = "http://127.0.0.1:" + s.ports[0]
	if err := os.MkdirAll(filepath.Join(dir, "config"), 0o755); err != nil {
		return nil, err
	}
	return s, s.Restart(ctx)
}

// startTimeout is how long a server may take to answer. It needs about 20 s of CPU; on a machine with much else to do three minutes were too few.
const startTimeout = 15 * time.Minute

// Restart runs the server again over the same folder, at the same address.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	s.out = &bytes.Buffer{}
	s.cmd = exec.Command(s.built.java, "-Xms512m", "-Xmx512m", "-Djava.security.manager=allow", "-cp", s.built.path, "Main", s.dir, s.ports[0], s.ports[1])
	s.cmd.Stdout, s.cmd.Stderr = s.out, s.out
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	err := s.cmd.Start()
	s.mu.Unlock()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Address+"/_cluster/health?wait_for_status=yellow&timeout=30s", nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("OpenSearch did not start: %s", strings.TrimSpace(s.out.String())), s.Kill())
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// Kill ends the server at once, as a power cut would.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return nil
	}
	err := s.cmd.Process.Kill()
	_ = s.cmd.Wait() // it was killed
	s.cmd = nil
	return err
}

// Start runs a server for a drill, and skips with a word where none can be had.
func Start(t testing.TB) *Server {
	t.Helper()
	if os.Getenv("VARVE_DRILL") == "" {
		t.Skip("drill: VARVE_DRILL=1 runs it with a real OpenSearch (Java 17, Maven the first time)")
	}
	b, err := Build(t.Context())
	if errors.Is(err, ErrMissing) {
		t.Skipf("skipped: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s, err := Launch(t.Context(), b, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Kill(); err != nil {
			t.Error(err)
		}
	})
	return s
}
