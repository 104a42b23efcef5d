package retention

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"varve"
	"varve/archive/journal"
	"varve/serve/access"
)

// Rule says how long units of a collection are kept.
type Rule struct {
	ID         string    `json:"id"`
	Collection string    `json:"collection,omitempty"` // empty: all that have no rule of their own
	Days       int       `json:"days"`                 // from the newest capture of a unit
	Reason     string    `json:"reason"`
	By         string    `json:"by"`
	At         time.Time `json:"at"`
}

// Hold keeps captures from being deleted.
type Hold struct {
	ID         string    `json:"id"`
	Matter     string    `json:"matter"`               // what people call it: a case, a request
	Collection string    `json:"collection,omitempty"` // empty: all, also those to come
	Prefix     string    `json:"prefix,omitempty"`     // of addresses, as access rules have it; empty: all
	From       time.Time `json:"from,omitzero"`        // only captures from this instant on
	To         time.Time `json:"to,omitzero"`          // only captures before this instant
	Reason     string    `json:"reason"`
	By         string    `json:"by"`
	At         time.Time `json:"at"`

	about access.Rule // for whom it matches
}

// prepare checks what a hold is about.
func (h *Hold) prepare() error {
	h.about = access.Rule{Collection: h.Collection, Prefix: h.Prefix, From: h.From, To: h.To, Level: access.Blocked, Reason: h.Reason}
	return h.about.Check()
}

// Covers reports whether a hold is about a capture, by its index key and time. It is about one whose time is not known if it is
// about one of any time.
func (h *Hold) Covers(collection, key string, at time.Time) bool {
	if at.IsZero() {
		any := h.about
		any.From, any.To = time.Time{}, time.Time{}
		return any.Matches(collection, key, at)
	}
	return h.about.Matches(collection, key, at)
}

// concerns reports whether a hold may be about captures of a collection.
func (h *Hold) concerns(collection string) bool {
	return h.Collection == "" || h.Collection == collection
}

// whole reports whether a hold is about all of a collection.
func (h *Hold) whole() bool { return h.Prefix == "" && h.From.IsZero() && h.To.IsZero() }

// UnitName names a unit of an archive.
type UnitName struct {
	Collection string `json:"collection"`
	Unit       string `json:"unit"`
}

// File is a file of a unit.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256,omitempty"` // in hex; of what was deleted
}

// Line is a decision as it is kept.
type Line struct {
	Do     string    `json:"do"` // rule, end, hold, release, keep, approve, withdraw, deleting, deleted
	Rule   *Rule     `json:"rule,omitempty"`
	Hold   *Hold     `json:"hold,omitempty"`
	ID     string    `json:"id,omitempty"` // of what is ended or released
	Of     *UnitName `json:"of,omitempty"`
	Files  []File    `json:"files,omitempty"` // that were seen, or are gone
	Counts *Counts   `json:"counts,omitempty"`
	Until  time.Time `json:"until,omitzero"` // keep: not asked about before; approve: not deleted before
	Reason string    `json:"reason,omitempty"`
	By     string    `json:"by,omitempty"`
	At     time.Time `json:"at,omitzero"`
	Sum    string    `json:"sum"` // SHA-256 of the line without it: a byte that flips would free what is held
}

// Counts are what a unit has.
type Counts struct {
	Captures int64     `json:"captures"`
	Bytes    int64     `json:"bytes"`
	First    time.Time `json:"first,omitzero"`
	Last     time.Time `json:"last,omitzero"`
}

func (l Line) sum() (string, error) {
	l.Sum = ""
	b, err := json.Marshal(l)
	if err != nil {
		return "", err
	}
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:]), nil
}

// Review is what a person decided about a unit.
type Review struct {
	UnitName
	Files  []File    `json:"files,omitempty"` // that the person saw
	Counts Counts    `json:"counts,omitzero"`
	Until  time.Time `json:"until"`
	Reason string    `json:"reason"`
	By     string    `json:"by"`
	At     time.Time `json:"at"`
	Done   time.Time `json:"done,omitzero"` // of a deletion: when the last file was gone; zero: it was broken off
}

