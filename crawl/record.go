package crawl

import (
	"crypto/rand"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"varve/archive/warc"
	"varve/crawl/fetch"
	"varve/crawl/frontier"
	"varve/web/links"
)

// record looks at the answer of a visit and appends its records.
func (w *Worker) record(v *Visit, x *fetch.Exchange) error {
	w.examine(v, x)
	return w.append(v, x)
}

// examine looks at an answer: its links, its layers, and all that its metadata record will say.
func (w *Worker) examine(v *Visit, x *fetch.Exchange) {
	if !v.answered() {
		return
	}
	w.meta = w.meta[:0]
	w.metaFields(v, x)
	w.read(v, x)
	w.show(v)
}

// unread forgets the answer that was read last.
func (w *Worker) unread() { w.looked, w.header, w.info, w.subscribed = nil, nil, links.Info{}, false }

// show has the stages look at the answer that was read, and empties the buffers of its links.
func (w *Worker) show(v *Visit) {
	if v.queued() && !v.isProbe() {
		w.answer = Answer{Header: w.header, Body: w.looked, Info: w.info, Links: w.found, w: w, v: v}
		for _, s := range w.r.stages.all {
			s.Examine(v, &w.answer)
		}
		w.answer = Answer{}
	}
	w.forget(w.found)
}

// append appends the records of a visit: the response or a revisit, the request, and the metadata
// with how it was found and where it leads. They have one date and stand next to each other. The
// response stands last where the others say what a replay must know of it: how it was asked for,
// what a collector found. Its request is right before it then, and each names the other: other tools
// pair only neighbours, and need the request to tell answers to POST apart.
func (w *Worker) append(v *Visit, x *fetch.Exchange, more ...*warc.Entry) error {
	if !v.answered() {
		if v.again() {
			return w.recordMissing(v, x)
		}
		return nil // nothing came that could be recorded
	}
	response, err := w.response(v, x)
	if err != nil {
		return err
	}
	request, err := w.entry(warc.TypeRequest, v, x, warc.Bytes(x.RequestBytes))
	if err != nil {
		return err
	}
	metadata, err := w.entry(warc.TypeMetadata, v, x, warc.Bytes(w.meta))
	if err != nil {
		return err
	}
	request.With(warc.FieldContentType, warc.ContentTypeRequest).With(warc.FieldConcurrentTo, v.recordID)
	metadata.With(warc.FieldContentType, warc.ContentTypeFields).With(warc.FieldConcurrentTo, v.recordID)
	entries := []*warc.Entry{response, request, metadata}
	if dns, err := w.dnsEntry(x); err != nil {
		return err
	} else if dns != nil {
		entries = append(entries, dns)
	}
	at := 0
	if v.collector != "" || v.part {
		response.With(warc.FieldConcurrentTo, request.Header.Get(warc.FieldRecordID))
		entries = append(append(more, entries[2:]...), request, response)
		at = len(entries) - 1
	}
	if v.ticket, err = w.r.writer.Append(entries...); err != nil {
		return err
	}
	v.where = v.ticket.Locations[at]
	return nil
}

// WholeVisit tells, for warc.Recover, whether the last records of a file are all of a visit. A power cut can leave
// an answer without the metadata that says how it was found and which pass it is of; nobody was promised such a
// visit, and it is made again.
func WholeVisit(last []warc.Header) bool {
	ids := map[string]bool{}
	for _, h := range last {
		ids[h.Get(warc.FieldRecordID)] = true
	}
	parts := map[string]int{}
	for _, h := range last {
		for _, about := range h.Values(warc.FieldConcurrentTo) {
			if !ids[about] {
				return false
			}
		}
		parts[h.Get(warc.FieldType)]++
	}
	answers := parts[warc.TypeResponse] + parts[warc.TypeRevisit]
	return answers == 0 || parts[warc.TypeRequest] > 0 && parts[warc.TypeMetadata] > 0
}

