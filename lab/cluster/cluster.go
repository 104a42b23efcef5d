// Package cluster starts a whole cluster on one machine: NATS servers, an S3 server, nodes of a crawl and a simulated web, each a process of its own,
// each in a network namespace where that is possible.
//
// Terms. A *machine* is a namespace with an address. A *service* is a program on a machine: how it is started, and how one knows that it is ready. The list
// of services is where engines join that others make (OpenSearch, Flink): they are more entries of it.
//
//	start:  network; services in their order, each when the one before is ready
//	end:    services in the opposite order: asked, then after some seconds killed; network
package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"
)

// Service is a program on a machine.
type Service struct {
	Name    string // of the service, for people
	Machine string // where it runs
	Program string
	Args    []string
	Env     []string                        // beside those of this process
	Ready   func(ctx context.Context) error // nil: it is ready when it was started
	Ends    bool                            // it ends by itself when its work is done; others that end are a fault
}

// Cluster is services that run.
type Cluster struct {
	Network *Network
	Log     io.Writer // what services say, each line with their name

	mu      sync.Mutex
	running []*running
}

type running struct {
	Service
	cmd  *exec.Cmd
	done chan struct{}
	err  error
}

// Start starts services in their order. What was started before an error runs on until Stop.
func (c *Cluster) Start(ctx context.Context, services ...Service) error {
	for _, s := range services {
		if err := c.start(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

func (c *Cluster) start(ctx context.Context, s Service) error {
	r := &running{Service: s, done: make(chan struct{})}
	r.cmd = c.Network.Command(context.WithoutCancel(ctx), s.Machine, s.Program, s.Args...)
	r.cmd.Env = append(os.Environ(), s.Env...)
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM} // Ctrl-C is ours to pass on, in order
	out := &lines{w: c.Log, name: s.Name, mu: &c.mu}
	r.cmd.Stdout, r.cmd.Stderr = out, out
	if err := r.cmd.Start(); err != nil {
		return err
	}
	go func() {
		r.err = r.cmd.Wait()
		close(r.done)
	}()
	c.running = append(c.running, r)
	if s.Ready == nil {
		return nil
	}
	ctx, end := context.WithTimeout(ctx, time.Minute)
	defer end()
	for {
		err := s.Ready(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-r.done:
			return fmt.Errorf("it has ended: %w", errors.Join(r.err, err))
		case <-ctx.Done():
			return fmt.Errorf("it does not get ready: %w", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Wait waits until all services that end by themselves have ended, and returns what went wrong: with them, or with one that should not have ended.
func (c *Cluster) Wait(ctx context.Context) error {
	var errs []error
	for _, r := range c.running {
		if !r.Ends {
			continue
		}
		select {
		case <-r.done:
			if code := r.cmd.ProcessState.ExitCode(); code > 1 || code < 0 { // 1: something of the simulated web is missing
				errs = append(errs, fmt.Errorf("%s: %w", r.Name, r.err))
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, r := range c.running {
		select {
		case <-r.done:
			if !r.Ends {
				errs = append(errs, fmt.Errorf("%s has ended: %w", r.Name, r.err))
			}
		default:
		}
	}
	return errors.Join(errs...)
}

// Stop ends all services, the last one first, and the network.
func (c *Cluster) Stop() {
	for _, r := range slices.Backward(c.running) {
		_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGINT) // its own group: only what was started here
		select {
		case <-r.done:
		case <-time.After(20 * time.Second):
			_ = syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
			<-r.done
		}
	}
	c.running = nil
	c.Network.Close()
}

// Kill kills a service as a power cut would for those who use it.
func (c *Cluster) Kill(name string) error {
	for _, r := range c.running {
		if r.Name == name {
			err := syscall.Kill(-r.cmd.Process.Pid, syscall.SIGKILL)
			<-r.done
			return err
		}
	}
	return fmt.Errorf("no service is called %s", name)
}

// Dials is ready when something on a machine takes connections, asked from there: this process may not reach it.
func (c *Cluster) Dials(machine, addr string) func(context.Context) error {
	return func(ctx context.Context) error {
		if c.Network.plain {
			d := net.Dialer{Timeout: time.Second}
			conn, err := d.DialContext(ctx, "tcp", addr)
			if err != nil {
				return err
			}
			return conn.Close()
		}
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			return err
		}
		return c.Network.Command(ctx, machine, "bash", "-c", "exec 3<>/dev/tcp/"+host+"/"+port).Run()
	}
}

// lines writes what a service says line by line, with its name.
type lines struct {
	w    io.Writer
	name string
	mu   *sync.Mutex
	buf  []byte
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(l.buf, p...)
	for {
		i := bytes.IndexByte(l.buf, '\n')
		if i < 0 {
			return len(p), nil
		}
		fmt.Fprintf(l.w, "%s: %s\n", l.name, l.buf[:i])
		l.buf = l.buf[i+1:]
	}
}