// State is what the decisions come to.
type State struct {
	Rules    []Rule
	Holds    []Hold // in force
	Released []Hold
	Kept     map[UnitName]Review
	Approved map[UnitName]Review
	Gone     []Review // deleted, or begun to be
	Unread   error    // lines that cannot be read: they may be holds, so nothing may be deleted
}

// RuleOf returns the rule of a collection: its own, else that for all; of several the longest.
func (s *State) RuleOf(collection string) (Rule, bool) {
	var best Rule
	for _, r := range s.Rules {
		if r.Collection != "" && r.Collection != collection {
			continue
		}
		own, bestOwn := r.Collection != "", best.Collection != ""
		if best.ID == "" || own && !bestOwn || own == bestOwn && r.Days > best.Days {
			best = r
		}
	}
	return best, best.ID != ""
}

// HoldsOn returns the holds that may be about captures of a collection.
func (s *State) HoldsOn(collection string) []Hold {
	return slices.DeleteFunc(slices.Clone(s.Holds), func(h Hold) bool { return !h.concerns(collection) })
}

// Hold returns a hold, in force or released.
func (s *State) Hold(id string) (Hold, bool) {
	for _, h := range slices.Concat(s.Holds, s.Released) {
		if h.ID == id {
			return h, true
		}
	}
	return Hold{}, false
}

// Book is the journal of decisions of an archive. Safe for concurrent use.
type Book struct {
	path   string
	audit  *access.Audit
	random io.Reader
	now    func() time.Time

	mu    sync.Mutex
	seen  os.FileInfo
	state *State
}

// Open returns the decisions of an archive. What is decided is also told to the audit log, if there is one.
func Open(archive string, audit *access.Audit, random io.Reader, now func() time.Time) *Book {
	return &Book{path: filepath.Join(archive, "retention", "decisions.jsonl"), audit: audit, random: random, now: now}
}

// Path is where the journal lies.
func (b *Book) Path() string { return b.path }

// State returns what the decisions come to. It is shared: do not change it.
func (b *Book) State() (*State, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.load()
}

func (b *Book) load() (*State, error) {
	info, err := os.Stat(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		b.seen, b.state = nil, newState()
		return b.state, nil
	}
	if err == nil && b.state != nil && b.seen != nil && b.seen.Size() == info.Size() && b.seen.ModTime().Equal(info.ModTime()) {
		return b.state, nil
	}
	var s *State
	if err == nil {
		s, err = read(b.path)
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Unavailable, Op: "read the decisions on retention", Err: err, Hint: "nothing is deleted while it is not known what is under a hold"}
	}
	b.seen, b.state = info, s
	return s, nil
}

func newState() *State {
	return &State{Kept: map[UnitName]Review{}, Approved: map[UnitName]Review{}}
}

// read reads a journal.
func read(path string) (*State, error) {
	s := newState()
	err := journal.Each(path, func(raw json.RawMessage) error {
		var l Line
		dec := json.NewDecoder(bytes.NewReader(raw))
		dec.DisallowUnknownFields() // a word that is not known may keep something
		if err := dec.Decode(&l); err != nil {
			return err
		}
		if sum, err := l.sum(); err != nil || sum != l.Sum {
			return errors.Join(err, errors.New("it is not what was written (its sum differs): compare it with the audit log"))
		}
		return s.take(&l)
	})
	bad, err := journal.Lost(err)
	if err != nil {
		return nil, err
	}
	s.Unread = bad.Err()
	return s, nil
}