// read looks at the content of an answer, for its layers and links; of one that is not modified, at the original.
func (w *Worker) read(v *Visit, x *fetch.Exchange) {
	w.unread()
	switch {
	case v.status == 304 && v.again():
		// All that the original says is as it was.
	case v.status == 304:
		if err := w.followOriginal(v); err != nil {
			v.notes = append(v.notes, "links of the original: "+err.Error())
		} else {
			w.looked = w.body
		}
	default:
		w.alone(x.Response.Size(), len(x.Head.Codings()) > 0)
		body := w.content(v, x)
		w.looked = body
		w.follow(v, x.Head.Header, body)
	}
}

// entry starts a record of a visit.
func (w *Worker) entry(kind string, v *Visit, x *fetch.Exchange, block warc.Block) (*warc.Entry, error) {
	id := ""
	if kind == warc.TypeResponse || kind == warc.TypeRevisit {
		id = v.recordID // a collector was told
	}
	if id == "" {
		var err error
		if id, err = warc.NewID(w.ids); err != nil {
			return nil, err
		}
	}
	return warc.New(kind, id, x.Timings.Start, block).With(warc.FieldTargetURI, v.url.String()), nil
}

// response makes the response record, or a revisit where the collection has the payload already.
func (w *Worker) response(v *Visit, x *fetch.Exchange) (*warc.Entry, error) {
	v.revisit = w.r.original(v, x)
	block, kind := warc.Block(spoolBlock(x)), warc.TypeResponse
	if v.revisit != nil {
		kind = warc.TypeRevisit
		head, err := headOf(x)
		if err != nil {
			return nil, err
		}
		block = warc.Bytes(head)
	}
	e, err := w.entry(kind, v, x, block)
	if err != nil {
		return nil, err
	}
	v.recordID = e.Header.Get(warc.FieldRecordID)
	e.With(warc.FieldContentType, warc.ContentTypeResponse)
	if x.Remote.IsValid() {
		e.With(warc.FieldIPAddress, x.Remote.Addr().Unmap().String())
	}
	if v.revisit != nil {
		return e.With(warc.FieldProfile, v.revisit.profile).With(warc.FieldPayloadDigest, v.revisit.digest).
			With(warc.FieldRefersTo, v.revisit.ID).With(warc.FieldRefersToURI, v.revisit.URI).
			With(warc.FieldRefersToDate, warc.FormatDate(v.revisit.Date)).With(warc.FieldTruncated, "length"), nil
	}
	e.With(warc.FieldBlockDigest, warc.FormatDigest("sha1", x.Digests.BlockSHA1[:])).
		With(warc.FieldPayloadDigest, v.digest).With(warc.FieldTruncated, string(x.Truncated)).
		With(warc.FieldProtocol, x.Protocol)
	if x.TLS != nil {
		e.With(warc.FieldProtocol, x.TLS.Version).With(warc.FieldCipherSuite, x.TLS.Cipher)
	}
	return e, nil
}

// spoolBlock gives the answer as a block: its memory if it is there, else its file.
func spoolBlock(x *fetch.Exchange) warc.Block {
	if b, ok := x.Response.Bytes(); ok {
		return warc.Bytes(b)
	}
	return &x.Response
}

func headOf(x *fetch.Exchange) ([]byte, error) {
	head := make([]byte, x.HeadSize)
	if n, err := x.Response.ReadAt(head, 0); n < len(head) {
		return nil, fmt.Errorf("read head: %w", err)
	}
	return head, nil
}

