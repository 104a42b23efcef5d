package plan

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"varve/archive/durable"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/text/layer"
	"varve/web/canon"
)

// A crawl on several nodes: what is kept with URLs names their group by a number, which is this run's own. On the way to another node it is the name:
//
//	here    kind      number  rest         'g' a page that waits, 'r' one that waits for its revisit
//	abroad  KIND  name        rest         'G', 'R'
//
// The record of a group goes with its host. The node that gets it plans the revisits that are left anew, from the same round on: turns are of a queue that
// stays behind.

var _ crawl.Traveller = (*Stage)(nil)

const (
	metaFoundAbroad = 'G'
	metaAgainAbroad = 'R'
)

// Pack is part of crawl.Traveller.
func (c *Stage) Pack(it *frontier.Item) {
	if len(it.Meta) == 0 {
		return
	}
	abroad := byte(metaFoundAbroad)
	switch it.Meta[0] {
	case metaFound:
	case metaAgain:
		abroad = metaAgainAbroad
	default:
		return
	}
	number, n := binary.Uvarint(it.Meta[1:])
	if n <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if number >= uint64(len(c.numbers)) || c.numbers[number] == nil {
		return
	}
	b := durable.AppendString([]byte{abroad}, c.numbers[number].record.Name)
	it.Meta = append(b, it.Meta[1+n:]...)
}

// Unpack is part of crawl.Traveller.
func (c *Stage) Unpack(it *frontier.Item) {
	if len(it.Meta) == 0 || it.Meta[0] != metaFoundAbroad && it.Meta[0] != metaAgainAbroad {
		return
	}
	again := it.Meta[0] == metaAgainAbroad
	r := durable.NewReader(it.Meta[1:])
	name := r.String()
	if name == "" {
		it.Meta = nil // damaged: its group is that of its host
		return
	}
	rest := it.Meta[len(it.Meta)-r.Len():]
	kind := byte(metaFound)
	if again {
		kind = metaAgain
		it.NotBefore = farFuture // until its turn is planned here
		if _, n := binary.Uvarint(rest); n > 0 && n < len(rest) {
			rest = append([]byte(nil), rest...)
			rest[n] = 0 // behind the round: it has no turn
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	it.Meta = append(binary.AppendUvarint([]byte{kind}, uint64(c.group(name).number)), rest...)
	if first, err := parseFirst(it.Meta); again && err == nil {
		l := c.laneOf(c.numbers[first.group], it.Host)
		if l.record.Visited <= first.seq { // visits of a lane are numbered: those of here come behind
			l.record.Visited = first.seq + 1
			c.stir(l)
		}
	}
}

// hostOf is the host that a group lies on; "" for one of many hosts, which stays where it is.
func hostOf(group string) string {
	kind, rest, _ := strings.Cut(group, ":")
	switch kind {
	case "host":
		return rest
	case "prefix", "sitemap":
		if u, err := canon.Parse(rest); err == nil {
			return u.HostPort()
		}
	}
	return ""
}

// Carry is part of crawl.Traveller.
func (c *Stage) Carry(of func(host string) bool, each func(host string, note []byte) error) error {
	c.mu.Lock()
	notes := map[string][]byte{}
	var err error
	for name, g := range c.groups {
		host := hostOf(name)
		if host == "" || g.record.Now.Visited == 0 && len(g.record.Past) == 0 || !of(host) {
			continue
		}
		rec := g.record
		rec.Now.Visited += rec.Early // what was visited for the next round is of this one: its revisits are planned anew
		rec.Early = 0
		if rec.Now.Phase == crawl.PhaseRevisits {
			rec.Now.Phase = crawl.PhaseVisits
		}
		if notes[name], err = json.Marshal(&rec); err != nil {
			err = fmt.Errorf("group %s: %w", name, err)
			break
		}
	}
	c.mu.Unlock()
	for name, note := range notes {
		if err == nil {
			err = each(hostOf(name), note)
		}
	}
	return err
}

// Receive is part of crawl.Traveller. A group that is further here stays as it is.
func (c *Stage) Receive(_ string, note []byte) error {
	var rec groupRecord
	if err := json.Unmarshal(note, &rec); err != nil || rec.Name == "" {
		return fmt.Errorf("record of a group that came from another node: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.group(rec.Name)
	if now := &g.record.Now; rec.Now.Round < now.Round || rec.Now.Round == now.Round && rec.Now.Visited+rec.Now.Revisited <= now.Visited+now.Revisited {
		return nil
	}
	if rec.Now.Unchanged == nil {
		rec.Now.Unchanged = map[layer.Name]int64{}
	}
	if rec.Now.Rates == nil {
		rec.Now.Rates = map[string]int64{}
	}
	g.record = rec
	c.change(g)
	return nil
}
