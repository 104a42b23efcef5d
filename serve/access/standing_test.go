package access

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"varve"
)

// A takedown stands until it is ended; the same one twice is one; a line that cannot be read is no takedown that is forgotten.
func TestOrders(t *testing.T) {
	dir := t.TempDir()
	o := OpenOrders(dir, OpenAudit(dir))
	at := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	order := Order{Person: "Q1", Level: Blocked, Reason: "letter", By: "me", At: at}
	if list, err := o.Standing(); err != nil || len(list) > 0 {
		t.Fatal(list, err)
	}
	if err := o.Give(Order{Person: "Q1", Level: Blocked}); varve.KindOf(err) != varve.Invalid {
		t.Error("an order without a reason:", err)
	}
	other := order
	other.Collection = "news"
	for _, x := range []Order{order, order, other} {
		if err := o.Give(x); err != nil {
			t.Fatal(err)
		}
	}
	list, err := o.Standing()
	if err != nil || len(list) != 2 || list[0].Person != "Q1" || list[1].Collection != "news" {
		t.Fatalf("%+v, %v", list, err)
	}
	if err := o.End(Order{Person: "Q1", ByName: true}); varve.KindOf(err) != varve.NotFound {
		t.Error(err)
	}
	if err := o.End(order); err != nil {
		t.Fatal(err)
	}
	if list, err = o.Standing(); err != nil || len(list) != 1 || list[0].Collection != "news" {
		t.Errorf("%+v, %v", list, err)
	}
	path := filepath.Join(dir, "persons.jsonl")
	b, err := os.ReadFile(path)
	if err != nil || strings.Count(string(b), "\n") != 3 {
		t.Fatal(string(b), err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(b), `"news"`, `news`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Standing(); varve.KindOf(err) != varve.Unavailable {
		t.Error("a line that cannot be read:", err)
	}
}

// What was lifted is known, if it was for a person's sake.
func TestLifted(t *testing.T) {
	dir := t.TempDir()
	d := OpenDecisions(dir, nil)
	now := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	for _, r := range []Rule{{Prefix: "http://a.example/x", Exact: true, Person: "Q1", Level: Blocked, Reason: "letter"}, {Prefix: "http://a.example/y", Level: Blocked, Reason: "letter"}} {
		one, err := d.Add(r, "me", Admin, now)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Lift(one.ID, "me", "again", now); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := d.Lifted(); err != nil || len(list) != 1 || list[0].Person != "Q1" {
		t.Errorf("%+v, %v", list, err)
	}
}

// A byte that flips in an order makes it one about somebody else, or one that seems never to have been written whole: both are told, and no line is
// written behind them. Lines of older files have no sum.
func TestDamagedOrders(t *testing.T) {
	dir := t.TempDir()
	o := OpenOrders(dir, nil)
	order := Order{Person: "Q17", Level: Blocked, Reason: "letter", By: "me", At: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)}
	second := order
	second.Person = "Q18"
	for _, x := range []Order{order, second} {
		if err := o.Give(x); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "persons.jsonl")
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range sound {
		for _, bit := range []int{at % 3, 3 + at%5} {
			b := bytes.Clone(sound)
			b[at] ^= 1 << bit
			if b[at] == '\r' || string(bytes.TrimSpace(b)) == string(bytes.TrimSpace(sound)) {
				continue // a blank at the end of a line
			}
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if list, err := o.Standing(); varve.KindOf(err) != varve.Unavailable && len(list) != 2 {
				t.Fatalf("byte %d, bit %d: %+v, %v\n%s", at, bit, list, err, b)
			} else if err == nil && (!list[0].same(&order) || !list[1].same(&second) || list[0].Level != Blocked || list[1].Level != Blocked) {
				t.Fatalf("byte %d, bit %d: %+v\n%s", at, bit, list, b)
			} else if err != nil && o.Give(Order{Person: "Q19", Level: Blocked, Reason: "letter"}) == nil {
				t.Fatalf("byte %d, bit %d: written behind a line that cannot be read\n%s", at, bit, b)
			}
		}
	}
	older := regexp.MustCompile(`,"sum":"[0-9a-f]*"`).ReplaceAll(sound, nil)
	if err := os.WriteFile(path, older, 0o600); err != nil {
		t.Fatal(err)
	}
	if list, err := o.Standing(); err != nil || len(list) != 2 {
		t.Error(list, err)
	}
}

// A takedown opens nothing.
func TestOrderOpens(t *testing.T) {
	o := OpenOrders(t.TempDir(), nil)
	for _, level := range []Level{Open, "", "closed"} {
		if err := o.Give(Order{Person: "Q1", Level: level, Reason: "letter"}); varve.KindOf(err) != varve.Invalid {
			t.Errorf("level %q: %v", level, err)
		}
	}
	if err := o.Give(Order{Level: Blocked, Reason: "letter"}); varve.KindOf(err) != varve.Invalid {
		t.Error("about nobody:", err)
	}
}
