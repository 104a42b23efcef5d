package nodes

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/s2"

	"varve/archive/durable"
	"varve/crawl"
	"varve/crawl/frontier"
)

// entry is one statement about a URL: that it was found, or what became of it. docs/formats/nodes.md draws it.
type entry struct {
	kind    byte
	item    frontier.Item
	outcome frontier.Outcome // of entryDone
	reason  string           // of entryRefused and entryBarred; the note itself of entryNote
}

const (
	entryLink    = 'l'
	entryDone    = 'd'
	entryRefused = 'r'
	entryRanked  = 'u' // a person gave it a score
	entryNote    = 'n' // what a stage knows of a host
	entryBarred  = 'b' // a person wants it never fetched
)

const (
	batchPlain  = 1         // version 1, as it is
	batchPacked = 2         // version 1, packed with S2
	packFrom    = 512       // bytes from which on packing pays
	batchMost   = 256 << 10 // bytes of a batch before packing; NATS takes messages up to 1 MB
	unpackMost  = 8 << 20
)

func appendEntry(b []byte, e *entry) []byte {
	it := &e.item
	b = append(b, e.kind, it.Band)
	b = durable.AppendString(b, it.Key)
	url := it.URL
	if url == it.Key {
		url = ""
	}
	b = durable.AppendString(b, url)
	b = durable.AppendString(b, it.Host)
	b = durable.AppendString(b, it.Domain)
	switch e.kind {
	case entryLink, entryRanked:
		b = durable.AppendString(b, it.Via)
		b = durable.AppendString(b, it.HopPath)
		b = binary.BigEndian.AppendUint64(b, math.Float64bits(it.Score))
		b = binary.AppendUvarint(b, uint64(max(it.Depth, 0)))
		b = durable.AppendBytes(b, it.Meta)
	case entryDone:
		o := &e.outcome
		failed := byte(0)
		if o.Failed {
			failed = 1
		}
		b = binary.AppendVarint(append(b, failed), int64(o.Status))
		b = binary.AppendUvarint(b, uint64(max(o.Size, 0)))
		b = durable.AppendTime(b, o.At)
		b = durable.AppendBytes(b, o.Digest)
		b = durable.AppendBytes(b, o.Record)
	case entryRefused, entryBarred, entryNote:
		b = durable.AppendString(b, e.reason)
	}
	return b
}

func readEntry(r *durable.Reader) (e entry) {
	e.kind = r.Byte()
	it := &e.item
	it.Band, it.Key, it.URL, it.Host, it.Domain = r.Byte(), r.String(), r.String(), r.String(), r.String()
	if it.URL == "" {
		it.URL = it.Key
	}
	switch e.kind {
	case entryLink, entryRanked:
		it.Via, it.HopPath = r.String(), r.String()
		var bits uint64
		for range 8 {
			bits = bits<<8 | uint64(r.Byte())
		}
		if it.Score = math.Float64frombits(bits); !(it.Score >= 0 && it.Score <= 1) {
			r.Fail(fmt.Errorf("score %v", it.Score))
		}
		it.Depth, it.Meta = r.Int(), r.Bytes()
	case entryDone:
		e.outcome.Failed = r.Byte() == 1
		e.outcome.Status = int(r.Varint())
		e.outcome.Size, e.outcome.At = r.Int64(), r.Time()
		e.outcome.Digest, e.outcome.Record = r.Bytes(), r.Bytes()
	case entryRefused, entryBarred, entryNote:
		e.reason = r.String()
	default:
		r.Fail(fmt.Errorf("kind %q is not known", e.kind))
	}
	return e
}

// pack makes a message of entries.
func pack(entries []byte) []byte {
	if len(entries) < packFrom {
		return append([]byte{batchPlain}, entries...)
	}
	out := make([]byte, 1+s2.MaxEncodedLen(len(entries)))
	out[0] = batchPacked
	return out[:1+len(s2.Encode(out[1:], entries))]
}

// unpack passes the entries of a message.
func unpack(b []byte, each func(*entry) error) error {
	if len(b) == 0 {
		return errors.New("damaged batch: empty")
	}
	body := b[1:]
	switch b[0] {
	case batchPlain:
	case batchPacked:
		if n, err := s2.DecodedLen(body); err != nil || n > unpackMost {
			return fmt.Errorf("damaged batch: %d bytes: %w", n, errors.Join(err))
		}
		var err error
		if body, err = s2.Decode(nil, body); err != nil {
			return fmt.Errorf("damaged batch: %w", err)
		}
	default:
		return fmt.Errorf("batch has format %d, which this version does not know", b[0])
	}
	r := durable.NewReader(body)
	for r.Len() > 0 {
		e := readEntry(&r)
		if r.Len() == 0 { // the last one, or a damaged one
			if err := r.Done("batch"); err != nil {
				return err
			}
		}
		if err := each(&e); err != nil {
			return err
		}
	}
	return nil
}

