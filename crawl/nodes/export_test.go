package nodes

import "fmt"

// Dump tells what a node has, for tests that stand still.
func (n *Node) Dump() string {
	out := fmt.Sprintf("session %s lost %v, paused %v, gate %v, asked %v\n", n.session.Load().ID, n.session.Load().Lost(), n.paused.Load(), n.gate.Load(), n.asked.Load())
	n.addrs.mu.Lock() // not for longer: politeness asks for addresses under its own lock
	for key, x := range n.addrs.by {
		out += fmt.Sprintf("%s: %+v\n", key, *x)
	}
	n.addrs.mu.Unlock()
	for p := range n.state {
		out += fmt.Sprintf("%d:%d ", p, n.state[p].Load())
	}
	list, _ := n.engine.List(n.ctx, "")
	for _, e := range list {
		out += fmt.Sprintf("\n%s %s", e.Key, e.Value)
	}
	hosts, _, _ := n.run.Frontier().Hosts("", 100)
	for _, h := range hosts {
		out += fmt.Sprintf("\n%+v %+v", h, n.run.Polite().Status(h.Host))
	}
	return out
}
