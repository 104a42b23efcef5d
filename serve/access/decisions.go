package access

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"varve"
	"varve/archive/journal"
)

// decision is a line of rules.jsonl: a rule that was added, or the id of one that was lifted.
type decision struct {
	Do     string    `json:"do"` // add, lift
	Rule   *Rule     `json:"rule,omitempty"`
	ID     string    `json:"id,omitempty"`
	By     string    `json:"by,omitempty"`
	At     time.Time `json:"at,omitzero"`
	Reason string    `json:"reason,omitempty"`
}

// Decisions is the log of access decisions, <dir>/rules.jsonl, which only grows. The rules in force
// follow from it; it is read again when it changed.
type Decisions struct {
	path  string
	audit *Audit

	mu    sync.Mutex
	state os.FileInfo
	rules []Rule
	set   *RuleSet
}

// OpenDecisions gives the decisions in a directory, which need not exist yet. Each decision is also
// told to the audit log.
func OpenDecisions(dir string, audit *Audit) *Decisions {
	return &Decisions{path: filepath.Join(dir, "rules.jsonl"), audit: audit, set: &RuleSet{}}
}

// Rules gives the rules in force, oldest first.
func (d *Decisions) Rules() ([]Rule, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.load(); err != nil {
		return nil, err
	}
	return slices.Clone(d.rules), nil
}

// InForce gives the rules for checking. A log that cannot be read withholds everything: an error.
func (d *Decisions) InForce() (*RuleSet, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.load(); err != nil {
		return nil, err
	}
	return d.set, nil
}

// May gives what tells whether the visitor of a context may see captures of a collection, by key and time; nil if they may
// see all of them. Decisions that are nil withhold nothing.
func (d *Decisions) May(ctx context.Context, collection string, now time.Time) (func(key string, at time.Time) bool, error) {
	if d == nil {
		return nil, nil
	}
	set, err := d.InForce()
	if err != nil {
		return nil, err
	}
	who := From(ctx)
	if !set.Withholds(who, collection) {
		return nil, nil
	}
	return func(key string, at time.Time) bool { return set.Check(who, collection, key, at, now).Allowed }, nil
}

func (d *Decisions) load() error {
	info, err := os.Stat(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		d.state, d.rules, d.set = nil, nil, &RuleSet{}
		return nil
	}
	if err != nil {
		return rulesError(d.path, err)
	}
	if d.state != nil && d.state.Size() == info.Size() && d.state.ModTime().Equal(info.ModTime()) {
		return nil
	}
	rules, err := readRules(d.path)
	if err != nil {
		return rulesError(d.path, err)
	}
	d.state, d.rules, d.set = info, rules, NewRuleSet(slices.Clone(rules))
	return nil
}

func rulesError(path string, err error) error {
	return &varve.Error{
		Kind: varve.Unavailable, Op: "read access rules " + path, Err: err,
		Hint: "nothing is shown while it is not known what may be shown; mend the line or restore the file",
	}
}

func readRules(path string) ([]Rule, error) {
	var rules []Rule
	for x, err := range journal.Read[decision](path) {
		if errors.Is(err, journal.ErrTorn) {
			break // it was never in force
		}
		if err != nil {
			return nil, err
		}
		switch {
		case x.Do == "add" && x.Rule != nil:
			if err := x.Rule.prepare(); err != nil {
				return nil, fmt.Errorf("rule %s: %w", x.Rule.ID, err)
			}
			rules = append(rules, *x.Rule)
		case x.Do == "lift":
			rules = slices.DeleteFunc(rules, func(r Rule) bool { return r.ID == x.ID })
		default:
			return nil, fmt.Errorf("unknown decision %q", x.Do)
		}
	}
	return rules, nil
}

// Add takes a rule into force. Who, with which role, and when are filled in; the id is given back.
func (d *Decisions) Add(r Rule, by string, role Role, now time.Time) (Rule, error) {
	r.ID, r.By, r.Role, r.At = randomID(), by, role, now.UTC().Truncate(time.Second)
	if err := r.Check(); err != nil {
		return r, &varve.Error{Kind: varve.Invalid, Op: "add access rule", Err: err}
	}
	if err := d.append(decision{Do: "add", Rule: &r}); err != nil {
		return r, err
	}
	return r, d.tell(Entry{
		Time: now, By: by, Did: "rule added", Collection: r.Collection, What: r.Prefix,
		Detail: fmt.Sprintf("%s: %s: %s", r.ID, r.Describe(), r.Reason),
	})
}

// Describe says in words what the rule does.
func (r Rule) Describe() string {
	out := string(r.Level)
	if r.Embargo > 0 {
		if out != "" {
			out += ", "
		}
		out += fmt.Sprintf("embargo %d days", r.Embargo)
	}
	return out
}

// Lift ends a rule.
func (d *Decisions) Lift(id, by, reason string, now time.Time) error {
	rules, err := d.Rules()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return &varve.Error{Kind: varve.NotFound, Op: "lift access rule " + id, Msg: "there is no such rule in force", Hint: "'varve access list' shows them"}
	}
	if err := d.append(decision{Do: "lift", ID: id, By: by, At: now.UTC().Truncate(time.Second), Reason: reason}); err != nil {
		return err
	}
	return d.tell(Entry{Time: now, By: by, Did: "rule lifted", Collection: rules[i].Collection, What: rules[i].Prefix, Detail: id + ": " + reason})
}

func (d *Decisions) tell(e Entry) error {
	if d.audit == nil {
		return nil
	}
	return d.audit.Append(e)
}

func (d *Decisions) append(x decision) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := journal.AppendAs(d.path, 0o600, x); err != nil {
		return writeError(d.path, err)
	}
	d.state = nil
	return nil
}
