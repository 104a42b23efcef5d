package access

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/archive/journal"
)

// decision is a line of rules.jsonl: a rule that was added, or the id of one that was lifted. A byte that flips in a prefix or
// an id leaves a rule that can be read and is about something else, so that what was closed would be open: Sum tells. Lines from
// before there were sums are held by a seal, which the next decision puts behind them.
type decision struct {
	Do     string    `json:"do"` // add, lift, seal
	Rule   *Rule     `json:"rule,omitempty"`
	ID     string    `json:"id,omitempty"`
	By     string    `json:"by,omitempty"`
	At     time.Time `json:"at,omitzero"`
	Reason string    `json:"reason,omitempty"`
	Sum    string    `json:"sum,omitempty"` // of the line without it, or of all lines before a seal; missing in older files
}

// sum is that of the decision itself.
func (x decision) sum() (string, error) {
	x.Sum = ""
	return sumOf(x)
}

// sumOf is the digest of a line that has no sum yet.
func sumOf(line any) (string, error) {
	b, err := json.Marshal(line)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// Decisions is the log of access decisions, <dir>/rules.jsonl, which only grows. The rules in force
// follow from it; it is read again when it changed.
type Decisions struct {
	path  string
	audit *Audit

	mu     sync.Mutex
	state  os.FileInfo
	rules  []Rule
	lifted []Rule // for a person's sake
	set    *RuleSet
	unread error  // lines that cannot be read
	older  string // sum of the lines up to here, if some of them have none and no seal
}

// OpenDecisions gives the decisions in a directory, which need not exist yet. Each decision is also
// told to the audit log.
func OpenDecisions(dir string, audit *Audit) *Decisions {
	return &Decisions{path: filepath.Join(dir, "rules.jsonl"), audit: audit, set: &RuleSet{}}
}

// Rules gives the rules in force, oldest first: those that can be read. Unread tells of the others.
func (d *Decisions) Rules() ([]Rule, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.load(); err != nil {
		return nil, err
	}
	return slices.Clone(d.rules), nil
}

// Unread names the lines that cannot be read, and why; nil if there are none. It may say what they withhold: it is for those who
// decide, not for visitors.
func (d *Decisions) Unread() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.load(); err != nil {
		return err
	}
	return d.unread
}

// InForce gives the rules for checking. A log of which a line cannot be read withholds everything, by an error: the line may
// have been a takedown of anything.
func (d *Decisions) InForce() (*RuleSet, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.load(); err != nil {
		return nil, err
	}
	if d.unread != nil {
		return nil, &varve.Error{
			Kind: varve.Unavailable, Op: "read access rules", Msg: d.whichLines(),
			Hint: "nothing is shown while it is not known what may be shown; 'varve access list' and the screen Access say what is wrong: mend the line or restore the file",
		}
	}
	return d.set, nil
}

// whichLines names the bad lines by number alone.
func (d *Decisions) whichLines() string {
	bad, _ := journal.Lost(d.unread)
	if bad == nil {
		return "the file cannot be read"
	}
	var numbers []string
	for _, err := range bad.Lines {
		_, rest, _ := strings.Cut(err.Error(), ", line ")
		n, _, _ := strings.Cut(rest, ":")
		numbers = append(numbers, "line "+n)
	}
	text := strings.Join(numbers, ", ")
	if more := bad.N - len(bad.Lines); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text + " cannot be read"
}

// Lifted gives the rules that were made for a person's sake and are not in force any more: what somebody opened again stays open.
func (d *Decisions) Lifted() ([]Rule, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.load(); err != nil {
		return nil, err
	}
	return slices.Clone(d.lifted), nil
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
		d.state, d.rules, d.lifted, d.set, d.unread, d.older = nil, nil, nil, &RuleSet{}, nil, ""
		return nil
	}
	if err != nil {
		return rulesError(d.path, err)
	}
	if d.state != nil && d.state.Size() == info.Size() && d.state.ModTime().Equal(info.ModTime()) {
		return nil
	}
	rules, lifted, older, err := readRules(d.path)
	bad, err := journal.Lost(err)
	if err != nil {
		return rulesError(d.path, err)
	}
	d.state, d.rules, d.lifted, d.set, d.unread, d.older = info, rules, lifted, NewRuleSet(slices.Clone(rules)), bad.Err(), older
	return nil
}