// take adds a decision.
func (s *State) take(l *Line) error {
	if l.Do != "rule" && l.Do != "hold" && l.Do != "end" && l.Do != "release" && l.Of == nil {
		return fmt.Errorf("a decision %q about nothing", l.Do)
	}
	switch l.Do {
	case "rule":
		if l.Rule == nil || l.Rule.ID == "" || l.Rule.Days < 1 {
			return errors.New("a rule without its days")
		}
		s.Rules = append(s.Rules, *l.Rule)
	case "end":
		s.Rules = slices.DeleteFunc(s.Rules, func(r Rule) bool { return r.ID == l.ID })
	case "hold":
		if l.Hold == nil || l.Hold.ID == "" {
			return errors.New("a hold without its subject")
		}
		if err := l.Hold.prepare(); err != nil {
			return err
		}
		s.Holds = append(s.Holds, *l.Hold)
	case "release":
		for i, h := range s.Holds {
			if h.ID == l.ID {
				s.Released = append(s.Released, h)
				s.Holds = slices.Delete(s.Holds, i, i+1)
				break
			}
		}
	case "keep":
		s.Kept[*l.Of] = l.review()
		delete(s.Approved, *l.Of)
	case "approve":
		s.Approved[*l.Of] = l.review()
		delete(s.Kept, *l.Of)
	case "withdraw":
		delete(s.Approved, *l.Of)
	case "deleting":
		s.Gone = slices.DeleteFunc(s.Gone, func(r Review) bool { return r.UnitName == *l.Of && r.Done.IsZero() }) // begun again
		s.Gone = append(s.Gone, l.review())
	case "deleted":
		delete(s.Approved, *l.Of)
		for i := len(s.Gone) - 1; i >= 0; i-- {
			if s.Gone[i].UnitName == *l.Of {
				s.Gone[i].Done = l.At
				break
			}
		}
	default:
		return fmt.Errorf("unknown decision %q", l.Do)
	}
	return nil
}

func (l *Line) review() Review {
	r := Review{UnitName: *l.Of, Files: l.Files, Until: l.Until, Reason: l.Reason, By: l.By, At: l.At}
	if l.Counts != nil {
		r.Counts = *l.Counts
	}
	return r
}

// write appends a decision and tells the audit log. check runs with the state that the decision is about to change: no other
// process writes meanwhile.
func (b *Book) write(l Line, e access.Entry, check func(*State) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	l.At = b.now().UTC().Truncate(time.Second)
	err := journal.Update(b.path, 0o600, func(int64) ([]byte, error) {
		s, err := b.load()
		if err != nil {
			return nil, err
		}
		if check != nil {
			if err := check(s); err != nil {
				return nil, err
			}
		}
		if l.Sum, err = l.sum(); err != nil {
			return nil, err
		}
		line, err := json.Marshal(l)
		return append(line, '\n'), err
	})
	if err != nil {
		var known *varve.Error
		if errors.As(err, &known) {
			return known
		}
		return &varve.Error{Kind: varve.Unavailable, Op: "write down a decision on retention", Err: err}
	}
	b.seen = nil
	e.Time, e.By = l.At, l.By
	if b.audit == nil {
		return nil
	}
	return b.audit.Append(e)
}

func (b *Book) id() (string, error) {
	raw := make([]byte, 5)
	if _, err := io.ReadFull(b.random, raw); err != nil {
		return "", err
	}
	return strings.ToLower(base32.StdEncoding.EncodeToString(raw)), nil
}

func needReason(op, reason string) error {
	if strings.TrimSpace(reason) == "" {
		return &varve.Error{Kind: varve.Invalid, Op: op, Msg: "a reason is needed: those who come after you will ask"}
	}
	return nil
}

// AddRule takes a retention rule into force. It deletes nothing by itself.
func (b *Book) AddRule(r Rule, by string) (_ Rule, err error) {
	const op = "add a retention rule"
	if r.Days < 1 || r.Days > 200*366 {
		return r, &varve.Error{Kind: varve.Invalid, Op: op, Msg: "the time to keep is 1 day to 200 years"}
	}
	if err := needReason(op, r.Reason); err != nil {
		return r, err
	}
	if r.ID, err = b.id(); err != nil {
		return r, err
	}
	r.By, r.At = by, b.now().UTC().Truncate(time.Second)
	return r, b.write(Line{Do: "rule", Rule: &r, By: by}, access.Entry{
		Did: "retention rule added", Collection: r.Collection, What: r.ID, Detail: fmt.Sprintf("%d days: %s", r.Days, r.Reason),
	}, nil)
}

// EndRule ends a rule.
func (b *Book) EndRule(id, by, reason string) error {
	op := "end retention rule " + id
	if err := needReason(op, reason); err != nil {
		return err
	}
	return b.write(Line{Do: "end", ID: id, By: by, Reason: reason}, access.Entry{Did: "retention rule ended", What: id, Detail: reason}, func(s *State) error {
		if !slices.ContainsFunc(s.Rules, func(r Rule) bool { return r.ID == id }) {
			return &varve.Error{Kind: varve.NotFound, Op: op, Msg: "there is no such rule in force", Hint: "'varve retention list' shows them"}
		}
		return nil
	})
}

