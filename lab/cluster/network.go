package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Network is where the machines of a cluster are: a network namespace for each, joined by a bridge in a namespace of its own, all addresses inside of
// 127/8; or, where that cannot be made, plain loopback, on which all share one machine's ports.
//
//	varve-PID-hub   br0 ── p1 ── v1  varve-PID-1   127.9.0.1/24
//	                   └── p2 ── v2  varve-PID-2   127.9.0.2/24 ...
type Network struct {
	prefix string
	plain  bool
	number map[string]int
	why    string
}

// NewNetwork makes a network with one machine for each name. Where namespaces cannot be made it is plain, and Why says so.
func NewNetwork(ctx context.Context, names []string, plain bool) *Network {
	n := &Network{prefix: fmt.Sprintf("varve-%d", os.Getpid()), number: map[string]int{}, plain: plain}
	for i, name := range names {
		n.number[name] = i + 1
	}
	if plain {
		n.why = "asked for"
		return n
	}
	if os.Getuid() != 0 {
		n.plain, n.why = true, "network namespaces need root"
		return n
	}
	if _, err := exec.LookPath("ip"); err != nil {
		n.plain, n.why = true, "the program ip (iproute2) is missing"
		return n
	}
	if err := n.make(ctx); err != nil {
		n.Close()
		n.plain, n.why = true, err.Error()
	}
	return n
}

// Why says why the network is plain; "" if it is not.
func (n *Network) Why() string { return n.why }

// Addr is the address of a machine.
func (n *Network) Addr(name string) string {
	if n.plain {
		return "127.0.0.1"
	}
	return fmt.Sprintf("127.9.0.%d", n.number[name])
}

// Port is a port of a machine: on plain loopback each machine has some of its own.
func (n *Network) Port(name string, port int) int {
	if n.plain {
		return port + 10*n.number[name]
	}
	return port
}

// Command is a program that runs on a machine.
func (n *Network) Command(ctx context.Context, name, program string, args ...string) *exec.Cmd {
	if n.plain {
		return exec.CommandContext(ctx, program, args...)
	}
	return exec.CommandContext(ctx, "ip", append([]string{"netns", "exec", n.space(name), program}, args...)...)
}

// Cut takes a machine off the network, or puts it back.
func (n *Network) Cut(name string, off bool) error {
	if n.plain {
		return errors.New("on plain loopback no machine can be cut off")
	}
	to := "up"
	if off {
		to = "down"
	}
	return ip("-n", n.prefix+"-hub", "link", "set", fmt.Sprintf("p%d", n.number[name]), to)
}

func (n *Network) space(name string) string { return fmt.Sprintf("%s-%d", n.prefix, n.number[name]) }

func (n *Network) make(ctx context.Context) error {
	hub := n.prefix + "-hub"
	steps := [][]string{
		{"netns", "add", hub},
		{"-n", hub, "link", "add", "br0", "type", "bridge"},
		{"-n", hub, "link", "set", "br0", "up"},
	}
	for name, i := range n.number {
		ns, v, p := n.space(name), fmt.Sprintf("v%d", i), fmt.Sprintf("p%d", i)
		steps = append(
			steps,
			[]string{"netns", "add", ns},
			[]string{"link", "add", v, "netns", ns, "type", "veth", "peer", "name", p, "netns", hub},
			[]string{"-n", hub, "link", "set", p, "master", "br0"},
			[]string{"-n", hub, "link", "set", p, "up"},
			// The loopback of a namespace must not have all of 127/8, or nothing of it would go over the wire.
			[]string{"-n", ns, "link", "set", "lo", "up"},
			[]string{"-n", ns, "addr", "del", "127.0.0.1/8", "dev", "lo"},
			[]string{"-n", ns, "addr", "add", "127.0.0.1/32", "dev", "lo"},
			[]string{"netns", "exec", ns, "sysctl", "-qw", "net.ipv4.conf.all.route_localnet=1", "net.ipv4.conf." + v + ".route_localnet=1"},
			[]string{"-n", ns, "addr", "add", fmt.Sprintf("127.9.0.%d/24", i), "dev", v},
			[]string{"-n", ns, "link", "set", v, "up"},
		)
	}
	for _, s := range steps {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := ip(s...); err != nil {
			return err
		}
	}
	return nil
}

func ip(args ...string) error {
	out, err := exec.Command("ip", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, strings.TrimSpace(string(out)))
	}
	return nil
}

// Close removes the network. Its programs must have ended.
func (n *Network) Close() {
	if n.plain {
		return
	}
	for _, i := range n.number {
		_ = ip("netns", "del", fmt.Sprintf("%s-%d", n.prefix, i)) // one that was not made yet
	}
	_ = ip("netns", "del", n.prefix+"-hub")
}
