package scan

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"hash"
	"io"
	"strconv"
	"time"

	"varve/archive/capture"
	"varve/archive/warc"
	"varve/web/wire"
)

// Item is one record as mappers see it. Its fields are plain values, which may be handed to another process; a mapper
// must not change them.
type Item struct {
	File   string // the name of the file in tables and indexes
	Type   string // WARC-Type, in lower case
	ID     string
	URI    string
	Time   time.Time // zero if there is no readable date
	Offset int64
	Inner  int64 // bytes of the unpacked member before the record
	Length int64 // of the record in the file
	Block  int64 // length of the block, by its header
	Shared bool  // other records lie in the same member
	Header wire.Header
	Raw    int // bytes of the header

	Head     *wire.Head // of the HTTP message; nil if there is none
	Capture  bool       // it stands for what was at the address (capture.Is)
	Status   int
	MIME     string // of the content, without parameters
	Listed   string // what an index calls the content: MIME, or "warc/revisit"
	Digest   string // of the payload: as the record says, or taken here
	Location string // of a redirect, as sent

	Fields []byte // block of a warcinfo or metadata record, as far as it is read

	HasBody bool   // the payload was read, for somebody wanted it
	Body    []byte // the payload (no transfer coding), up to the largest limit that was asked for
	Whole   bool   // Body is all of it
	Damage  string // why the payload ended early; "" if it did not
	Rest    *Rest  // of a payload that is not whole

	Limit int64 // bytes of content that Content gives at most

	shared  map[any]any
	results map[string]any
}

// Rest tells what a payload is that is too long to be held.
type Rest struct {
	Size   int64 // of all of the payload
	SHA256 [32]byte
	SHA1   []byte // nil if the record tells its digest
}

// Name names the item in lists of failures: where its record begins.
func (it *Item) Name() string {
	if it.Inner > 0 {
		return strconv.FormatInt(it.Offset, 10) + "+" + strconv.FormatInt(it.Inner, 10)
	}
	return strconv.FormatInt(it.Offset, 10)
}

// Record returns the record's header as a record without a block.
func (it *Item) Record() *warc.Record { return &warc.Record{Header: it.Header} }

// ContentType returns the Content-Type of the answer, or of the record where it holds no HTTP message.
func (it *Item) ContentType() string {
	if it.Head != nil {
		return it.Head.Header.Get("Content-Type")
	}
	return it.Header.Get(warc.FieldContentType)
}

// Codings returns the content codings of the payload.
func (it *Item) Codings() []string {
	if it.Head == nil {
		return nil
	}
	return it.Head.Codings()
}

type contentKey struct{}

type content struct {
	bytes []byte
	err   error
}

// Content returns the payload without content codings, at most Limit bytes and one; with an error what came before it. It is
// decoded once, whoever asks.
func (it *Item) Content() ([]byte, error) {
	c := Share(it, contentKey{}, func() content {
		codings := it.Codings()
		if len(codings) == 0 {
			return content{it.Body[:min(int64(len(it.Body)), it.Limit+1)], it.damage()}
		}
		plain, err := wire.Decode(it.payload(), codings)
		if err != nil {
			return content{nil, err}
		}
		defer plain.Close()
		b, err := io.ReadAll(io.LimitReader(plain, it.Limit+1))
		return content{b, err}
	})
	return c.bytes, c.err
}

// ContentUpTo returns at most limit bytes of the content; more reports whether there are more. An error is one that came before them.
func (it *Item) ContentUpTo(limit int64) (b []byte, more bool, err error) {
	b, err = it.Content()
	if int64(len(b)) > limit {
		return b[:limit], true, nil
	}
	return b, false, err
}

// damage is the error that ended the payload, unless it was longer than the limit.
func (it *Item) damage() error {
	if it.Damage == "" || int64(len(it.Body)) > it.Limit {
		return nil
	}
	return damaged(it.Damage)
}

// payload reads the payload with the error that ended it.
func (it *Item) payload() io.Reader {
	if it.Damage == "" {
		return bytes.NewReader(it.Body)
	}
	return io.MultiReader(bytes.NewReader(it.Body), failing{damaged(it.Damage)})
}

type damaged string

func (d damaged) Error() string { return string(d) }

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Share returns what make makes of the item, made once for all mappers that ask with the same key: a reading that
// several of them need. Keys are values of types of the caller's own.
func Share[T any](it *Item, key any, make func() T) T {
	if v, ok := it.shared[key]; ok {
		return v.(T)
	}
	v := make()
	if it.shared == nil {
		it.shared = map[any]any{}
	}
	it.shared[key] = v
	return v
}

// Result returns what a mapper that is named in Mapper.Needs made of the item; nil if it failed or wanted nothing.
func (it *Item) Result(mapper string) any { return it.results[mapper] }

// bodySlack is how much longer a payload may be than its content, beside a 256th: gzip of what does not shrink.
const bodySlack = 64 << 10

// readBody reads the payload as far as content up to limit can come of it.
func (it *Item) readBody(payload io.Reader, limit int64, sums bool) {
	it.HasBody, it.Limit = true, limit
	most := limit + 1
	if len(it.Codings()) > 0 {
		most += limit/256 + bodySlack
	}
	var b bytes.Buffer
	if it.Block > 0 {
		b.Grow(int(min(it.Block+bytes.MinRead, most+bytes.MinRead)))
	}
	n, err := b.ReadFrom(io.LimitReader(payload, most))
	it.Body, it.Whole = b.Bytes(), n < most
	if err != nil {
		it.Damage = err.Error()
	}
	if it.Whole || !sums {
		return
	}
	long := &Rest{Size: n}
	sum := sha256.New()
	sum.Write(it.Body)
	to, digest := io.Writer(sum), hash.Hash(nil)
	if it.Digest == "" {
		digest = sha1.New()
		digest.Write(it.Body)
		to = io.MultiWriter(sum, digest)
	}
	more, err := io.Copy(to, payload)
	if err != nil {
		it.Damage = err.Error()
	}
	long.Size += more
	sum.Sum(long.SHA256[:0])
	if digest != nil {
		long.SHA1 = digest.Sum(nil)
	}
	it.Rest = long
}

// itemOf takes what is known of a record before it is read.
func itemOf(rec *warc.Record, file string) *Item {
	it := &Item{
		File: file, Type: rec.Type(), ID: rec.ID(), URI: rec.TargetURI(), Offset: rec.Offset, Inner: rec.Inner, Block: rec.Length(),
		Header: rec.Header, Raw: len(rec.Raw), Digest: rec.Header.Get(warc.FieldPayloadDigest),
	}
	if at, err := rec.Date(); err == nil {
		it.Time = at
	}
	return it
}

// learn takes what the note of the record says.
func (it *Item) learn(n *capture.Note) {
	it.Head, it.Capture, it.Fields = n.Head, n.Capture, n.Fields
	it.Status, it.MIME, it.Listed, it.Location = n.CDX.Status, n.MIME, n.CDX.MIME, n.Location
	if n.Capture {
		it.Digest = n.CDX.Digest
	}
}
