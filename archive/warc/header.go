package warc

import "varve/web/wire"

// Header is the list of named fields of a record: order, case and repeats are kept.
type Header = wire.Header

// Field is one named field.
type Field = wire.Field

// The named fields of the standard, and those of later use that we read or write.
const (
	FieldType           = "WARC-Type"
	FieldRecordID       = "WARC-Record-ID"
	FieldDate           = "WARC-Date"
	FieldContentLength  = "Content-Length"
	FieldContentType    = "Content-Type"
	FieldTargetURI      = "WARC-Target-URI"
	FieldConcurrentTo   = "WARC-Concurrent-To"
	FieldBlockDigest    = "WARC-Block-Digest"
	FieldPayloadDigest  = "WARC-Payload-Digest"
	FieldIPAddress      = "WARC-IP-Address"
	FieldRefersTo       = "WARC-Refers-To"
	FieldRefersToURI    = "WARC-Refers-To-Target-URI"
	FieldRefersToDate   = "WARC-Refers-To-Date"
	FieldTruncated      = "WARC-Truncated"
	FieldWarcinfoID     = "WARC-Warcinfo-ID"
	FieldFilename       = "WARC-Filename"
	FieldProfile        = "WARC-Profile"
	FieldPayloadType    = "WARC-Identified-Payload-Type"
	FieldSegmentNumber  = "WARC-Segment-Number"
	FieldSegmentOrigin  = "WARC-Segment-Origin-ID"
	FieldSegmentTotal   = "WARC-Segment-Total-Length"
	FieldProtocol       = "WARC-Protocol"
	FieldCipherSuite    = "WARC-Cipher-Suite"
	FieldRefersToWithin = "WARC-Refers-To-Container"
)

// The record types of the standard.
const (
	TypeWarcinfo     = "warcinfo"
	TypeResponse     = "response"
	TypeResource     = "resource"
	TypeRequest      = "request"
	TypeMetadata     = "metadata"
	TypeRevisit      = "revisit"
	TypeConversion   = "conversion"
	TypeContinuation = "continuation"
)

// The revisit profiles we write, and the older names we read.
const (
	ProfileIdentical   = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
	ProfileNotModified = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

	profileIdentical10   = "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
	profileNotModified10 = "http://netpreserve.org/warc/1.0/revisit/server-not-modified"
	profileAgnostic      = "http://netpreserve.org/warc/1.0/revisit/uri-agnostic-identical-payload-digest"
)

// Content types of blocks.
const (
	ContentTypeResponse = "application/http;msgtype=response"
	ContentTypeRequest  = "application/http;msgtype=request"
	ContentTypeFields   = "application/warc-fields"
)