// AddHold takes a hold into force.
func (b *Book) AddHold(h Hold, by string) (_ Hold, err error) {
	const op = "add a hold"
	if h.Matter = strings.TrimSpace(h.Matter); h.Matter == "" {
		return h, &varve.Error{Kind: varve.Invalid, Op: op, Msg: "a hold needs a matter: the name of the case or request"}
	}
	if err := needReason(op, h.Reason); err != nil {
		return h, err
	}
	if err := h.prepare(); err != nil {
		return h, &varve.Error{Kind: varve.Invalid, Op: op, Err: err}
	}
	if h.ID, err = b.id(); err != nil {
		return h, err
	}
	h.By, h.At = by, b.now().UTC().Truncate(time.Second)
	return h, b.write(Line{Do: "hold", Hold: &h, By: by}, access.Entry{
		Did: "hold added", Collection: h.Collection, What: h.Prefix, Detail: h.ID + ": " + h.Matter + ": " + h.Reason,
	}, nil)
}

// Release ends a hold.
func (b *Book) Release(id, by, reason string) error {
	op := "release hold " + id
	if err := needReason(op, reason); err != nil {
		return err
	}
	e := access.Entry{Did: "hold released", Detail: id + ": " + reason}
	return b.write(Line{Do: "release", ID: id, By: by, Reason: reason}, e, func(s *State) error {
		if !slices.ContainsFunc(s.Holds, func(h Hold) bool { return h.ID == id }) {
			return &varve.Error{Kind: varve.NotFound, Op: op, Msg: "there is no such hold in force", Hint: "'varve retention list' shows them"}
		}
		return nil
	})
}

// Grace is how long an approval can be taken back before it is carried out.
const Grace = 7 * 24 * time.Hour

// Keep says that a unit is kept until a day whatever rules say; then it is asked about again.
func (b *Book) Keep(u UnitName, until time.Time, by, reason string) error {
	op := "keep " + u.Unit
	if err := needReason(op, reason); err != nil {
		return err
	}
	if !until.After(b.now()) {
		return &varve.Error{Kind: varve.Invalid, Op: op, Msg: "the day until which it is kept is over"}
	}
	return b.write(Line{Do: "keep", Of: &u, Until: until.UTC(), By: by, Reason: reason}, access.Entry{
		Did: "reviewed: kept", Collection: u.Collection, What: u.Unit, Detail: "until " + until.UTC().Format(time.DateOnly) + ": " + reason,
	}, nil)
}

// Approve says that a unit that is due may be deleted, Grace from now on.
func (b *Book) Approve(v Verdict, by, reason string) error {
	op := "approve the deletion of " + v.Unit.Unit
	if err := needReason(op, reason); err != nil {
		return err
	}
	if v.Status != Due {
		return &varve.Error{Kind: varve.Conflict, Op: op, Msg: "it is not due for review: " + v.Why()}
	}
	until := b.now().Add(Grace).UTC().Truncate(time.Second)
	return b.write(Line{Do: "approve", Of: &v.UnitName, Files: v.Files, Counts: &v.Counts, Until: until, By: by, Reason: reason}, access.Entry{
		Did: "reviewed: deletion approved", Collection: v.Collection, What: v.Unit.Unit,
		Detail: fmt.Sprintf("%d files, %d captures, not before %s: %s", len(v.Files), v.Captures, until.Format(time.RFC3339), reason),
	}, nil)
}

// Withdraw takes an approval back.
func (b *Book) Withdraw(u UnitName, by, reason string) error {
	op := "withdraw the approval of " + u.Unit
	return b.write(Line{Do: "withdraw", Of: &u, By: by, Reason: reason}, access.Entry{Did: "approval withdrawn", Collection: u.Collection, What: u.Unit, Detail: reason}, func(s *State) error {
		if _, ok := s.Approved[u]; !ok {
			return &varve.Error{Kind: varve.NotFound, Op: op, Msg: "its deletion is not approved"}
		}
		return nil
	})
}
