package jail

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"varve/lab/attack"
)

// What the test program is when it is started again.
const (
	roleEnv = "VARVE_TEST_JAIL"
	helper  = "helper"
	inmate  = "inmate"
)

func TestMain(m *testing.M) {
	switch os.Getenv(roleEnv) {
	case helper:
		os.Setenv(roleEnv, inmate)
		fmt.Fprintln(os.Stderr, Enter(os.Args[1:]))
		os.Exit(2)
	case inmate:
		tryToGetOut()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// tryToGetOut asks through the door, then past it, and prints what came of each.
func tryToGetOut() {
	held, _ := os.Readlink("/proc/self/fd/3")
	fmt.Println("door held:", strings.HasPrefix(held, "socket:"))
	client := http.Client{Timeout: 10 * time.Second}
	resp, err := client.Get("http://" + Addr + "/")
	if err != nil {
		fmt.Println("door:", err)
		return
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	fmt.Println("door:", string(body))
	for _, addr := range os.Args[1:] {
		c, err := net.DialTimeout("tcp", addr, 5*time.Second)
		if err == nil {
			c.Close()
		}
		fmt.Println("past:", addr, err)
	}
	names, _ := net.Interfaces()
	fmt.Println("interfaces:", len(names))
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "CapEff") || strings.HasPrefix(line, "NoNewPrivs") {
			fmt.Print(strings.ReplaceAll(line, "\t", " "))
		}
	}
}

// The program reaches the door and nothing else: not a server on the loopback of the machine either.
func TestOneDoor(t *testing.T) {
	tally := attack.Count(t)
	tally.Try(6)
	outside, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer outside.Close()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, outside.Addr().String(), "192.0.2.1:80")
	cmd.Env = append(os.Environ(), roleEnv+"="+helper)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	door, err := Prepare(cmd, []string{self})
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		door.Close()
		if Refused(err) {
			t.Skipf("this system gives programs no network of their own: %v", err)
		}
		t.Fatal(err)
	}
	l, err := door.Listener(30 * time.Second)
	if err != nil {
		_ = cmd.Wait()
		if errors.Is(err, ErrUnavailable) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "from outside") })}
	go server.Serve(l)
	defer server.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{
		"door: from outside\n", "past: " + outside.Addr().String() + " dial", "past: 192.0.2.1:80 dial", "unreachable",
		"interfaces: 1\n", "CapEff: 0000000000000000\n", "NoNewPrivs: 1\n", "door held: false\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

// A helper that cannot do its work says why.
func TestHelperFails(t *testing.T) {
	cmd := exec.Command("/bin/true")
	door, err := Prepare(cmd, []string{"/bin/true"})
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		door.Close()
		if Refused(err) {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	if _, err := door.Listener(30 * time.Second); !errors.Is(err, ErrUnavailable) {
		t.Errorf("a helper that is none: %v", err)
	}
	_ = cmd.Wait()
}
