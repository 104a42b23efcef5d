package crawls

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"

	"varve"
	"varve/serve/access"
)

// NewCollection is what a collection begins with.
type NewCollection struct {
	Name    string `json:"name"`
	Title   string `json:"title,omitempty"`
	Purpose string `json:"purpose,omitempty"`
}

// Check tells what speaks against a new collection, field by field.
func (n NewCollection) Check(d *Desk) Faults {
	x := &drafting{}
	col, err := d.Archive.Collection(n.Name)
	if err != nil {
		x.fault("name", errors.New("a name has letters, digits, dots, dashes and underscores, at most 100 of them, and begins with a letter or digit"))
	} else if col.Exists() {
		x.fault("name", errors.New("there is a collection of this name"))
	}
	for _, f := range []struct{ name, text string }{{"title", n.Title}, {"purpose", n.Purpose}} {
		if len(f.text) > maxText || !utf8.ValidString(f.text) || strings.ContainsRune(f.text, 0) {
			x.fault(f.name, fmt.Errorf("it is text of at most %d characters", maxText))
		}
	}
	return x.faults
}

// Begin makes an empty collection. Its collection.toml has title and purpose and belongs to people from then on.
func (d *Desk) Begin(n NewCollection, by string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	op := fmt.Sprintf("begin collection %q", n.Name)
	if f := n.Check(d); len(f) > 0 {
		return &varve.Error{Kind: varve.Invalid, Op: op, Msg: f.String()}
	}
	col, err := d.Archive.Collection(n.Name)
	if err != nil {
		return err
	}
	if err := d.Audit.Append(access.Entry{Time: d.Now(), By: by, Did: "begin collection", Collection: n.Name, Detail: n.Title}); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: "tell the audit log", Err: err, Hint: "nothing was made; see that the archive can be written to"}
	}
	if err := col.Create(); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: op, Err: err, Hint: "see that the archive can be written to"}
	}
	if err := writeNew(col.DefinitionFile(), n); err != nil {
		return &varve.Error{Kind: varve.Unavailable, Op: op, Err: err, Hint: "see that the archive can be written to"}
	}
	return nil
}

// writeNew writes a first collection.toml; one that is there stays.
func writeNew(path string, n NewCollection) (err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text := struct {
		Title   string `toml:"title,omitempty"`
		Purpose string `toml:"purpose,omitempty"`
	}{n.Title, n.Purpose}
	if err := toml.NewEncoder(f).Encode(text); err != nil {
		return err
	}
	return f.Sync()
}