func rulesError(path string, err error) error {
	return &varve.Error{
		Kind: varve.Unavailable, Op: "read access rules " + path, Err: err,
		Hint: "nothing is shown while it is not known what may be shown; mend the line or restore the file",
	}
}

// readRules reads the decisions. Lines that cannot be read, or are not what was written, are named by a *journal.BadLines. older is
// the sum of all lines, if some have none of their own and no seal.
func readRules(path string) (rules, lifted []Rule, older string, err error) {
	all, open := sha256.New(), false
	take := func(line json.RawMessage) error {
		var x decision
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.DisallowUnknownFields() // a rule with a word that is not known may mean anything
		if err := dec.Decode(&x); err != nil {
			return err
		}
		before := hex.EncodeToString(all.Sum(nil))
		_, _ = all.Write(line) // a hash takes everything
		_, _ = all.Write([]byte{'\n'})
		if x.Do == "seal" {
			open = false
			if x.Sum != before {
				return errors.New("the lines before it are not what was written: compare them with the audit log; if they are right, take this line out")
			}
			return nil
		}
		if open = open || x.Sum == ""; x.Sum != "" {
			if sum, err := x.sum(); err != nil || sum != x.Sum {
				return errors.Join(err, errors.New("it is not what was written (its sum differs): compare it with the audit log; if it is right, take its sum out"))
			}
		}
		switch {
		case x.Do == "add" && x.Rule != nil:
			if err := x.Rule.valid(); err != nil {
				return fmt.Errorf("rule %s: %w", x.Rule.ID, err)
			}
			rules = append(rules, *x.Rule)
		case x.Do == "lift" && x.ID != "":
			rules = slices.DeleteFunc(rules, func(r Rule) bool {
				if r.ID == x.ID && r.Person != "" {
					lifted = append(lifted, r)
				}
				return r.ID == x.ID
			})
		default:
			return fmt.Errorf("unknown decision %q", x.Do)
		}
		return nil
	}
	err = journal.Each(path, take)
	if bad, fatal := journal.Lost(err); fatal == nil {
		if n, tailErr := badEnd(path); tailErr != nil {
			if bad == nil {
				bad = &journal.BadLines{}
			}
			bad.Add(fmt.Errorf("%s, line %d: %w", path, n, tailErr))
			err = bad.Err()
		}
	}
	if open {
		older = hex.EncodeToString(all.Sum(nil))
	}
	return rules, lifted, older, err
}

// badEnd tells of a last line that has all of a decision and then something else than its end, and its number. One that was not
// written whole is none: nobody was told of that decision, and journals pass it over.
func badEnd(path string) (line int, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	tail := b[bytes.LastIndexByte(b, '\n')+1:]
	var whole json.RawMessage
	if json.Valid(tail) || json.NewDecoder(bytes.NewReader(tail)).Decode(&whole) != nil {
		return 0, nil
	}
	return bytes.Count(b, []byte{'\n'}) + 1, errors.New("the end of the line is damaged: correct it by hand")
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
	var err error
	if x.Sum, err = x.sum(); err != nil {
		return err
	}
	if n, err := badEnd(d.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return rulesError(d.path, fmt.Errorf("line %d: %w", n, err)) // it would be cut off
	}
	err = journal.Update(d.path, 0o600, func(int64) ([]byte, error) {
		_, _, older, unread := readRules(d.path)
		if _, err := journal.Lost(unread); err != nil {
			return nil, err
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		if older != "" && unread == nil {
			if err := enc.Encode(decision{Do: "seal", Sum: older}); err != nil {
				return nil, err
			}
		}
		err := enc.Encode(x)
		return b.Bytes(), err
	})
	d.state = nil
	if err != nil {
		return writeError(d.path, err)
	}
	return nil
}
