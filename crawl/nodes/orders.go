package nodes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"varve"
	"varve/crawl"
	"varve/crawl/frontier"
	"varve/crawl/nodes/engine"
)

// What people decide about the crawl while it runs stands in one record of the table, which every node watches: it holds for those that join
// later as well, and who reads it late reads all of it. Single URLs go the way of links, to the inbox of the partition that they lie in.

const ordersKey = "crawl.orders"

// ordersMost bounds the record; NATS takes values of up to a megabyte.
const ordersMost = 512 << 10

var _ interface {
	crawl.Commander
	crawl.Rationer
	crawl.Teller
} = (*Node)(nil)

// ReadOrders returns the orders of a crawl, with the revision that the next ones replace.
func ReadOrders(ctx context.Context, t engine.Table) (o crawl.Orders, rev uint64, err error) {
	e, err := t.Get(ctx, ordersKey)
	if errors.Is(err, engine.ErrNotFound) {
		return o, 0, nil
	}
	if err != nil {
		return o, 0, err
	}
	if err := json.Unmarshal(e.Value, &o); err != nil {
		return o, 0, fmt.Errorf("orders of the crawl: %w", err)
	}
	return o, e.Revision, nil
}

// Order changes the orders of a crawl. All nodes follow, also those that join later.
func Order(ctx context.Context, t engine.Table, by string, change func(*crawl.Orders) error) (o crawl.Orders, err error) {
	for tries := range 20 {
		if tries > 0 && !wait(ctx, 50*time.Millisecond) { // another was first, and what it wrote is not to be read here yet
			break
		}
		var rev uint64
		if o, rev, err = ReadOrders(ctx, t); err != nil {
			return o, err
		}
		if err = change(&o); err != nil {
			return o, err
		}
		o.Serial++
		o.By = by
		b, err := json.Marshal(o)
		if err != nil {
			return o, err
		}
		if len(b) > ordersMost {
			return o, &varve.Error{
				Kind: varve.Invalid, Op: "orders", Msg: fmt.Sprintf("rules and priorities have %d KB; a crawl of several nodes takes %d", len(b)>>10, ordersMost>>10),
				Hint: "shorten them, for example by one rule for many hosts",
			}
		}
		if _, err = t.Put(ctx, ordersKey, b, rev); !errors.Is(err, engine.ErrConflict) {
			return o, err
		}
	}
	return o, &varve.Error{Kind: varve.Conflict, Op: "orders", Msg: "others change them all the time", Hint: "try again"}
}

// Order is part of crawl.Commander.
func (n *Node) Order(ctx context.Context, by string, change func(*crawl.Orders) error) (crawl.Orders, error) {
	o, err := Order(ctx, n.engine, by, change)
	if err != nil {
		return o, unreachable("orders", err)
	}
	n.heard(o)
	return o, n.obey()
}

// unreachable gives an error of the engine a kind, if it has none.
func unreachable(op string, err error) error {
	var known *varve.Error
	if errors.As(err, &known) {
		return err
	}
	return &varve.Error{Kind: varve.Unavailable, Op: op, Msg: "the engine of the nodes cannot be used now", Err: err, Hint: "try again; see 'varve node status'"}
}

// Send is part of crawl.Commander.
func (n *Node) Send(ctx context.Context, updates []frontier.ScoreUpdate) error {
	by := map[int]*batcher{}
	var out []engine.Message
	for i := range updates {
		u := &updates[i]
		p := n.partition(&u.Item)
		b := by[p]
		if b == nil {
			b = &batcher{flush: func(msg []byte) error {
				out = append(out, engine.Message{Subject: inboxSubject(p), Data: msg})
				return nil
			}}
			by[p] = b
		}
		e := entry{kind: entryRanked, item: u.Item}
		if u.Blacklist {
			e.kind, e.reason = entryBarred, u.Reason
		}
		_ = b.add(&e)
	}
	for _, b := range by {
		_ = b.end()
	}
	for len(out) > 0 {
		step := min(len(out), seedStep)
		if _, err := n.engine.Append(ctx, out[:step]...); err != nil {
			return unreachable("urls", err)
		}
		out = out[step:]
	}
	return nil
}

// heard notes orders, if they are newer than those that are known.
func (n *Node) heard(o crawl.Orders) {
	n.ordering.Lock()
	defer n.ordering.Unlock()
	if o.Serial > n.orders.Serial {
		n.orders = o
	}
}

// watchOrders hears orders, and which limit was reached.
func (n *Node) watchOrders() {
	for n.ctx.Err() == nil {
		_ = n.engine.Watch(n.ctx, "crawl.", func(e engine.Entry) { // begun again where it broke
			switch e.Key {
			case ordersKey:
				var o crawl.Orders
				if err := json.Unmarshal(e.Value, &o); err != nil {
					n.cfg.Log.Warn("orders cannot be read", "err", err)
					return
				}
				n.heard(o)
			case budgetKey:
				n.budgetCame(e)
			default:
				return
			}
			n.wake()
		})
		n.session.Load().pause(n.ctx, n.cfg.Timing.Renew/4, nil)
	}
}

// firstOrders reads the orders that there are before anything is visited.
func (n *Node) firstOrders() error {
	if n.ordersRead {
		return nil
	}
	o, _, err := ReadOrders(n.ctx, n.engine)
	if err == nil {
		n.heard(o)
		n.ordersRead = true // only the loop asks
	}
	return err
}

// obey puts the orders in force that were heard. It is called by the loop and by those who give some.
func (n *Node) obey() error {
	n.obeying.Lock()
	defer n.obeying.Unlock()
	n.ordering.Lock()
	now := n.orders
	n.ordering.Unlock()
	was := n.obeyed
	if now.Serial == was.Serial {
		return nil
	}
	r := n.run
	if now.Limits != nil && *now.Limits != r.Limits() {
		if err := r.SetLimits(*now.Limits); err != nil {
			return err
		}
		n.ration.renew()
		if err := n.giveBack(now.Limits); err != nil {
			return err
		}
	}
	if now.Scope != nil && !reflect.DeepEqual(now.Scope, was.Scope) {
		if err := r.SetRules(*now.Scope); err != nil {
			return err
		}
	}
	for _, s := range r.Stages() {
		if c, ok := s.(crawl.Steered); ok {
			if err := c.Steer(n.ctx, was, now); err != nil {
				return err
			}
		}
	}
	n.obeyed = now
	r.Event("orders", "serial", now.Serial, "by", now.By, "paused", now.Paused, "stopped", now.Stopped, "limits", now.Limits)
	n.settleState(now)
	r.Wake()
	return nil
}

// settleState brings the run to the state that the orders want, unless the node itself has it wait.
func (n *Node) settleState(o crawl.Orders) {
	switch {
	case o.Stopped:
		n.run.Stop(o.Why)
	case o.Paused && n.paused.CompareAndSwap(true, false): // our pause becomes theirs
		n.run.Repause(o.Why)
		n.heldByOrder.Store(true)
	case o.Paused:
		n.run.Pause(o.Why)
		n.run.Repause(o.Why)
		n.heldByOrder.Store(true)
	case n.heldByOrder.CompareAndSwap(true, false):
		n.run.Resume()
	default: // a pause by the disk ends when someone says so
		if state, _ := n.run.State(); state == crawl.Paused && !n.paused.Load() {
			n.run.Resume()
		}
	}
}
