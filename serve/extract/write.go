package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/archive/catalog"
	"varve/archive/warc"
	"varve/archive/warc/tool"
	"varve/serve/holdings"
)

// Source is an archive as whoever asks may see it.
type Source interface {
	Captures(ctx context.Context, q holdings.Query) iter.Seq2[holdings.IndexedCapture, error]
	// Original finds the capture that a revisit refers to.
	Original(ctx context.Context, collection string, c holdings.IndexedCapture) (holdings.IndexedCapture, error)
	// Content gives the content of a capture, to find what a page is made of.
	Content(ctx context.Context, collection string, c holdings.IndexedCapture, limit int64) (*holdings.Content, error)
	// Path tells where a WARC file of a collection lies.
	File(collection, file string) (catalog.File, error)
}

// Choice is a version of a page: captures from the first to the last that found the same.
type Choice struct {
	Collection     string
	URL            string
	First, Last    time.Time
	varve.Location        // of the record that holds it, for a collection without an index; nothing where rules withhold captures
	Digest         string // of the payload of that record
}

// Provenance says where the records come from.
type Provenance struct {
	Software    string
	Description string
	Asked       string // parameters, or the name of a selection
	Collections []string
	By          string // who asked
	Parts       bool   // pages come with what they are made of
	Now         time.Time
	Random      io.Reader
}

// Summary is what was written.
type Summary struct {
	Versions int            `json:"versions"`
	Records  int            `json:"records"`
	Missing  int            `json:"missing"` // versions without a capture that could be copied
	Parts    int            `json:"parts"`   // records that are there because a page is made of them
	Absent   int            `json:"absent"`  // parts of pages of which there is no capture near
	Files    map[string]int `json:"files"`   // records by the file they come from, as collection/file
}

// MaxRecords bounds the records of one file.
const MaxRecords = 500_000

// Write copies the captures of versions.
func Write(ctx context.Context, w io.Writer, src Source, prov Provenance, versions iter.Seq2[Choice, error]) (Summary, error) {
	return write(w, src, prov, func(x *extraction) error {
		for v, err := range versions {
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if err := x.version(ctx, v); err != nil {
				return fmt.Errorf("copy %s of %s: %w", v.URL, v.First.UTC().Format(time.RFC3339), err)
			}
			x.sum.Versions++
			if !x.had {
				x.sum.Missing++
			}
		}
		return nil
	})
}

// WriteCaptures copies captures of a collection.
func WriteCaptures(ctx context.Context, w io.Writer, src Source, prov Provenance, collection string, captures iter.Seq2[holdings.IndexedCapture, error]) (Summary, error) {
	return write(w, src, prov, func(x *extraction) error {
		for c, err := range captures {
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if err := x.page(ctx, collection, c); err != nil {
				return fmt.Errorf("copy %s of %s: %w", c.URL, c.Time.UTC().Format(time.RFC3339), err)
			}
		}
		return nil
	})
}

func write(w io.Writer, src Source, prov Provenance, body func(*extraction) error) (Summary, error) {
	x := &extraction{src: src, w: w, random: prov.Random, whole: prov.Parts, pages: map[place]bool{}, done: map[place]bool{}, sum: Summary{Files: map[string]int{}}}
	var err error
	if x.enc, err = warc.NewEncoder(warc.Packing{}); err != nil {
		return x.sum, err
	}
	id, err := x.info(prov)
	if err != nil {
		return x.sum, err
	}
	if err := body(x); err != nil {
		return x.sum, err
	}
	return x.sum, x.sources(prov, id)
}

// place is where a record lies. Where the inner offset is not known, address and time tell records of a member apart.
type place struct {
	collection    string
	file          string
	offset, inner int64
	url           string
	time          int64
}

func placeOf(collection string, c varve.Capture) place {
	return place{collection, c.File, c.Offset, c.Inner, c.URL, c.Time.Unix()}
}

type extraction struct {
	src    Source
	w      io.Writer
	enc    *warc.Encoder
	random io.Reader // of ids
	done   map[place]bool
	whole  bool           // with the parts of pages
	pages  map[place]bool // whose parts are there
	read   struct {
		url, digest string
		needs       []string
	} // the document that was looked through last
	had bool // the version under way has a record, written now or before
	sum Summary
}

