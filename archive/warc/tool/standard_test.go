package tool

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"slices"
	"strings"
	"testing"

	"varve/archive/warc"
)

// draft is a record that is put together as text, so that every line of it can be made wrong.
type draft struct {
	version string
	fields  [][2]string
	block   string
	eol     string // of header lines
	end     string // behind the block
}

func sha(s string) string {
	sum := sha1.Sum([]byte(s))
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

const (
	draftURI    = "http://example.com/page"
	draftBody   = "<p>hello</p>"
	draftAnswer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + draftBody
	draftAsk    = "GET /page HTTP/1.1\r\nHost: example.com\r\n\r\n"
)

// good makes a record of each type that nothing is wrong with.
func good(kind string) *draft {
	d := &draft{version: "WARC/1.1", eol: "\r\n", end: "\r\n\r\n"}
	d.set("WARC-Type", kind).set("WARC-Record-ID", testID(1)).set("WARC-Date", "2026-01-02T03:04:05Z").set("Content-Length", "")
	if kind != warc.TypeWarcinfo {
		d.set("WARC-Target-URI", draftURI).set("WARC-Warcinfo-ID", testID(900))
	}
	switch kind {
	case warc.TypeWarcinfo:
		d.block = "software: test\r\nformat: WARC File Format 1.1\r\n\r\n"
		d.set("WARC-Filename", "x.warc").set("Content-Type", "application/warc-fields")
	case warc.TypeResponse:
		d.block = draftAnswer
		d.set("Content-Type", "application/http;msgtype=response").set("WARC-IP-Address", "192.0.2.1").
			set("WARC-Payload-Digest", sha(draftBody)).set("WARC-Concurrent-To", testID(901)).set("WARC-Identified-Payload-Type", "text/html")
	case warc.TypeResource:
		d.block = draftBody
		d.set("Content-Type", "text/html").set("WARC-Payload-Digest", sha(draftBody))
	case warc.TypeRequest:
		d.block = draftAsk
		d.set("Content-Type", "application/http;msgtype=request").set("WARC-Concurrent-To", testID(902))
	case warc.TypeMetadata:
		d.block = "via: http://example.com/\r\n\r\n"
		d.set("Content-Type", "application/warc-fields").set("WARC-Refers-To", testID(903))
	case warc.TypeRevisit:
		d.block = "HTTP/1.1 200 OK\r\n\r\n"
		d.set("Content-Type", "application/http;msgtype=response").set("WARC-Profile", warc.ProfileIdentical).
			set("WARC-Payload-Digest", sha(draftBody)).set("WARC-Truncated", "length").
			set("WARC-Refers-To-Target-URI", draftURI).set("WARC-Refers-To-Date", "2026-01-01T00:00:00.5Z")
	case warc.TypeConversion:
		d.block = "hello"
		d.set("Content-Type", "text/plain").set("WARC-Refers-To", testID(904))
	case warc.TypeContinuation:
		d.block = "lo</p>"
		d.set("WARC-Segment-Origin-ID", testID(905)).set("WARC-Segment-Number", "2").set("WARC-Segment-Total-Length", "60")
	}
	return d.set("WARC-Block-Digest", sha(d.block))
}

func (d *draft) set(name, value string) *draft {
	for i := range d.fields {
		if strings.EqualFold(d.fields[i][0], name) {
			d.fields[i] = [2]string{name, value}
			return d
		}
	}
	return d.add(name, value)
}

func (d *draft) add(name, value string) *draft {
	d.fields = append(d.fields, [2]string{name, value})
	return d
}

func (d *draft) del(name string) *draft {
	d.fields = slices.DeleteFunc(d.fields, func(f [2]string) bool { return strings.EqualFold(f[0], name) })
	return d
}

func (d *draft) holding(block string) *draft {
	d.block = block
	return d.set("WARC-Block-Digest", sha(block))
}

func (d *draft) as(version string) *draft {
	d.version = version
	for i, f := range d.fields {
		d.fields[i][1] = strings.ReplaceAll(f[1], "/warc/1.1/", "/warc/"+strings.TrimPrefix(version, "WARC/")+"/")
	}
	return d
}

func (d *draft) bytes() string {
	var b strings.Builder
	b.WriteString(d.version + d.eol)
	for _, f := range d.fields {
		value := f[1]
		if value == "" && strings.EqualFold(f[0], "Content-Length") {
			value = fmt.Sprint(len(d.block))
		}
		b.WriteString(strings.TrimRight(f[0]+": "+value, " ") + d.eol)
	}
	return b.String() + d.eol + d.block + d.end
}

// violation is one thing that the standard forbids.
type violation struct {
	name   string
	clause string
	rule   warc.Rule
	file   string      // in front of a good record, which must be found whatever comes
	also   []warc.Rule // what else follows from it
}

func violations() []violation {
	var out []violation
	file := func(name, clause string, rule warc.Rule, file string, also ...warc.Rule) {
		out = append(out, violation{name, clause, rule, file, also})
	}
	one := func(name, clause string, rule warc.Rule, d *draft, also ...warc.Rule) {
		file(name, clause, rule, d.bytes(), also...)
	}
	const (
		info = warc.TypeWarcinfo
		resp = warc.TypeResponse
		reso = warc.TypeResource
		requ = warc.TypeRequest
		meta = warc.TypeMetadata
		revi = warc.TypeRevisit
		conv = warc.TypeConversion
		cont = warc.TypeContinuation
	)
	all := []string{info, resp, reso, requ, meta, revi, conv, cont}
	clause := map[string]string{
		"WARC-Record-ID": "5.2", "Content-Length": "5.3", "WARC-Date": "5.4", "WARC-Type": "5.5", "Content-Type": "5.6", "WARC-Concurrent-To": "5.7",
		"WARC-Block-Digest": "5.8", "WARC-Payload-Digest": "5.9", "WARC-IP-Address": "5.10", "WARC-Refers-To": "5.11",
		"WARC-Refers-To-Target-URI": "5.12", "WARC-Refers-To-Date": "5.13", "WARC-Target-URI": "5.14", "WARC-Truncated": "5.15", "WARC-Warcinfo-ID": "5.16",
		"WARC-Filename": "5.17", "WARC-Profile": "5.18", "WARC-Identified-Payload-Type": "5.19", "WARC-Segment-Number": "5.20",
		"WARC-Segment-Origin-ID": "5.21", "WARC-Segment-Total-Length": "5.22",
	}

	// Clause 4: the shape of files and records.
	one("version unknown", "4", warc.RuleVersion, good(info).as("WARC/2.0"))
	one("version with three numbers", "4", warc.RuleVersion, good(info).as("WARC/1.0.1"))
	one("version without a number", "4", warc.RuleVersion, good(info).as("WARC/"))
	one("space behind the version", "4", warc.RuleVersion, good(info).as("WARC/1.1 "))
	lf := good(resp)
	lf.eol = "\n"
	one("LF instead of CRLF", "4", warc.RuleLineEnd, lf)
	crcrlf := good(resp)
	crcrlf.eol, crcrlf.end = "\r\r\n", "\r\r\n\r\r\n"
	one("CR CR LF", "4", warc.RuleLineEnd, crcrlf, warc.RuleRecordEnd)
	crcrlf = good(resp)
	crcrlf.eol = "\r\r\n"
	one("CR CR LF in the header alone", "4", warc.RuleLineEnd, crcrlf)
	file("LF on one line", "4", warc.RuleLineEnd, strings.Replace(good(resp).bytes(), "WARC-Date: 2026-01-02T03:04:05Z\r\n", "WARC-Date: 2026-01-02T03:04:05Z\n", 1))
	file("LF behind the version", "4", warc.RuleLineEnd, strings.Replace(good(resp).bytes(), "\r\n", "\n", 1))
	for name, end := range map[string]string{"nothing": "", "one CRLF": "\r\n", "LF LF": "\n\n", "CRLF LF": "\r\n\n"} {
		d := good(resp)
		d.end = end
		one(name+" behind the block", "4", warc.RuleRecordEnd, d)
	}
	d := good(resp)
	d.end = "\r\n\r\n\r\n"
	one("three CRLF behind the block", "4", warc.RuleRecordEnd, d)
	file("line ends before the first record", "4", warc.RuleFileStart, "\r\n\r\n"+good(info).bytes())
	file("byte order mark", "4", warc.RuleFileStart, "\xef\xbb\xbf"+good(info).bytes())
	file("text before the first record", "4", warc.RuleNoRecord, "Dear archive,\r\n"+good(info).bytes())
	file("text between records", "4", warc.RuleNoRecord, good(info).bytes()+"and now:\r\n"+good(meta).set("WARC-Record-ID", testID(2)).bytes())
	line := func(name string, rule warc.Rule, text string) {
		file(name, "4", rule, strings.Replace(good(resp).bytes(), "WARC-Date:", text+"WARC-Date:", 1))
	}
	line("line without a colon", warc.RuleHeaderLine, "nonsense\r\n")
	line("line without a name", warc.RuleHeaderLine, ": value\r\n")
	line("space before the colon", warc.RuleHeaderLine, "X-Note : value\r\n")
	line("space in a field name", warc.RuleHeaderLine, "X Note: value\r\n")
	line("separator in a field name", warc.RuleHeaderLine, "X(Note): value\r\n")
	line("field name not ASCII", warc.RuleHeaderLine, "X-Größe: value\r\n")
	line("control character in a value", warc.RuleHeaderLine, "X-Note: a\x01b\r\n")
	line("NUL in a value", warc.RuleHeaderLine, "X-Note: a\x00b\r\n")
	line("DEL in a value", warc.RuleHeaderLine, "X-Note: a\x7fb\r\n")
	line("bare CR in a value", warc.RuleHeaderLine, "X-Note: a\rb\r\n")
	line("value in Latin-1", warc.RuleEncoding, "X-Note: Gr\xf6\xdfe\r\n")
	line("value with a cut UTF-8 sequence", warc.RuleEncoding, "X-Note: Gr\xc3\r\n")
	line("value with an overlong UTF-8 sequence", warc.RuleEncoding, "X-Note: \xc0\xaf\r\n")
	file("folded line behind the version", "4", warc.RuleHeaderLine, strings.Replace(good(resp).bytes(), "WARC-Type:", " WARC-Type:", 1), warc.RuleMissingField)

	// 5.1 and the fields that every record has.
	for _, name := range []string{"WARC-Record-ID", "WARC-Date", "WARC-Type"} {
		d := good(reso).del(name)
		one(name+" missing", clause[name], warc.RuleMissingField, d)
	}
	for _, name := range []string{"WARC-Record-ID", "WARC-Date", "WARC-Type", "Content-Type", "WARC-Target-URI", "WARC-Block-Digest", "WARC-IP-Address", "Content-Length"} {
		d := good(resp)
		for _, f := range d.fields {
			if f[0] == name {
				value := f[1]
				if name == "Content-Length" {
					value = fmt.Sprint(len(d.block))
				}
				d.add(strings.ToLower(name), value)
			}
		}
		one(name+" repeated", "5.1", warc.RuleRepeatedField, d)
	}
	for _, name := range []string{"WARC-Record-ID", "WARC-Date", "Content-Type", "WARC-Target-URI", "WARC-Block-Digest", "WARC-IP-Address", "WARC-Concurrent-To", "WARC-Warcinfo-ID", "WARC-Payload-Digest", "WARC-Identified-Payload-Type"} {
		one(name+" empty", clause[name], warc.RuleEmptyField, good(resp).set(name, ""))
	}
	one("WARC-Type empty", "5.5", warc.RuleEmptyField, good(resp).set("WARC-Type", ""))
	one("WARC-Filename empty", "5.17", warc.RuleEmptyField, good(info).set("WARC-Filename", ""))
	one("WARC-Truncated empty", "5.15", warc.RuleEmptyField, good(resp).set("WARC-Truncated", ""))

	// 5.2 record ids.
	for name, id := range map[string]string{
		"without brackets": "urn:uuid:00000000-0000-4000-8000-000000000001", "no URI": "<zaphod>", "a number": "1234", "with a space": "<urn:uuid:0000 0001>",
		"only a scheme": "<urn:>", "relative": "</records/1>", "open bracket": "<urn:uuid:00000000", "brackets twice": "<<urn:uuid:1>>", "scheme of digits": "<1urn:x>", "not ASCII": "<urn:größe>", "empty brackets": "<>",
	} {
		one("record id "+name, "5.2", warc.RuleRecordID, good(reso).set("WARC-Record-ID", id))
	}
	one("record id without brackets in 1.0", "5.2", warc.RuleRecordID, good(reso).as("WARC/1.0").set("WARC-Record-ID", "urn:uuid:1"))
	file("record id twice", "5.2", warc.RuleDuplicateID, good(reso).bytes()+good(reso).bytes())

	// 5.3
	for name, v := range map[string]string{"a word": "long", "negative": "-1", "hexadecimal": "0x10", "with a fraction": "1.5", "too large": "99999999999999999999"} {
		one("Content-Length "+name, "5.3", warc.RuleContentLength, good(reso).set("Content-Length", v))
	}
	one("Content-Length with a sign", "5.3", warc.RuleContentLength, good(reso).set("Content-Length", fmt.Sprintf("+%d", len(draftBody))))
	one("Content-Length missing", "5.3", warc.RuleContentLength, good(reso).del("Content-Length"))
	one("Content-Length too small", "5.3", warc.RuleWrongLength, good(reso).set("Content-Length", fmt.Sprint(len(draftBody)-3)))

	// 5.4 dates, by version.
	for name, v := range map[string]string{
		"of words": "blue monday", "of 14 digits": "20260102030405", "without a zone": "2026-01-02T03:04:05", "of another zone": "2026-01-02T03:04:05+02:00", "to the hour": "2026-01-02T03Z",
		"with ten digits of a fraction": "2026-01-02T03:04:05.0123456789Z", "with a comma": "2026-01-02T03:04:05,5Z", "of month 13": "2026-13-02T03:04:05Z", "of a 30th of February": "2026-02-30T03:04:05Z",
		"with a space": "2026-01-02 03:04:05Z", "of hour 24": "2026-01-02T24:04:05Z", "of HTTP": "Fri, 02 Jan 2026 03:04:05 GMT", "with an empty fraction": "2026-01-02T03:04:05.Z", "of a day with a zone": "2026-01-02Z",
	} {
		one("date "+name, "5.4", warc.RuleDate, good(reso).set("WARC-Date", v))
	}
	for name, v := range map[string]string{"with a fraction": "2026-01-02T03:04:05.5Z", "to the minute": "2026-01-02T03:04Z", "to the day": "2026-01-02", "to the year": "2026"} {
		one("date "+name+" in 1.0", "5.4", warc.RuleDate, good(reso).as("WARC/1.0").set("WARC-Date", v))
	}

	// 5.5
	one("type of two words", "5.5", warc.RuleType, good(reso).set("WARC-Type", "my type"))
	one("type in quotes", "5.5", warc.RuleType, good(reso).set("WARC-Type", `"resource"`))

	// 5.6 and 5.19 media types.
	for name, v := range map[string]string{"without a subtype": "text", "with a backslash": `gif\image`, "with a parameter without a value": "text/html; charset", "with an empty subtype": "text/", "with a loose semicolon": "text/html;", "of words": "a web page"} {
		one("Content-Type "+name, "5.6", warc.RuleContentType, good(reso).set("Content-Type", v))
	}
	one("identified type of words", "5.19", warc.RuleContentType, good(reso).set("WARC-Identified-Payload-Type", "HTML document"))

	// 5.7, 5.11, 5.16, 5.21: names of other records.
	for name, kind := range map[string]string{"WARC-Concurrent-To": requ, "WARC-Refers-To": meta, "WARC-Warcinfo-ID": reso, "WARC-Segment-Origin-ID": cont} {
		one(name+" without brackets", clause[name], warc.RuleReference, good(kind).set(name, "urn:uuid:1"))
		one(name+" that is no URI", clause[name], warc.RuleReference, good(kind).set(name, "<someone>"))
	}
	one("second WARC-Concurrent-To is no URI", "5.7", warc.RuleReference, good(requ).add("WARC-Concurrent-To", "<x>"))

	// 5.8, 5.9 digests.
	for _, name := range []string{"WARC-Block-Digest", "WARC-Payload-Digest"} {
		rule := warc.RuleBlockDigest
		if name == "WARC-Payload-Digest" {
			rule = warc.RulePayloadDigest
		}
		one(name+" without a label", clause[name], warc.RuleDigestForm, good(resp).set(name, "AIKLJM2V2EOKR4WOIWUWRQTEMUN57P4D"))
		one(name+" without a value", clause[name], warc.RuleDigestForm, good(resp).set(name, "sha1:"))
		one(name+" without an algorithm", clause[name], warc.RuleDigestForm, good(resp).set(name, ":AIKLJM2V2EOKR4WOIWUWRQTEMUN57P4D"))
		one(name+" with a space", clause[name], warc.RuleDigestForm, good(resp).set(name, "sharif 1: omar"))
		one(name+" too short", clause[name], warc.RuleDigestForm, good(resp).set(name, "sha1:AB2CD3EF"))
		one(name+" of something else", clause[name], rule, good(resp).set(name, sha("something else")))
	}
	one("payload digest of a revisit without a label", "5.9", warc.RuleDigestForm, good(revi).set("WARC-Payload-Digest", "AIKLJM2V2EOKR4WOIWUWRQTEMUN57P4D"))

	// 5.10
	for name, v := range map[string]string{"a name": "example.com", "letters": "a.b.c.d", "three numbers": "192.0.2", "too large": "192.0.2.256", "with a port": "192.0.2.1:80", "in brackets": "[2001:db8::1]", "with a zone": "fe80::1%eth0", "six groups": "1:2:3:4:5:6"} {
		one("IP address "+name, "5.10", warc.RuleIPAddress, good(resp).set("WARC-IP-Address", v))
	}

	// 5.12 to 5.14 addresses.
	one("WARC-Refers-To-Target-URI in brackets", "5.12", warc.RuleReference, good(revi).set("WARC-Refers-To-Target-URI", "<"+draftURI+">"))
	one("WARC-Refers-To-Target-URI with a space", "5.12", warc.RuleReference, good(revi).set("WARC-Refers-To-Target-URI", "http://example.com/a b"))
	one("WARC-Refers-To-Date of 14 digits", "5.13", warc.RuleReference, good(revi).set("WARC-Refers-To-Date", "20260101000000"))
	for name, v := range map[string]string{"in brackets": "<" + draftURI + ">", "without a scheme": "example.com/page", "relative": "/page", "with a space": "http://example.com/a b", "with a quote": `http://example.com/"a"`, "not ASCII": "http://example.com/größe", "of one word": "bad_uri", "with an angle bracket": "http://example.com/<a>"} {
		one("target "+name, "5.14", warc.RuleTargetURI, good(reso).set("WARC-Target-URI", v))
	}
	one("target with a space in 1.0", "5.14", warc.RuleTargetURI, good(reso).as("WARC/1.0").set("WARC-Target-URI", "http://example.com/a b"))
	for _, kind := range []string{resp, reso, requ, revi, conv, cont} {
		one("target missing in "+kind, "5.14", warc.RuleMissingField, good(kind).del("WARC-Target-URI"))
	}
	one("truncated for two reasons", "5.15", warc.RuleTruncated, good(resp).set("WARC-Truncated", "length time"))

	// Fields in records of the wrong type.
	allowed := map[string][]string{
		"WARC-Concurrent-To": {resp, reso, requ, meta, revi}, "WARC-Payload-Digest": {resp, reso, requ, revi, conv, cont},
		"WARC-IP-Address": {resp, reso, requ, meta, revi}, "WARC-Refers-To": {meta, revi, conv}, "WARC-Refers-To-Target-URI": {revi}, "WARC-Refers-To-Date": {revi},
		"WARC-Target-URI": {resp, reso, requ, meta, revi, conv, cont}, "WARC-Warcinfo-ID": {resp, reso, requ, meta, revi, conv, cont}, "WARC-Filename": {info},
		"WARC-Profile": {revi}, "WARC-Identified-Payload-Type": {resp, reso, requ, revi, conv, cont}, "WARC-Segment-Origin-ID": {cont}, "WARC-Segment-Total-Length": {cont},
	}
	value := map[string]string{
		"WARC-Concurrent-To": testID(7), "WARC-IP-Address": "192.0.2.7", "WARC-Refers-To": testID(8), "WARC-Refers-To-Target-URI": draftURI,
		"WARC-Refers-To-Date": "2026-01-01", "WARC-Target-URI": draftURI, "WARC-Warcinfo-ID": testID(9), "WARC-Filename": "x.warc", "WARC-Profile": warc.ProfileNotModified,
		"WARC-Identified-Payload-Type": "text/html", "WARC-Segment-Origin-ID": testID(10), "WARC-Segment-Total-Length": "5000",
	}
	for name, kinds := range allowed {
		for _, kind := range all {
			if slices.Contains(kinds, kind) {
				continue
			}
			d, v := good(kind), value[name]
			if name == "WARC-Payload-Digest" {
				v = sha(d.block)
			}
			one(name+" in "+kind, clause[name], warc.RuleWrongType, d.set(name, v))
		}
	}

	// 5.18, 6.7 profiles.
	one("revisit without a profile", "5.18", warc.RuleMissingField, good(revi).del("WARC-Profile"))
	one("revisit with an empty profile", "5.18", warc.RuleEmptyField, good(revi).set("WARC-Profile", ""))
	one("profile that is no URI", "5.18", warc.RuleProfile, good(revi).set("WARC-Profile", "identical-payload-digest"))
	one("profile in brackets", "5.18", warc.RuleProfile, good(revi).set("WARC-Profile", "<"+warc.ProfileIdentical+">"))
	one("identical payload without its digest", "6.7.2", warc.RuleProfile, good(revi).del("WARC-Payload-Digest"))
	one("identical payload without its digest in 1.0", "6.7.2", warc.RuleProfile, good(revi).as("WARC/1.0").del("WARC-Payload-Digest"))

	// 5.20 to 5.22, 6.9, 7 segments.
	one("continuation without a number", "5.20", warc.RuleMissingField, good(cont).del("WARC-Segment-Number"))
	one("continuation without its origin", "5.21", warc.RuleMissingField, good(cont).del("WARC-Segment-Origin-ID"))
	one("continuation with number 1", "5.20", warc.RuleSegment, good(cont).set("WARC-Segment-Number", "1"))
	one("response with number 2", "5.20", warc.RuleSegment, good(resp).set("WARC-Segment-Number", "2"))
	one("segment number 0", "5.20", warc.RuleSegment, good(resp).set("WARC-Segment-Number", "0"))
	one("segment number of letters", "5.20", warc.RuleSegment, good(cont).set("WARC-Segment-Number", "two"))
	one("total length of letters", "5.22", warc.RuleSegment, good(cont).set("WARC-Segment-Total-Length", "all"))
	one("total length less than the segment", "5.22", warc.RuleSegment, good(cont).set("WARC-Segment-Total-Length", "2"))
	series := func(change func(first, second *draft)) string {
		first := good(reso).holding("<p>hel").set("WARC-Segment-Number", "1")
		second := good(cont).set("WARC-Record-ID", testID(2)).set("WARC-Segment-Origin-ID", testID(1)).set("WARC-Segment-Total-Length", "12")
		change(first, second)
		return first.bytes() + second.bytes()
	}
	file("total length that does not add up", "7", warc.RuleSegment, series(func(_, second *draft) { second.set("WARC-Segment-Total-Length", "40") }))
	file("segments of two addresses", "7", warc.RuleSegment, series(func(_, second *draft) { second.set("WARC-Target-URI", "http://example.com/other") }))
	third := good(cont).set("WARC-Record-ID", testID(3)).set("WARC-Segment-Origin-ID", testID(1)).set("WARC-Segment-Total-Length", "18")
	file("one number twice", "7", warc.RuleSegment, series(func(*draft, *draft) {})+third.bytes())
	third.set("WARC-Segment-Number", "3")
	file("total length before the last segment", "7", warc.RuleSegment, series(func(*draft, *draft) {})+third.bytes())

	// 6.4 resources.
	one("resource of dns that is no text/dns", "6.4.4", warc.RuleContentType, good(reso).set("WARC-Target-URI", "dns:example.com").set("Content-Type", "text/plain"))
	one("resource of http with a whole message", "6.4.2", warc.RuleContentType, good(reso).set("Content-Type", "application/http;msgtype=response").holding(draftAnswer).del("WARC-Payload-Digest"))
	return out
}

// The classes that make a file invalid, and the rules found in each.
func brokenRules(found []warc.Finding) (rules []warc.Rule, clauses []string) {
	for _, f := range found {
		if f.Class == warc.Advice {
			continue
		}
		rules = append(rules, f.Rule)
		clauses = append(clauses, string(f.Rule)+" "+f.Clause)
	}
	slices.Sort(rules)
	return slices.Compact(rules), clauses
}

// Every violation of clauses 4 to 7 makes the file invalid, with the rule and the clause that it
// breaks and no other, and the record behind it is read.
func TestViolationsOfTheStandard(t *testing.T) {
	cases := violations()
	byClause := map[string]int{}
	for _, c := range cases {
		part, _, _ := strings.Cut(c.clause, ".")
		byClause[part]++
		t.Run(c.name, func(t *testing.T) {
			sentinel := good(warc.TypeMetadata).set("WARC-Record-ID", testID(999)).bytes()
			sums, found := checkAll(t, CheckOptions{}, input(t, "x.warc", []byte(c.file+sentinel)))
			rules, clauses := brokenRules(found)
			want := slices.Compact(slices.Sorted(slices.Values(append([]warc.Rule{c.rule}, c.also...))))
			if !slices.Equal(rules, want) || !slices.Contains(clauses, string(c.rule)+" "+c.clause) {
				t.Errorf("found %v, want %s of clause %s%s\n%q", clauses, c.rule, c.clause, c.also, c.file)
			}
			if sums[0].Total() == 0 {
				t.Error("called valid")
			}
			if !hasRecord(t, c.file+sentinel, testID(999)) {
				t.Error("the record behind it is lost")
			}
		})
	}
	t.Logf("%d violations, by clause %v", len(cases), byClause)
	if len(cases) < 120 {
		t.Errorf("only %d violations", len(cases))
	}
}

func hasRecord(t *testing.T, file, id string) bool {
	r, err := warc.NewReader(bytes.NewReader([]byte(file)), warc.Options{Policy: warc.Silent()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		rec, err := r.Next()
		if err != nil {
			return false
		}
		if rec.ID() == id {
			return true
		}
	}
}

// What the standard allows is valid, however unusual: at most advice is told.
func TestValidByTheStandard(t *testing.T) {
	type valid struct {
		name   string
		file   string
		advice warc.Rule // "" for none
	}
	var cases []valid
	one := func(name string, d *draft, advice warc.Rule) { cases = append(cases, valid{name, d.bytes(), advice}) }
	for _, version := range []string{"WARC/1.1", "WARC/1.0"} {
		for _, kind := range []string{"warcinfo", "response", "resource", "request", "metadata", "revisit", "conversion", "continuation"} {
			advice := warc.Rule("")
			if kind == "continuation" {
				advice = warc.RuleSeries
			}
			one(kind+" of "+version, good(kind).as(version), advice)
		}
	}
	lower, upper := good("response"), good("response")
	lower.version = "warc/1.1"
	for i := range lower.fields {
		lower.fields[i][0] = strings.ToLower(lower.fields[i][0])
		upper.fields[i][0] = strings.ToUpper(upper.fields[i][0])
	}
	one("all in lower case", lower.set("warc-date", "2026-01-02t03:04:05z"), warc.RuleLetterCase)
	one("all in upper case", upper.set("WARC-TYPE", "RESPONSE"), "")
	one("version in mixed case", good("warcinfo").as("Warc/1.0"), warc.RuleLetterCase)
	for _, date := range []string{"2026", "2026-01", "2026-01-02", "2026-01-02T03:04Z", "2026-01-02T03:04:05.5Z", "2026-01-02T03:04:05.123456789Z"} {
		one("date "+date, good("resource").set("WARC-Date", date), "")
	}
	cases = append(cases,
		valid{"folded lines", strings.Replace(good("warcinfo").bytes(), "WARC-Filename: ", "WARC-Filename:\r\n \t", 1), ""},
		valid{"no space behind the colon", strings.ReplaceAll(good("resource").bytes(), "WARC-Date: ", "WARC-Date:"), ""},
		valid{"much space behind the colon", strings.ReplaceAll(good("resource").bytes(), "WARC-Date: ", "WARC-Date: \t  "), ""},
		valid{"two files together", good("warcinfo").bytes() + good("resource").set("WARC-Record-ID", testID(2)).bytes() + good("warcinfo").set("WARC-Record-ID", testID(3)).bytes(), ""},
		valid{"a series of segments", good("resource").holding("<p>hel").set("WARC-Segment-Number", "1").bytes() +
			good("continuation").set("WARC-Record-ID", testID(2)).set("WARC-Segment-Origin-ID", testID(1)).set("WARC-Segment-Total-Length", "12").bytes(), ""},
	)
	one("empty block", good("metadata").holding("").del("Content-Type"), "")
	one("empty revisit", good("revisit").holding("").del("Content-Type"), "")
	one("unknown field", good("resource").add("X-Custom", "größe, 東京; (anything) <at> all"), "")
	one("unknown field of the WARC kind", good("resource").add("WARC-Weather", "rain"), "")
	one("unknown field repeated", good("resource").add("X-Custom", "a").add("X-Custom", "b"), "")
	one("unknown field without a value", good("resource").add("X-Custom", ""), "")
	one("encoded word", good("warcinfo").set("WARC-Filename", "=?UTF-8?Q?gr=C3=B6=C3=9Fe?="), "")
	one("file name in UTF-8", good("warcinfo").set("WARC-Filename", "größe 東京.warc"), "")
	one("file name in quotes", good("warcinfo").set("WARC-Filename", `"my file.warc"`), "")
	one("unknown type", good("resource").set("WARC-Type", "screenshot"), warc.RuleExtension)
	one("unknown reason of truncation", good("resource").set("WARC-Truncated", "boredom"), warc.RuleExtension)
	one("three concurrent records", good("request").add("WARC-Concurrent-To", testID(5)).add("warc-concurrent-to", testID(6)), "")
	one("metadata about a record without an address", good("metadata").del("WARC-Target-URI"), "")
	one("metadata of another media type", good("metadata").set("Content-Type", "text/anvl"), "")
	one("warcinfo of another media type", good("warcinfo").set("Content-Type", "application/json"), warc.RuleRecommended)
	one("no content type", good("resource").del("Content-Type"), warc.RuleRecommended)
	one("media type with parameters", good("resource").set("Content-Type", `text/html ; charset="utf-8"; x=y`), "")
	one("resource of dns", good("resource").set("WARC-Target-URI", "dns:example.com").set("Content-Type", "text/dns"), "")
	one("response of dns", good("response").set("WARC-Target-URI", "dns:example.com").set("Content-Type", "text/dns").holding("20260102\nexample.com. 1 IN A 192.0.2.1\n").del("WARC-Payload-Digest"), "")
	one("resource of a file", good("resource").set("WARC-Target-URI", "file:///var/www/logo.jpg"), "")
	one("IPv6", good("response").set("WARC-IP-Address", "2001:db8::8:800:200c:417a"), "")
	one("IPv6 with an IPv4 part", good("response").set("WARC-IP-Address", "::ffff:192.0.2.1"), "")
	one("target in brackets in 1.0", good("resource").as("WARC/1.0").set("WARC-Target-URI", "<"+draftURI+">"), warc.RuleAngleBrackets)
	one("target as browsers send it", good("resource").set("WARC-Target-URI", "http://example.com/?family=A|B{1}"), warc.RuleURICharacters)
	one("revisit of the other profile", good("revisit").set("WARC-Profile", warc.ProfileNotModified).del("WARC-Payload-Digest"), "")
	one("revisit of a profile of its own", good("revisit").set("WARC-Profile", "http://example.com/profiles/diff"), "")
	one("1.0 profile in 1.1", good("revisit").set("WARC-Profile", "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"), "")
	one("extension fields in 1.0", good("response").as("WARC/1.0").set("WARC-Refers-To-Date", "2026"), "")
	one("record id of http", good("resource").set("WARC-Record-ID", "<http://example.com/records/1>"), "")
	one("digest of another algorithm", good("resource").set("WARC-Block-Digest", "blake3:af1349b9f5f9a1a6"), warc.RuleDigestUnknown)
	one("digest in base16", good("resource").set("WARC-Payload-Digest", fmt.Sprintf("SHA1:%X", sha1.Sum([]byte(draftBody)))), "")
	one("response that is no HTTP", good("response").holding("SSH-2.0-OpenSSH").del("WARC-Payload-Digest"), warc.RuleHTTP)
	one("HTTP head without its end", good("response").holding("HTTP/1.1 200 OK\r\nServer: x\r\n").del("WARC-Payload-Digest"), warc.RuleHTTP)
	if len(cases) < 60 {
		t.Errorf("only %d files", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sums, found := checkAll(t, CheckOptions{}, input(t, "x.warc", []byte(c.file)))
			var advice []warc.Rule
			for _, f := range found {
				advice = append(advice, f.Rule)
			}
			if sums[0].Total() != 0 || c.advice == "" && len(found) > 0 || c.advice != "" && !slices.Contains(advice, c.advice) {
				t.Errorf("%v, want advice %q\n%q", found, c.advice, c.file)
			}
			if sums[0].Records == 0 {
				t.Error("no record read")
			}
		})
	}
	t.Logf("%d valid files", len(cases))
}

// What a finding about HTTP says is what is the matter.
func TestHTTPMessages(t *testing.T) {
	for block, want := range map[string]string{
		"":                                 "is empty",
		"SSH-2.0-OpenSSH":                  "does not start like one",
		"HTTP/1.1 200 OK\r\nServer: x\r\n": "has no empty line at its end",
	} {
		_, found := checkAll(t, CheckOptions{}, input(t, "x.warc", []byte(good("response").holding(block).del("WARC-Payload-Digest").bytes())))
		if len(found) != 1 || found[0].Rule != warc.RuleHTTP || !strings.Contains(found[0].Message, want) {
			t.Errorf("%q: %v, want %q", block, found, want)
		}
	}
}

// Every clause that is told is one that the table of rules names for its rule.
func TestClausesOfRules(t *testing.T) {
	named := map[warc.Rule][]string{}
	for _, r := range Rules() {
		named[r.Rule] = strings.Split(r.Clause, ", ")
	}
	for _, c := range violations() {
		_, found := checkAll(t, CheckOptions{}, input(t, "x.warc", []byte(c.file)))
		for _, f := range found {
			if !slices.Contains(named[f.Rule], f.Clause) {
				t.Errorf("%s: %s of clause %q, the table says %v", c.name, f.Rule, f.Clause, named[f.Rule])
			}
		}
	}
}