// metaFields writes what the standard and Heritrix put into metadata records. Outlinks follow.
func (w *Worker) metaFields(v *Visit, x *fetch.Exchange) {
	field := w.metaField
	field("via", v.item.Via)
	field("hopsFromSeed", v.item.HopPath)
	if v.verdict != frontier.Later { // what is tried again later is no visit yet
		for _, f := range v.fields {
			field(f[0], f[1])
		}
	}
	field("fetchTimeMs", strconv.FormatInt(x.Timings.Total.Milliseconds(), 10))
	field("payload-sha256", v.strong)
	if v.class != "" {
		field("fetch-error", string(v.class))
	}
	for _, n := range x.Notes {
		field("note", n)
	}
	if x.TLS != nil {
		if len(x.TLS.Chain) > 0 {
			field("tls-certificate-sha256", x.TLS.Chain[0].SHA256)
		}
		field("tls-fault", x.TLS.Fault)
	}
}

// metaField writes one field of the metadata record, if it has a value.
func (w *Worker) metaField(name, value string) {
	if value != "" {
		w.meta = AppendField(w.meta, name, value)
	}
}

// AppendField appends a field to a metadata record.
func AppendField(b []byte, name, value string) []byte {
	b = append(appendLineSafe(b, name), ": "...)
	return append(appendLineSafe(b, value), "\r\n"...)
}

// warcinfo makes the first record of a WARC file: who crawls, how, and by which definition.
func (r *Run) warcinfo(file string) (*warc.Entry, error) {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	policy := "obey"
	if r.Def.IgnoreRobots {
		policy = "ignore"
	}
	var b strings.Builder
	for _, f := range [][2]string{
		{"software", r.engine.cfg.Software},
		{"format", "WARC File Format 1.1"},
		{"conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"},
		{"operator", r.Def.Operator},
		{"http-header-user-agent", r.Def.Agent()},
		{"http-header-from", r.Def.From()},
		{"robots", policy},
		{"hostname", host},
		{"isPartOf", r.ID},
		{"definition", r.Def.Digest()},
	} {
		if f[1] != "" {
			b.WriteString(f[0] + ": " + string(appendLineSafe(nil, f[1])) + "\r\n")
		}
	}
	id, err := warc.NewID(rand.Reader)
	if err != nil {
		return nil, err
	}
	return warc.New(warc.TypeWarcinfo, id, r.engine.cfg.Clock.Now(), warc.Bytes(b.String())).
		With(warc.FieldFilename, file).With(warc.FieldContentType, warc.ContentTypeFields), nil
}

// maxDNSSeen bounds the answers remembered as recorded; beyond it a record may be written twice.
const maxDNSSeen = 50_000

// dnsSeen remembers which DNS answers have a record, so that each gets one.
type dnsSeen struct {
	mu   sync.Mutex
	seen map[*fetch.Answer]struct{}
}

func newDNSSeen() *dnsSeen { return &dnsSeen{seen: map[*fetch.Answer]struct{}{}} }

// first tells whether an answer is met for the first time.
func (d *dnsSeen) first(a *fetch.Answer) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, there := d.seen[a]; there {
		return false
	}
	if len(d.seen) >= maxDNSSeen {
		clear(d.seen)
	}
	d.seen[a] = struct{}{}
	return true
}

// dnsEntry makes the dns: record of a new answer. Addresses that did not come from DNS have none.
func (w *Worker) dnsEntry(x *fetch.Exchange) (*warc.Entry, error) {
	if x.DNS == nil || len(x.DNS.Records) == 0 || !w.r.dns.first(x.DNS) {
		return nil, nil
	}
	id, err := warc.NewID(w.ids)
	if err != nil {
		return nil, err
	}
	return warc.New(warc.TypeResource, id, x.DNS.Time, warc.Bytes(x.DNS.Text())).
		With(warc.FieldTargetURI, "dns:"+x.DNS.Host).With(warc.FieldContentType, "text/dns").
		With(warc.FieldIPAddress, serverAddress(x.DNS.Server)), nil
}

// serverAddress is the address part of "ip:port", or nothing for this machine's own table.
func serverAddress(server string) string {
	if name := HostName(server); name != server {
		return name
	}
	return ""
}
