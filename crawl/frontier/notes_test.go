package frontier

import (
	"errors"
	"slices"
	"testing"
)

// Notes can be read one by one and by prefix, and are gone when they are emptied.
func TestNotesByName(t *testing.T) {
	f := open(t, Config{})
	if _, err := f.FinishWith(nil, map[string][]byte{"host a": []byte("1"), "host b": []byte("2"), "lane x": []byte("3")}); err != nil {
		t.Fatal(err)
	}
	if _, err := f.FinishWith(nil, map[string][]byte{"host b": nil, "host c": []byte("4")}); err != nil {
		t.Fatal(err)
	}
	var names []string
	err := f.EachNote("host ", func(name string, note []byte) error {
		names = append(names, name+"="+string(note))
		return nil
	})
	if err != nil || !slices.Equal(names, []string{"host a=1", "host c=4"}) {
		t.Errorf("%v, %v", names, err)
	}
	if one, err := f.NoteOf("host c"); string(one) != "4" || err != nil {
		t.Errorf("host c: %q, %v", one, err)
	}
	if none, err := f.NoteOf("host b"); none != nil || err != nil {
		t.Errorf("host b: %q, %v", none, err)
	}
	if some, err := f.Notes("lane ", "host c"); len(some) != 2 || err != nil {
		t.Errorf("%v, %v", some, err)
	}
	stop := errors.New("enough")
	if err := f.EachNote("", func(string, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("went on: %v", err)
	}
}
