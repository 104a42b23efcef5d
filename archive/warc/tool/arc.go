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
	e, err := FromArc(rec, &p.block, p.opts.Random, p.arcDate)
	if err != nil {
		return err
	}
	if rec.Type() == warc.TypeWarcinfo {
		p.arcDate = e.Header.Get(warc.FieldDate)
	}
	p.report.Missing += rec.Length() - p.block.Size()
	p.report.Records++
	p.report.Converted++
	return p.enc.Encode(p.out, e)
}

// FromArc makes the WARC record of an ARC record: the block byte for byte, the line as fields. What
// ARC calls the version block becomes the warcinfo; an http address whose block does not start with an
// HTTP head becomes a resource. Block holds all bytes of the record's block; fallback is the date of a
// record whose line has none.
func FromArc(rec *warc.Record, block warc.Block, random io.Reader, fallback string) (*warc.Entry, error) {
	id, err := warc.NewID(random)
	if err != nil {
		return nil, err
	}
	kind, mime := rec.Type(), rec.Header.Get("ARC-Content-Type")
	head := make([]byte, min(64<<10, block.Size()))
	if _, err := io.ReadFull(io.NewSectionReader(block, 0, block.Size()), head); err != nil {
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
	sums, err := warc.Sum(block, bodyAt, chunked)
	if err != nil {
		return nil, err
	}
	e := &warc.Entry{Header: warc.Header{
		{Name: warc.FieldType, Value: kind},
		{Name: warc.FieldRecordID, Value: id},
	}, Block: block}
	arcFields(e, rec, kind, block.Size(), fallback)
	e.With(warc.FieldContentType, oneLine(mime)).With(warc.FieldBlockDigest, sums.Block)
	if kind != warc.TypeWarcinfo {
		e.With(warc.FieldPayloadDigest, sums.Payload)
	}
	return e.With(warc.FieldContentLength, strconv.FormatInt(block.Size(), 10)), nil
}

// arcFields carries over what the ARC line says.
func arcFields(e *warc.Entry, rec *warc.Record, kind string, size int64, fallback string) {
	date := rec.Header.Get(warc.FieldDate)
	if date == "" {
		date = fallback // a record without a date: that of the file
		e.With(NoteField, "the ARC line has no date, that of the file is given")
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
	if n := rec.Length(); n != size {
		e.With(warc.FieldTruncated, "unspecified").
			With(NoteField, fmt.Sprintf("the block is not whole: the ARC line says %d bytes, %d are here", n, size))
	}
}

func oneLine(s string) string {
	return strings.NewReplacer("\r", "", "\n", "").Replace(s)
}
