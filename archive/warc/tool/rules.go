package tool

import "varve/archive/warc"

// RuleInfo tells a rule in a sentence.
type RuleInfo struct {
	Rule    warc.Rule  `json:"rule"`
	Class   warc.Class `json:"class"`
	Meaning string     `json:"meaning"`
}

// Rules gives all rules in the order of docs/formats/warc-findings.md, which also says for each
// what it looks like and what to do about it.
func Rules() []RuleInfo { return append([]RuleInfo(nil), rules...) }

var rules = []RuleInfo{
	{warc.RuleHeaderLine, warc.Syntax, "A header line is not a name, a colon and a value."},
	{warc.RuleLineEnd, warc.Syntax, "Header lines end in LF instead of CRLF."},
	{warc.RuleHeaderTooLong, warc.Syntax, "A record header is longer than the limit of 1 MiB."},
	{warc.RuleContentLength, warc.Syntax, "Content-Length is missing or no number, so the end of the block is not known."},
	{warc.RuleRecordEnd, warc.Syntax, "The block is not followed by exactly CRLF CRLF."},
	{warc.RuleArcLine, warc.Syntax, "The line that starts an ARC record cannot be read."},

	{warc.RuleVersion, warc.Spec, "The version is none of WARC/0.17, 0.18, 1.0 and 1.1."},
	{warc.RuleMissingField, warc.Spec, "A field that every record of the type must have is missing."},
	{warc.RuleRepeatedField, warc.Spec, "A field that may stand only once is repeated."},
	{warc.RuleRecordID, warc.Spec, "WARC-Record-ID is no URI in angle brackets."},
	{warc.RuleDate, warc.Spec, "WARC-Date is not of the form that the record's version allows."},
	{warc.RuleTargetURI, warc.Spec, "WARC-Target-URI stands in angle brackets, holds a space, or has no scheme."},
	{warc.RuleType, warc.Spec, "WARC-Type is none of the standard."},
	{warc.RuleProfile, warc.Spec, "A revisit does not say why it is one, or lacks the digest that its profile demands."},
	{warc.RuleTruncated, warc.Spec, "WARC-Truncated gives a reason that is not of the standard."},
	{warc.RuleSegment, warc.Spec, "A segmented record is numbered wrongly, or its series is not complete in the files given."},
	{warc.RuleHTTP, warc.Spec, "A block that should hold an HTTP message does not start like one."},
	{warc.RuleDuplicateID, warc.Spec, "Two records of the file have the same WARC-Record-ID."},

	{warc.RuleBlockDigest, warc.Digest, "The block does not have the digest that the header says."},
	{warc.RulePayloadDigest, warc.Digest, "The payload does not have the digest that the header says, with or without chunk framing."},
	{warc.RuleDigestForm, warc.Digest, "A digest is not written in a form that can be compared."},

	{warc.RuleSharedMember, warc.Framing, "Several records share one compressed member, so they cannot be read by offset."},
	{warc.RuleSplitRecord, warc.Framing, "A record goes on in the next gzip member."},
	{warc.RuleFileName, warc.Framing, "The name of the file says another packing than its bytes."},
	{warc.RuleEmptyMember, warc.Framing, "A compressed member holds nothing."},

	{warc.RuleCorrupt, warc.Damage, "Compressed bytes cannot be unpacked."},
	{warc.RuleChecksum, warc.Damage, "A compressed member unpacks, but not to what was packed."},
	{warc.RuleCutOff, warc.Damage, "The file ends inside a record."},
	{warc.RuleNoRecord, warc.Damage, "Bytes stand where a record should start."},
	{warc.RuleShortBlock, warc.Damage, "The next record starts before the block has its Content-Length."},
	{warc.RuleWrongLength, warc.Damage, "The block goes on behind its Content-Length."},
	{warc.RuleEmptyFile, warc.Damage, "The file holds no record."},
}
