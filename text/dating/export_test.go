package dating

import "varve/web/markup"

// Read finds the stamps of an HTML page in UTF-8.
func Read(page []byte) Stamps {
	var r Reader
	var w markup.Walker
	w.Walk(page, false, &r)
	return r.Stamps()
}
