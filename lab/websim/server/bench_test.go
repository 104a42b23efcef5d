package server_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"varve/lab/websim"
	"varve/lab/websim/server"
)

// TestServerProcess is no test: the benchmark runs it as a process of its own, to measure the CPU of
// the server without that of the client. It serves until its input ends.
func TestServerProcess(t *testing.T) {
	mode := os.Getenv("WEBSIM_SERVE")
	if mode == "" {
		t.Skip("run by BenchmarkServer")
	}
	spec, err := websim.Preset("flat5000")
	if err != nil {
		t.Fatal(err)
	}
	w, err := websim.New(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.Listen(w, server.Options{NoDigest: mode == "nodigest"})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("serving " + s.Addr())
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkServer asks for cached pages of about 15 KB over four kept connections and reports how
// many the server answers per second of its CPU.
func BenchmarkServer(b *testing.B) {
	for _, mode := range []string{"digest", "nodigest"} {
		b.Run(mode, func(b *testing.B) { benchServer(b, mode) })
	}
}

func benchServer(b *testing.B, mode string) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestServerProcess$")
	cmd.Env = append(os.Environ(), "WEBSIM_SERVE="+mode)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Skip(err)
	}
	defer func() { _ = in.Close(); _, _ = io.Copy(io.Discard, out); _ = cmd.Wait() }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	addr := strings.TrimSpace(strings.TrimPrefix(line, "serving "))
	load(b, addr, 1, 1000) // fills the cache
	before := processCPU(b, cmd.Process.Pid)
	b.ResetTimer()
	n := load(b, addr, 4, max(b.N, 20_000))
	used := processCPU(b, cmd.Process.Pid) - before
	b.ReportMetric(float64(n)/used.Seconds(), "requests/cpu-s")
}

// load sends n requests for the first 1000 pages over so many connections at once.
func load(b *testing.B, addr string, conns, n int) int {
	done := make(chan error, conns)
	for k := range conns {
		go func() { done <- loadOne(addr, k, n/conns) }()
	}
	for range conns {
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
	return n / conns * conns
}

func loadOne(addr string, first, n int) error {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	buf := make([]byte, 256<<10)
	for i := range n {
		req := fmt.Sprintf("GET /page/%d.html HTTP/1.1\r\nHost: flat.sim.test\r\nUser-Agent: bench\r\nAccept-Encoding: identity\r\n\r\n", 1+(first*251+i)%1000)
		if _, err := io.WriteString(c, req); err != nil {
			return err
		}
		if err := skipAnswer(c, buf); err != nil {
			return err
		}
	}
	return nil
}

// skipAnswer reads one answer by its length.
func skipAnswer(c net.Conn, buf []byte) error {
	have, want := 0, -1
	for want < 0 || have < want {
		n, err := c.Read(buf[have:])
		if err != nil {
			return err
		}
		have += n
		if end := bytes.Index(buf[:have], []byte("\r\n\r\n")); want < 0 && end >= 0 {
			_, rest, _ := bytes.Cut(buf[:end+2], []byte("Content-Length: "))
			length, err := strconv.Atoi(string(rest[:bytes.IndexByte(rest, '\r')]))
			if err != nil {
				return err
			}
			want = end + 4 + length
		}
	}
	return nil
}

// processCPU reads the CPU time of a process from /proc, in ticks of 10 ms.
func processCPU(b *testing.B, pid int) time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Skip(err)
	}
	f := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
