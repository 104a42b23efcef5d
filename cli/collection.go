package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"varve"
	"varve/archive/catalog"
)

// defaultCollection is the one that crawls and imports write to if none is named.
const defaultCollection = "default"

// collectionFlag adds the flag of commands that look at one collection.
func collectionFlag(f *pflag.FlagSet, name *string) {
	f.StringVar(name, "collection", "", "the collection (default: the only one, or the one named default)")
}

// oneCollection gives the collection that is meant: the one named, or the only one, or "default".
func oneCollection(archive, name string) (*catalog.Collection, error) {
	cols, err := chosenCollections(archive, name)
	if err != nil {
		return nil, err
	}
	if len(cols) == 1 {
		return cols[0], nil
	}
	var names []string
	for _, col := range cols {
		if col.Name == defaultCollection {
			return col, nil
		}
		names = append(names, col.Name)
	}
	const shown = 10
	if len(names) > shown {
		names = append(names[:shown], fmt.Sprintf("and %d more", len(names)-shown))
	}
	return nil, &varve.Error{
		Kind: varve.Invalid, Op: "archive " + archive, Msg: fmt.Sprintf("it has %d collections: which one?", len(cols)),
		Hint: "--collection " + strings.Join(names, ", "),
	}
}
