package cdxj

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// parseJSON reads the object of a line with the standard library.
func (r *Record) parseJSON(s string) error {
	d := json.NewDecoder(strings.NewReader(s))
	t, err := d.Token()
	if err != nil {
		return position(err, d)
	}
	if t != json.Delim('{') {
		return fmt.Errorf("want an object, got %v", t)
	}
	for d.More() {
		if err := r.parseField(d); err != nil {
			return position(err, d)
		}
	}
	if _, err := d.Token(); err != nil {
		return position(err, d)
	}
	if rest := strings.TrimLeft(s[d.InputOffset():], " \t\r\n"); rest != "" {
		return fmt.Errorf("byte %d: %q after the object", d.InputOffset()+1, clip(rest))
	}
	return nil
}

// parseField reads a name and its value.
func (r *Record) parseField(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	name, ok := t.(string)
	if !ok {
		return errors.New("want a name")
	}
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return err
	}
	text, quoted := string(raw), raw[0] == '"'
	if quoted {
		if err := json.Unmarshal(raw, &text); err != nil {
			return err
		}
	}
	return r.setField(name, text, quoted, string(raw))
}

// position adds the place to an error.
func position(err error, d *json.Decoder) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("byte %d: %w", d.InputOffset()+1, err)
}