// batcher collects entries into messages.
type batcher struct {
	buf   []byte
	flush func(message []byte) error
	count int
}

func (b *batcher) add(e *entry) error {
	b.buf = appendEntry(b.buf, e)
	b.count++
	if len(b.buf) < batchMost {
		return nil
	}
	return b.end()
}

func (b *batcher) end() error {
	if len(b.buf) == 0 {
		return nil
	}
	msg := pack(b.buf)
	b.buf = b.buf[:0]
	return b.flush(msg)
}

// rangeMagic begins a sealed range; the digit is its version.
const rangeMagic = "varve range 1\n"

// writeFrame writes a message into a range.
func writeFrame(w io.Writer, msg []byte) error {
	if _, err := w.Write(binary.BigEndian.AppendUint32(nil, uint32(len(msg)))); err != nil {
		return err
	}
	_, err := w.Write(msg)
	return err
}

// readRange passes the entries of a range. One that ends before its end mark is damaged.
func readRange(r io.Reader, each func(*entry) error) error {
	magic := make([]byte, len(rangeMagic))
	if _, err := io.ReadFull(r, magic); err != nil || string(magic) != rangeMagic {
		return fmt.Errorf("not a range of version 1: %q %w", magic, errors.Join(err))
	}
	var size [4]byte
	for {
		if _, err := io.ReadFull(r, size[:]); err != nil {
			return fmt.Errorf("damaged range: %w", err)
		}
		n := binary.BigEndian.Uint32(size[:])
		if n == 0 {
			return nil
		}
		if n > unpackMost {
			return fmt.Errorf("damaged range: a batch of %d bytes", n)
		}
		msg := make([]byte, n)
		if _, err := io.ReadFull(r, msg); err != nil {
			return fmt.Errorf("damaged range: %w", err)
		}
		if err := unpack(msg, each); err != nil {
			return err
		}
	}
}

// applier puts entries into a frontier in commits of some hundred.
type applier struct {
	f          *frontier.Frontier
	found      func(*frontier.Item) // told of each link; may be nil
	travellers []crawl.Traveller
	links      []frontier.Item
	results    []frontier.Result
	updates    []frontier.ScoreUpdate
	applied    int64
}

const applyStep = 1024

func (a *applier) add(e *entry) error {
	for _, t := range a.travellers {
		if e.kind == entryNote {
			if err := t.Receive(e.item.Host, []byte(e.reason)); err != nil {
				return err
			}
			continue
		}
		t.Unpack(&e.item)
	}
	waiting := len(a.updates) // of the other sort: what people decide keeps its place in the order
	if e.kind == entryRanked || e.kind == entryBarred {
		waiting = len(a.links) + len(a.results)
	}
	if waiting > 0 {
		if err := a.end(); err != nil {
			return err
		}
	}
	switch e.kind {
	case entryRanked:
		a.updates = append(a.updates, frontier.ScoreUpdate{Item: e.item})
	case entryBarred:
		a.updates = append(a.updates, frontier.ScoreUpdate{Item: e.item, Blacklist: true, Reason: e.reason})
	case entryLink:
		if a.found != nil {
			a.found(&e.item)
		}
		a.links = append(a.links, e.item)
	case entryDone:
		a.results = append(a.results, frontier.Result{Item: e.item, Outcome: e.outcome})
	case entryRefused:
		a.results = append(a.results, frontier.Result{Item: e.item, Verdict: frontier.Refused, Reason: e.reason})
	}
	if len(a.links)+len(a.results)+len(a.updates) < applyStep {
		return nil
	}
	return a.end()
}

// end makes durable what was added. Results first: a link to what is done changes nothing, and a queue entry less is written.
func (a *applier) end() error {
	a.applied += int64(len(a.links) + len(a.results) + len(a.updates))
	if len(a.results) > 0 {
		if _, err := a.f.Absorb(a.results...); err != nil {
			return err
		}
	}
	if len(a.links) > 0 {
		if _, err := a.f.Add(a.links...); err != nil {
			return err
		}
	}
	if len(a.updates) > 0 {
		if _, err := a.f.Update(context.Background(), a.updates); err != nil {
			return err
		}
		a.updates = a.updates[:0]
	}
	clear(a.links)
	clear(a.results)
	a.links, a.results = a.links[:0], a.results[:0]
	return nil
}
