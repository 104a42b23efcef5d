package wacz

import (
	"crypto"
	"io"
	"time"

	"varve/archive/warc"
)

// Config says what a package tells about itself and how it is made. The zero value is a package
// without title, dated at the start of ZIP time, unsigned.
type Config struct {
	Title        string
	Description  string // Markdown
	Software     string
	Created      time.Time // also the time of all entries
	Modified     time.Time // zero: not told
	MainPageURL  string    // empty: the page of the first seed met, if there are seeds
	MainPageDate time.Time // zero: of the first capture of that page

	// Seeds are where the crawl began. If there are any, their pages go to pages.jsonl and all
	// others to extraPages.jsonl; otherwise all go to pages.jsonl.
	Seeds []string
	Text  bool // keep the text of pages
	// GivenPages means that all pages come by AddPage and none is looked for.
	GivenPages bool

	// NotModified keeps index lines of revisits by which a server said that nothing changed (304). ReplayWeb.page
	// and pywb take the status from them and show a blank page, so they are left out; the records are there.
	NotModified bool

	// Remake, if set, packs files that players could not read by offset (ARC, several records in a compressed
	// member) as WARC files made of the same records, one member each; without it they are refused. It is the
	// randomness of the ids that records of ARC get. Each file is then read once more.
	Remake io.Reader

	Dir        string // for temporary files; the system's place if empty
	Workers    int    // that read a WARC file at once; 1 if 0
	SortMemory int    // bytes for sorting the index; cdxj.DefaultSortMemory if 0
	BlockLines int    // of the index; cdxj.DefaultBlockLines if 0

	// Key signs the package if it is set: ECDSA or Ed25519. ReplayWeb.page verifies P-384 only.
	Key crypto.Signer
	// Random is for signing. With nil, ECDSA keys of the standard library sign deterministically.
	Random io.Reader

	// OnFinding gets what is wrong with the WARC files; nil for nobody. It does not stop the work.
	OnFinding func(warc.Finding)
}

// Summary tells what a package holds.
type Summary struct {
	Manifest *Manifest `json:"manifest"`
	Records  int64     `json:"records"`
	Captures int64     `json:"captures"` // lines of the index; equal lines count once
	Pages    int64     `json:"pages"`
	// NotModified counts revisits (304) that are in the WARC files and not in the index.
	NotModified int64 `json:"notModified,omitempty"`
	Extra       int64 `json:"extraPages"`
	Bytes       int64 `json:"bytes"`
	Signed      bool  `json:"signed"`
}
