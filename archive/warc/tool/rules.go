package tool

import "varve/archive/warc"

// RuleInfo tells a rule in a sentence.
type RuleInfo struct {
	Rule    warc.Rule  `json:"rule"`
	Class   warc.Class `json:"class"`
	Clause  string     `json:"clause,omitempty"` // of ISO 28500:2017, several with commas
	Meaning string     `json:"meaning"`
}

// Rules gives all rules in the order of docs/formats/warc-findings.md, which also says for each
// what it looks like and what to do about it.
func Rules() []RuleInfo { return append([]RuleInfo(nil), rules...) }

// ofFields are the clauses of all named fields.
const ofFields = "5.2, 5.3, 5.4, 5.5, 5.6, 5.7, 5.8, 5.9, 5.10, 5.11, 5.12, 5.13, 5.14, 5.15, 5.16, 5.17, 5.18, 5.19, 5.20, 5.21, 5.22"

var rules = []RuleInfo{
	{warc.RuleHeaderLine, warc.Syntax, "4", "A header line is not a name, a colon and a value, or holds control characters."},
	{warc.RuleLineEnd, warc.Syntax, "4", "Header lines end in LF or CR CR LF instead of CRLF."},
	{warc.RuleEncoding, warc.Syntax, "4", "A record header is not in UTF-8."},
	{warc.RuleHeaderTooLong, warc.Syntax, "", "A record header is longer than the limit of 1 MiB."},
	{warc.RuleContentLength, warc.Syntax, "5.3", "Content-Length is missing or no number, so the end of the block is not known."},
	{warc.RuleRecordEnd, warc.Syntax, "4", "The block is not followed by exactly CRLF CRLF."},
	{warc.RuleFileStart, warc.Syntax, "4", "Something stands before the version line of the first record."},
	{warc.RuleArcLine, warc.Syntax, "", "The line that starts an ARC record cannot be read."},

	{warc.RuleVersion, warc.Spec, "4", "The version is none of WARC/0.17, 0.18, 1.0 and 1.1, or has space behind it."},
	{warc.RuleMissingField, warc.Spec, "5.2, 5.4, 5.5, 5.14, 5.18, 5.20, 5.21", "A field that every record of the type must have is missing."},
	{warc.RuleRepeatedField, warc.Spec, "5.1", "A field that may stand only once is repeated."},
	{warc.RuleEmptyField, warc.Spec, ofFields, "A field of the standard has no value."},
	{warc.RuleWrongType, warc.Spec, "5.7, 5.9, 5.10, 5.11, 5.12, 5.13, 5.14, 5.16, 5.17, 5.18, 5.19, 5.21, 5.22", "A field stands in a record of a type that may not have it."},
	{warc.RuleRecordID, warc.Spec, "5.2", "WARC-Record-ID is no URI in angle brackets."},
	{warc.RuleReference, warc.Spec, "5.7, 5.11, 5.12, 5.13, 5.16, 5.21", "A field that names another record is not of its form."},
	{warc.RuleDate, warc.Spec, "5.4", "WARC-Date is not of the form that the record's version allows."},
	{warc.RuleTargetURI, warc.Spec, "5.14", "WARC-Target-URI is no URI, or stands in angle brackets in WARC 1.1."},
	{warc.RuleType, warc.Spec, "5.5", "WARC-Type is no token."},
	{warc.RuleContentType, warc.Spec, "5.6, 5.19, 6.4.2, 6.4.4", "A media type is not of its form, or not the one that the record must have."},
	{warc.RuleIPAddress, warc.Spec, "5.10", "WARC-IP-Address is neither an IPv4 nor an IPv6 address."},
	{warc.RuleProfile, warc.Spec, "5.18, 6.7.2", "WARC-Profile is no URI, or a revisit lacks the digest that its profile demands."},
	{warc.RuleTruncated, warc.Spec, "5.15", "WARC-Truncated is no token."},
	{warc.RuleSegment, warc.Spec, "5.20, 5.22, 7", "A segment is numbered wrongly, or contradicts the others of its series."},
	{warc.RuleDuplicateID, warc.Spec, "5.2", "Two records of the file have the same WARC-Record-ID."},

	{warc.RuleBlockDigest, warc.Digest, "5.8", "The block does not have the digest that the header says."},
	{warc.RulePayloadDigest, warc.Digest, "5.9", "The payload does not have the digest that the header says, with or without chunk framing."},
	{warc.RuleDigestForm, warc.Digest, "5.8, 5.9", "A digest is not written as algorithm:value, or is none of its algorithm."},

	{warc.RuleSharedMember, warc.Framing, "D.2", "Several records share one compressed member, so they cannot be read by offset."},
	{warc.RuleSplitRecord, warc.Framing, "D.2", "A record goes on in the next gzip member."},

	{warc.RuleCorrupt, warc.Damage, "", "Compressed bytes cannot be unpacked."},
	{warc.RuleChecksum, warc.Damage, "", "A compressed member unpacks, but not to what was packed."},
	{warc.RuleCutOff, warc.Damage, "4", "The file ends inside a record."},
	{warc.RuleNoRecord, warc.Damage, "4", "Bytes stand where a record should start."},
	{warc.RuleShortBlock, warc.Damage, "5.3", "The next record starts before the block has its Content-Length."},
	{warc.RuleWrongLength, warc.Damage, "5.3", "The block goes on behind its Content-Length."},
	{warc.RuleEmptyFile, warc.Damage, "4", "The file holds no record."},

	{warc.RuleLetterCase, warc.Advice, "4, 5.4, 5.13", "The version, or T and Z of a date, are not in capitals."},
	{warc.RuleAngleBrackets, warc.Advice, "5.14, 5.18", "An address of WARC 1.0 stands in angle brackets."},
	{warc.RuleURICharacters, warc.Advice, "5.12, 5.14, 5.18", "An address has characters that RFC 3986 wants escaped."},
	{warc.RuleExtension, warc.Advice, "5.5, 5.15", "A record type or a reason of truncation is not of the standard."},
	{warc.RuleRecommended, warc.Advice, "5.6, 6.2, 6.3.2, 6.5.2", "Content-Type is missing, or not the one that the standard recommends."},
	{warc.RuleHTTP, warc.Advice, "6.3.2, 6.5.2", "A block that should hold an HTTP message holds none, or one without an end of its head."},
	{warc.RuleDigestUnknown, warc.Advice, "5.8, 5.9", "A digest cannot be compared, since its algorithm is not known here."},
	{warc.RuleSeries, warc.Advice, "7", "A segmented record is not complete in the files given."},
	{warc.RuleFileName, warc.Advice, "D.3", "The name of the file says another packing than its bytes."},
	{warc.RuleEmptyMember, warc.Advice, "D.2", "A compressed member holds nothing."},
}
