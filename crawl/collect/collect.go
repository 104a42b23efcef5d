package collect

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"time"

	"varve/web/links"
	"varve/web/wire"
)

// Collector goes further with an answer. It is safe for concurrent use and keeps to the context's
// deadline. An error is noted with the visit; what the result holds counts all the same, so a result
// is given with an error, too, unless there is nothing in it.
type Collector interface {
	Collect(ctx context.Context, a *Answer, net Net) (*Result, error)
}

// Answer is what the crawl has got from a URL already, durable or about to be.
type Answer struct {
	URL      string
	Via      string // the URL it was found on; empty for seeds
	Hops     string // how it was found, as in hop paths
	Status   int
	Header   wire.Header
	MIME     string // media type, in lower case, without parameters
	Content  []byte // without codings, cut at the engine's limit; valid during Collect
	RecordID string // of its response record
	Date     time.Time
}

// Net fetches for a collector.
type Net interface {
	// Fetch gives the answer to a request. The error is ErrRefused where the crawl will not ask, else
	// what went wrong on the way. A response must be closed.
	Fetch(ctx context.Context, r *Request) (*Response, error)
}

// ErrRefused is wrapped, with the reason, when scope, robots, budget or the guard forbid a request.
var ErrRefused = errors.New("the crawl does not ask for this")

// Request is what a collector asks for.
type Request struct {
	Method string      // "" is GET
	URL    string      // absolute; a fragment is ignored
	Header wire.Header // what the collector wants to say; the engine adds who we are, and drops what belongs to a connection
	Body   []byte
	Hop    links.Hop // what asking means: a part of the page, a page, ...
	Fresh  bool      // ask the server even if the crawl has an answer, as for a live play list
}

// Response is an answer as it was recorded. Raw is head and body as they crossed the wire.
type Response struct {
	Status    int
	Header    wire.Header
	Raw       io.ReadCloser // head and raw body; closing it releases the response
	Size      int64         // of Raw
	Truncated bool          // the crawl's limits, or the server, cut it short
	Cached    bool          // from the crawl's own records, not from the network
	RecordID  string
	Date      time.Time
}

// Close releases the response.
func (r *Response) Close() error { return r.Raw.Close() }

// maxHead bounds the head of an answer whose content is read.
const maxHead = 256 << 10

// Content reads the content of the answer, without chunks and codings, and gives at most so many bytes of it.
// The error is ErrLong where there are more.
func (r *Response) Content(most int64) ([]byte, error) {
	raw := bufio.NewReader(io.LimitReader(r.Raw, maxHead+2*most))
	head, err := io.ReadAll(headOf(raw))
	if err != nil {
		return nil, err
	}
	h, err := wire.ParseHead(head)
	if err != nil {
		return nil, err
	}
	var body io.Reader = raw
	if wire.SaysChunked(head) {
		body = wire.NewChunkReader(body)
	}
	content, err := wire.Decode(body, h.Codings())
	if err != nil {
		return nil, err
	}
	defer content.Close()
	b, err := io.ReadAll(io.LimitReader(content, most+1))
	if int64(len(b)) > most {
		return b[:most], ErrLong
	}
	return b, err
}

// ErrLong is given with the beginning of a content that is longer than was asked for.
var ErrLong = errors.New("longer than is read")

// headOf gives the lines up to the blank one.
func headOf(r *bufio.Reader) io.Reader {
	var head bytes.Buffer
	for head.Len() < maxHead {
		line, err := r.ReadSlice('\n')
		head.Write(line)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) || len(bytes.TrimRight(line, "\r\n")) == 0 && err == nil {
			break
		}
	}
	return &head
}

// Result is what a collector found.
type Result struct {
	Links     []links.Link // in the order they were found; the engine asks the scope
	Resources []Resource   // to be kept beside the page
	Title     string       // where the executed page has another than its source
	Fields    []Field      // for the metadata record of the page
	Cut       int          // links, items and parts that a limit kept out; where nobody can count them, at least one
	Cost      Cost
}

// Resource is something made of a page and kept as a resource record: a screenshot, the rendered
// text, a media file that an external program brought.
type Resource struct {
	URI         string // such as urn:view:https://host/page
	ContentType string
	Body        Body
	Fields      []Field // of the metadata record that goes with it; none: no such record
}

// Body is the content of a resource: bytes in memory or a file. One that is an io.Closer is closed by the
// engine when it is recorded.
type Body interface {
	io.ReaderAt
	Size() int64
}

// Field is one line of a metadata record.
type Field struct{ Name, Value string }

// Cost is what a collector used, for routes that weigh gain against cost.
type Cost struct {
	CPU      time.Duration // of this process and of those it started; 0: unknown
	Wall     time.Duration
	Requests int
}
