package tool

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"varve/archive/warc"
	"varve/web/wire"
)

// writeArc writes an ARC record as a WARC record: the block byte for byte, the line as fields.
func (p *repairer) writeArc(rec *warc.Record) error {
	if !p.opts.ArcToWarc {
		return ErrArc
	}
	e, err := p.fromArc(rec)
	if err != nil {
		return err
	}
	p.report.Records++
	p.report.Converted++
	return p.enc.Encode(p.out, e)
}

// fromArc makes the entry. What ARC calls the version block becomes the warcinfo; an http address
// whose block does not start with an HTTP head becomes a resource.
func (p *repairer) fromArc(rec *warc.Record) (*warc.Entry, error) {
	id, err := warc.NewID(p.opts.Random)
	if err != nil {
		return nil, err
	}
	kind, mime := rec.Type(), rec.Header.Get("ARC-Content-Type")
	head := make([]byte, min(64<<10, p.block.Size()))
	if _, err := io.ReadFull(io.NewSectionReader(&p.block, 0, p.block.Size()), head); err != nil {
		return nil, err
	}
	bodyAt, chunked := int64(0), false
	if kind == warc.TypeResponse {
		if h, err := wire.ParseHead(head); err == nil && bytes.HasPrefix(head, []byte("HTTP/")) {
			mime, bodyAt, chunked = warc.ContentTypeResponse, int64(h.Size), h.Chunked()
		} else {
			kind = warc.TypeResource
		}
	}
	sums, err := warc.Sum(&p.block, bodyAt, chunked)
	if err != nil {
		return nil, err
	}
	e := &warc.Entry{Header: warc.Header{
		{Name: warc.FieldType, Value: kind},
		{Name: warc.FieldRecordID, Value: id},
	}, Block: &p.block}
	p.arcFields(e, rec, kind)
	e.With(warc.FieldContentType, oneLine(mime)).With(warc.FieldBlockDigest, sums.Block)
	if kind != warc.TypeWarcinfo {
		e.With(warc.FieldPayloadDigest, sums.Payload)
	}
	return e.With(warc.FieldContentLength, strconv.FormatInt(p.block.Size(), 10)), nil
}

// arcFields carries over what the ARC line says.
func (p *repairer) arcFields(e *warc.Entry, rec *warc.Record, kind string) {
	date := rec.Header.Get(warc.FieldDate)
	if date == "" {
		date = p.arcDate // a record without a date: that of the file
		e.With(NoteField, "the ARC line has no date, that of the file is given")
	} else if kind == warc.TypeWarcinfo {
		p.arcDate = date
	}
	e.With(warc.FieldDate, date)
	if kind == warc.TypeWarcinfo {
		e.With(warc.FieldFilename, strings.TrimPrefix(rec.TargetURI(), "filedesc://"))
	} else {
		e.With(warc.FieldTargetURI, spaceEscaper.Replace(oneLine(rec.TargetURI())))
	}
	if ip := rec.Header.Get(warc.FieldIPAddress); ip != "-" && ip != "0.0.0.0" {
		e.With(warc.FieldIPAddress, ip)
	}
	if n := rec.Length(); n != p.block.Size() {
		p.report.Missing += n - p.block.Size()
		e.With(warc.FieldTruncated, "unspecified").
			With(NoteField, fmt.Sprintf("the block is not whole: the ARC line says %d bytes, %d are here", n, p.block.Size()))
	}
}

func oneLine(s string) string {
	return strings.NewReplacer("\r", "", "\n", "").Replace(s)
}
