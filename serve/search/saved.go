package search

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/journal"
)

// Limits of saved searches.
const (
	maxSavedName  = 200
	maxSavedQuery = 8 << 10
	maxSaved      = 1000 // of a collection
)

// Saved is a search that somebody keeps.
type Saved struct {
	ID         string    `json:"id"`
	Collection string    `json:"collection"`
	Name       string    `json:"name"`
	Query      string    `json:"query"` // parameters, as in an address: q=election&lang=de
	By         string    `json:"by"`
	At         time.Time `json:"at"`
}

// savedLine is a line of labels/searches.jsonl: a search that is kept from then on, or the id of one that is not any more.
type savedLine struct {
	Do string `json:"do"` // save, delete
	Saved
}

// SavedFile is where the searches of a collection are kept; dir is that of the collection.
func SavedFile(dir string) string { return filepath.Join(dir, "labels", "searches.jsonl") }

// ReadSaved gives the searches that are kept, by name. Lines that cannot be read lose only themselves and are lost: whoever shows
// searches tells of them.
func ReadSaved(dir string) (out []Saved, lost *journal.BadLines, err error) {
	lost, err = journal.Lost(journal.Each(SavedFile(dir), func(l savedLine) error {
		if l.ID == "" || l.Do != "save" && l.Do != "delete" {
			return errors.New("it neither saves nor deletes a search")
		}
		out = slices.DeleteFunc(out, func(s Saved) bool { return s.ID == l.ID })
		if l.Do == "save" {
			out = append(out, l.Saved)
		}
		return nil
	}))
	if err != nil {
		return nil, nil, &varve.Error{Kind: varve.Unavailable, Op: "read saved searches", Err: err}
	}
	slices.SortFunc(out, func(a, b Saved) int { return cmp.Or(strings.Compare(a.Name, b.Name), a.At.Compare(b.At)) })
	return out, lost, nil
}

// Save keeps a search. One with the same name takes the place of the one before.
func Save(dir string, s Saved) (Saved, error) {
	s.Name = strings.Join(strings.Fields(s.Name), " ")
	refuse := func(msg string) (Saved, error) {
		return s, &varve.Error{Kind: varve.Invalid, Op: "save a search", Msg: msg, Hint: `{"collection":"news","name":"Elections","query":"q=election&lang=de"}`}
	}
	switch {
	case s.Name == "" || len(s.Name) > maxSavedName:
		return refuse(fmt.Sprintf("it needs a name of at most %d bytes", maxSavedName))
	case len(s.Query) > maxSavedQuery:
		return refuse(fmt.Sprintf("the query is longer than %d bytes", maxSavedQuery))
	}
	v, err := url.ParseQuery(strings.TrimPrefix(s.Query, "?"))
	if err != nil {
		return refuse("the query cannot be read: " + err.Error())
	}
	if _, err := Parse(v); err != nil {
		return s, err
	}
	s.Query = v.Encode()
	have, _, err := ReadSaved(dir)
	if err != nil {
		return s, err
	}
	if len(have) >= maxSaved {
		return refuse(fmt.Sprintf("there are %d already: delete some first", maxSaved))
	}
	sum := sha256.Sum256([]byte(s.Collection + "\x00" + s.Name))
	s.ID = hex.EncodeToString(sum[:6])
	if err := journal.Append(SavedFile(dir), savedLine{"save", s}); err != nil {
		return s, &varve.Error{Kind: varve.Unavailable, Op: "save a search", Err: err}
	}
	return s, nil
}

// DeleteSaved forgets a search. The line that saved it stays; a later one takes it back.
func DeleteSaved(dir, id, by string, at time.Time) error {
	have, _, err := ReadSaved(dir)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(have, func(s Saved) bool { return s.ID == id })
	if i < 0 {
		return &varve.Error{Kind: varve.NotFound, Op: "delete a saved search", Msg: "there is none with the id " + id}
	}
	gone := Saved{ID: id, Collection: have[i].Collection, Name: have[i].Name, By: by, At: at}
	if err := journal.Append(SavedFile(dir), savedLine{"delete", gone}); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "delete a saved search", Err: err}
	}
	return nil
}
