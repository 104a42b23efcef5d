package dating

import "varve/web/markup"

// Read finds the stamps of an HTML page in UTF-8.
func Read(page []byte) Stamps {
	var r Reader
	var w markup.Walker
	w.Walk(page, false, &r)
	return r.Stamps()
}

// Tries returns how many dates were read of a page, and how many were kept, for the day of publication.
func (s Stamps) Tries() (read, kept int) { return s.hints.tries, len(s.hints.list) }

// The bounds of both.
const (
	MaxTries = maxTries
	MaxKept  = maxHints * int(numPlaces)
)