// info writes the warcinfo and gives its id.
func (x *extraction) info(p Provenance) (id string, err error) {
	if id, err = warc.NewID(p.Random); err != nil {
		return "", err
	}
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%s: %s\r\n", name, strings.Join(strings.Fields(value), " "))
		}
	}
	line("software", p.Software)
	line("format", "WARC file version 1.1")
	line("description", p.Description)
	line("collection", strings.Join(p.Collections, ", "))
	line("asked", p.Asked)
	line("asked-by", p.By)
	if p.Parts {
		line("parts", "pages come with what they are made of")
	}
	line("asked-at", p.Now.UTC().Format(time.RFC3339))
	return id, x.enc.Encode(x.w, warc.New(warc.TypeWarcinfo, id, p.Now, warc.Bytes(b.String())).With(warc.FieldContentType, warc.ContentTypeFields))
}

// sources writes which files the records come from.
func (x *extraction) sources(p Provenance, info string) error {
	id, err := warc.NewID(p.Random)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, f := range slices.Sorted(maps.Keys(x.sum.Files)) {
		fmt.Fprintf(&b, "source-file: %s\r\nsource-records: %d\r\n", f, x.sum.Files[f])
	}
	return x.enc.Encode(x.w, warc.New(warc.TypeMetadata, id, p.Now, warc.Bytes(b.String())).
		With("WARC-Refers-To", info).With(warc.FieldContentType, warc.ContentTypeFields))
}

// version copies the captures of a version.
func (x *extraction) version(ctx context.Context, v Choice) error {
	x.had = false
	found := false
	// Indexes know seconds.
	q := holdings.Query{Collection: v.Collection, URL: v.URL, From: v.First.Truncate(time.Second), To: v.Last}
	for c, err := range x.src.Captures(ctx, q) {
		if err != nil {
			return err
		}
		found = true
		if err := x.page(ctx, v.Collection, c); err != nil {
			return err
		}
	}
	if found || v.File == "" {
		return nil
	}
	c := varve.Capture{URL: v.URL, Digest: v.Digest, Location: v.Location}
	if v.Digest == "" {
		c.Time = v.First // the record may be older, where a page went back to what it was: then it is not found
	}
	return x.copy(v.Collection, c)
}

// page copies a capture, and the parts of the page that it is.
func (x *extraction) page(ctx context.Context, collection string, c holdings.IndexedCapture) error {
	if err := x.capture(ctx, collection, c); err != nil || !x.whole {
		return err
	}
	key := placeOf(collection, c.Capture)
	if x.pages[key] {
		return nil
	}
	x.pages[key] = true
	return x.parts(ctx, collection, c)
}

// capture copies the record of a capture, and before it the one that it refers to. An original that is withheld or not here is
// left out; the revisit still says what it says.
func (x *extraction) capture(ctx context.Context, collection string, c holdings.IndexedCapture) error {
	if c.Revisit {
		if original, err := x.src.Original(ctx, collection, c); err == nil {
			if err := x.copy(collection, original.Capture); err != nil {
				return err
			}
		}
	}
	return x.copy(collection, c.Capture)
}

// copy writes a record as it is; one of an ARC file becomes the WARC record of the same block.
func (x *extraction) copy(collection string, c varve.Capture) error {
	x.had = true
	at, key := c.Location, placeOf(collection, c)
	if x.done[key] {
		return nil
	}
	if x.sum.Records >= MaxRecords {
		return &varve.Error{Kind: varve.Invalid, Op: "copy records", Msg: fmt.Sprintf("these are more than %d", MaxRecords), Hint: "ask for less"}
	}
	x.done[key] = true
	file, err := x.src.File(collection, at.File)
	if err != nil {
		return err
	}
	return holdings.WithRecord(file, warc.PlaceOf(c), func(rec *warc.Record) error {
		block, err := spool(rec)
		if err != nil {
			return err
		}
		defer block.Close()
		e := &warc.Entry{Version: rec.Version, Header: rec.Header, Raw: rec.Raw, Block: block}
		if strings.HasPrefix(rec.Version, "ARC") {
			if e, err = tool.FromArc(rec, block, x.random, ""); err != nil {
				return err
			}
		}
		x.sum.Records++
		x.sum.Files[collection+"/"+at.File]++
		return x.enc.Encode(x.w, e)
	})
}
