package access

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/journal"
)

// Order is a takedown by person that stands: what later crawls bring and names the person is withheld as well, when 'varve derive' has read it.
type Order struct {
	Person     string    `json:"person"`               // id of an entity, or a name
	ByName     bool      `json:"by_name,omitempty"`    // it is a name
	Collection string    `json:"collection,omitempty"` // only in this one; empty: all
	Level      Level     `json:"level"`
	Reason     string    `json:"reason"`
	By         string    `json:"by"`
	At         time.Time `json:"at"`
}

// same reports whether two orders are about the same.
func (o *Order) same(p *Order) bool {
	return o.Person == p.Person && o.ByName == p.ByName && o.Collection == p.Collection
}

// Check reports what is wrong with an order that somebody wants to give.
func (o *Order) Check() error {
	if strings.TrimSpace(o.Person) == "" {
		return errors.New("it is about nobody: an id or a name is needed")
	}
	if o.Level == Open {
		return errors.New("a takedown cannot open anything: reading-room, curators or blocked")
	}
	rule := Rule{Level: o.Level, Reason: o.Reason, Person: o.Person, Exact: true, Prefix: "http://example.org/"}
	return rule.Check()
}

// orderLine is a line of persons.jsonl: an order that was given, or one that ended. A byte that flips in a person or a collection leaves an
// order about somebody else: Sum tells.
type orderLine struct {
	Do string `json:"do"` // order, end
	Order
	Sum string `json:"sum,omitempty"` // of the line without it; missing in older files
}

// sum is that of the line itself.
func (x orderLine) sum() (string, error) {
	x.Sum = ""
	return sumOf(x)
}

// Orders is the log of takedowns that stand, <dir>/persons.jsonl, which only grows.
type Orders struct {
	path  string
	audit *Audit
}

// OpenOrders gives the orders in a directory, which need not exist yet.
func OpenOrders(dir string, audit *Audit) *Orders {
	return &Orders{filepath.Join(dir, "persons.jsonl"), audit}
}

// Standing returns the orders that stand, oldest first. A line that cannot be read is an error: it may be an order.
func (o *Orders) Standing() (out []Order, err error) {
	err = journal.Each(o.path, func(line json.RawMessage) error {
		var x orderLine
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&x); err != nil {
			return err
		}
		if x.Person == "" || x.Do != "order" && x.Do != "end" {
			return fmt.Errorf("unknown order %q", x.Do)
		}
		if x.Sum != "" {
			if sum, err := x.sum(); err != nil || sum != x.Sum {
				return errors.Join(err, errors.New("it is not what was written (its sum differs): compare it with the audit log; if it is right, take its sum out"))
			}
		}
		out = slices.DeleteFunc(out, func(old Order) bool { return old.same(&x.Order) })
		if x.Do == "order" {
			out = append(out, x.Order)
		}
		return nil
	})
	if err == nil {
		var n int
		if n, err = badEnd(o.path); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		} else if err != nil {
			err = fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read takedowns of persons " + o.path, Err: err, Hint: "mend the line or restore the file"}
	}
	return out, nil
}

// Give adds an order, which takes the place of an earlier one about the same.
func (o *Orders) Give(x Order) error {
	if err := x.Check(); err != nil {
		return &varve.Error{Kind: varve.Invalid, Op: "withhold what names " + x.Person, Err: err}
	}
	have, err := o.Standing()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(have, func(old Order) bool { return old.same(&x) && old.Level == x.Level && old.Reason == x.Reason }) {
		return nil
	}
	return o.append(orderLine{Do: "order", Order: x}, "takedown by person stands")
}

// End ends an order; the rules that were made for it stay.
func (o *Orders) End(x Order) error {
	have, err := o.Standing()
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(have, func(old Order) bool { return old.same(&x) }) {
		return &varve.Error{Kind: varve.NotFound, Op: "end the takedown of " + x.Person, Msg: "there is none that stands", Hint: "--name and --collection must be as when it was given"}
	}
	return o.append(orderLine{Do: "end", Order: x}, "takedown by person ended")
}

func (o *Orders) append(x orderLine, did string) error {
	x.At = x.At.UTC().Truncate(time.Second)
	var err error
	if x.Sum, err = x.sum(); err != nil {
		return err
	}
	err = journal.Update(o.path, 0o600, func(int64) ([]byte, error) {
		b, err := json.Marshal(x)
		return append(b, '\n'), err
	})
	if err != nil {
		return writeError(o.path, err)
	}
	if o.audit == nil {
		return nil
	}
	return o.audit.Append(Entry{Time: x.At, By: x.By, Did: did, Collection: x.Collection, What: x.Person, Detail: string(x.Level) + ": " + x.Reason})
}
