package history

import "time"

// Entry is what is known of a URL.
type Entry struct {
	Key          string    `json:"key"`
	URL          string    `json:"url"`
	First        time.Time `json:"first"` // earliest visit
	Last         time.Time `json:"last"`  // latest visit
	Visits       int       `json:"visits"`
	Status       int       `json:"status"` // of the latest visit
	MIME         string    `json:"mime,omitempty"`
	Size         int64     `json:"size"`
	ETag         string    `json:"etag,omitempty"`
	LastModified string    `json:"lastModified,omitempty"`
	Digests      []Digest  `json:"digests,omitempty"`
	Original     Reference `json:"original,omitzero"` // the record that holds the last whole payload
	Latest       Reference `json:"latest"`            // the record of the latest visit
	Layers       []string  `json:"layers,omitempty"`  // names of the bits in Changes
	Older        Older     `json:"older,omitzero"`
	Changes      []Change  `json:"changes"` // oldest first
}

// MIME, Size, ETag, LastModified, Digests and Original are those of the last visit that got or
// confirmed a whole answer with status 2xx; an error in between leaves them as they were.

// Change is one visit as change-rate estimators see it.
type Change struct {
	At       time.Time `json:"at"`
	Status   int       `json:"status"`
	Compared Layers    `json:"compared"` // layers that this visit and the one before both had
	Changed  Layers    `json:"changed"`  // of Compared: layers that differed
}

// Layers is a set of the layers of an entry: bit i is Entry.Layers[i].
type Layers uint16

// maxLayers bounds the layers of an entry; further ones are stored as digests and not compared.
const maxLayers = 16

// Has tells whether layer i is in the set.
func (l Layers) Has(i int) bool { return l>>i&1 == 1 }

// Older counts the changes that no longer are in the list.
type Older struct {
	Visits int          `json:"visits"`
	To     time.Time    `json:"to"` // the latest of them; the first was at Entry.First
	Layers []LayerCount `json:"layers,omitempty"`
}

// LayerCount counts comparisons of one layer.
type LayerCount struct {
	Compared int `json:"compared"`
	Changed  int `json:"changed"`
}

// Digest gives the digest of that name.
func (e *Entry) Digest(name string) (Digest, bool) {
	for _, d := range e.Digests {
		if d.Name == name {
			return d, true
		}
	}
	return Digest{}, false
}

// Layer gives the number of the layer of that name, or -1.
func (e *Entry) Layer(name string) int {
	for i, l := range e.Layers {
		if l == name {
			return i
		}
	}
	return -1
}
