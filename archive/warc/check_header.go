package warc

import (
	"fmt"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"varve/web/wire"
)

// typeSet is a set of the record types of the standard.
type typeSet uint16

const (
	inWarcinfo typeSet = 1 << iota
	inResponse
	inResource
	inRequest
	inMetadata
	inRevisit
	inConversion
	inContinuation
	inUnknown // a type of an extension

	inAll      = inUnknown<<1 - 1
	inCaptured = inResponse | inResource | inRequest | inRevisit | inConversion | inContinuation
	inEvent    = inResponse | inResource | inRequest | inMetadata | inRevisit
)

// typeOf gives the set of one type; records without a type are judged like those of an extension.
func typeOf(name string) typeSet {
	switch name {
	case TypeWarcinfo:
		return inWarcinfo
	case TypeResponse:
		return inResponse
	case TypeResource:
		return inResource
	case TypeRequest:
		return inRequest
	case TypeMetadata:
		return inMetadata
	case TypeRevisit:
		return inRevisit
	case TypeConversion:
		return inConversion
	case TypeContinuation:
		return inContinuation
	}
	return inUnknown
}

// fieldRule is what clause 5 says of a named field.
type fieldRule struct {
	name   string
	clause string
	may    typeSet // types that may have it
	must   typeSet // types that have to
	rule   Rule    // broken by a value of the wrong form
	// form tells what a value should be, or "" if it is that.
	form func(r *Reader, value string) string
}

// fieldRules are the defined fields, with their clauses in ISO 28500:2017. In the edition of 2009
// those from WARC-Target-URI on have numbers lower by two.
var fieldRules = [...]fieldRule{
	{FieldRecordID, "5.2", inAll, inAll, RuleRecordID, (*Reader).formID},
	{FieldContentLength, "5.3", inAll, 0, RuleContentLength, (*Reader).formDigits}, // readHeader tells when it is missing
	{FieldDate, "5.4", inAll, inAll, RuleDate, (*Reader).formDate},
	{FieldType, "5.5", inAll, inAll, RuleType, (*Reader).formToken},
	{FieldContentType, "5.6", inAll, 0, RuleContentType, (*Reader).formMediaType},
	{FieldConcurrentTo, "5.7", inEvent | inUnknown, 0, RuleReference, (*Reader).formID},
	{FieldBlockDigest, "5.8", inAll, 0, RuleDigestForm, nil}, // verifier.check
	{FieldPayloadDigest, "5.9", inCaptured | inUnknown, 0, RuleDigestForm, nil},
	{FieldIPAddress, "5.10", inEvent | inUnknown, 0, RuleIPAddress, (*Reader).formIP},
	{FieldRefersTo, "5.11", inMetadata | inRevisit | inConversion | inUnknown, 0, RuleReference, (*Reader).formID},
	{FieldRefersToURI, "5.12", inRevisit | inUnknown, 0, RuleReference, (*Reader).formRefersToURI},
	{FieldRefersToDate, "5.13", inRevisit | inUnknown, 0, RuleReference, (*Reader).formRefersToDate},
	{FieldTargetURI, "5.14", inAll &^ inWarcinfo, inCaptured, RuleTargetURI, (*Reader).formTarget},
	{FieldTruncated, "5.15", inAll, 0, RuleTruncated, (*Reader).formToken},
	{FieldWarcinfoID, "5.16", inAll &^ inWarcinfo, 0, RuleReference, (*Reader).formID},
	{FieldFilename, "5.17", inWarcinfo | inUnknown, 0, "", nil},
	{FieldProfile, "5.18", inRevisit | inUnknown, inRevisit, RuleProfile, (*Reader).formProfile},
	{FieldPayloadType, "5.19", inCaptured | inUnknown, 0, RuleContentType, (*Reader).formMediaType},
	{FieldSegmentNumber, "5.20", inAll, inContinuation, RuleSegment, (*Reader).formSegment},
	{FieldSegmentOrigin, "5.21", inContinuation | inUnknown, inContinuation, RuleReference, (*Reader).formID},
	{FieldSegmentTotal, "5.22", inContinuation | inUnknown, 0, RuleSegment, (*Reader).formTotal},
}

// ruleOf gives the place of a field in fieldRules, or -1 for fields that the standard does not define.
func ruleOf(name string) int {
	for i := range fieldRules {
		if len(fieldRules[i].name) == len(name) && strings.EqualFold(fieldRules[i].name, name) {
			return i
		}
	}
	return -1
}

// checkHeader holds the current header against clauses 4 to 6 of the standard.
func (r *Reader) checkHeader() {
	if r.opts.Policy.Spec == Ignore {
		return
	}
	r.checkVersion()
	kind := typeOf(r.rec.Type())
	var seen [len(fieldRules)]bool
	for _, f := range r.rec.Header {
		i := ruleOf(f.Name)
		if i < 0 {
			continue // unknown fields are passed over (5.1)
		}
		if seen[i] && fieldRules[i].name != FieldConcurrentTo {
			r.find(Spec, RuleRepeatedField, fieldRules[i].name+" is repeated")
			continue
		}
		seen[i] = true
		r.checkField(&fieldRules[i], f.Value, kind)
	}
	for i := range fieldRules {
		if f := &fieldRules[i]; f.must&kind != 0 && !seen[i] {
			r.findAt(Spec, RuleMissingField, f.clause, f.name+" is missing"+r.inType())
		}
	}
	r.checkType(kind)
}

// inType names the type of the record for a message.
func (r *Reader) inType() string {
	if t := r.rec.Type(); t != "" {
		return " in a record of type " + clip(t)
	}
	return ""
}

func (r *Reader) checkVersion() {
	line, _, _ := strings.Cut(r.rec.Raw, "\n")
	switch r.rec.Version {
	case "WARC/1.0", "WARC/1.1", "WARC/0.17", "WARC/0.18":
		if bare := strings.TrimRight(line, "\r"); bare != strings.TrimRight(bare, " \t") {
			r.find(Spec, RuleVersion, fmt.Sprintf("space behind the version: %q", clip(bare)))
		}
	default:
		r.find(Spec, RuleVersion, fmt.Sprintf("version %q is not known", clip(r.rec.Version)))
	}
}

// is10 tells whether the record follows the first edition of the standard, or a draft of it.
func (r *Reader) is10() bool {
	return r.rec.Version == "WARC/1.0" || r.rec.Version == "WARC/0.17" || r.rec.Version == "WARC/0.18"
}

func (r *Reader) checkField(f *fieldRule, value string, kind typeSet) {
	if r.is10() && (f.name == FieldRefersToURI || f.name == FieldRefersToDate) {
		return // an extension before 1.1
	}
	if _, ok := contentLength(r.rec.Header); !ok && f.name == FieldContentLength {
		return // told by readHeader
	}
	if f.may&kind == 0 {
		r.findAt(Spec, RuleWrongType, f.clause, f.name+" may not stand"+r.inType())
	}
	if value == "" {
		r.findAt(Spec, RuleEmptyField, f.clause, f.name+" has no value")
		return
	}
	if f.form == nil {
		return
	}
	if what := f.form(r, value); what != "" {
		class := Spec
		if f.rule == RuleContentLength {
			class = Syntax
		}
		r.findAt(class, f.rule, f.clause, fmt.Sprintf("%s %q %s", f.name, clip(value), what))
	}
}

// formID wants a URI in angle brackets.
func (r *Reader) formID(v string) string {
	if len(v) < 2 || v[0] != '<' || v[len(v)-1] != '>' {
		return "does not stand in angle brackets"
	}
	if hard, soft := uriFlaw(v[1 : len(v)-1]); hard != "" {
		return "is no URI: " + hard
	} else if soft != "" {
		return "is no URI: " + soft
	}
	return ""
}

// formURI wants a URI without angle brackets. The grammar of 1.0 has brackets and its examples have
// none, so both are right there.
func (r *Reader) formURI(name, clause, v string) string {
	if strings.HasPrefix(v, "<") {
		if !r.is10() || !strings.HasSuffix(v, ">") {
			return "stands in angle brackets"
		}
		r.findAt(Advice, RuleAngleBrackets, clause, name+" stands in angle brackets: so says the grammar of 1.0, not its examples, and 1.1 forbids it")
		v = v[1 : len(v)-1]
	}
	hard, soft := uriFlaw(v)
	if hard == "" && soft != "" {
		r.findAt(Advice, RuleURICharacters, clause, fmt.Sprintf("%s %q has %s", name, clip(v), soft))
	}
	if hard != "" {
		return "is no URI: " + hard
	}
	return ""
}

func (r *Reader) formTarget(v string) string      { return r.formURI(FieldTargetURI, "5.14", v) }
func (r *Reader) formRefersToURI(v string) string { return r.formURI(FieldRefersToURI, "5.12", v) }
func (r *Reader) formProfile(v string) string     { return r.formURI(FieldProfile, "5.18", v) }

// uriFlaw tells why a text is no URI by RFC 3986. soft are the characters that the RFC wants escaped
// and that browsers and crawlers send as they are: escaped, it would be another address.
func uriFlaw(s string) (hard, soft string) {
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || scheme == "" || !isLetter(scheme[0]) {
		return "it has no scheme", ""
	}
	for _, c := range []byte(scheme) {
		if !isLetter(c) && (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' {
			return "it has no scheme", ""
		}
	}
	if rest == "" {
		return "there is nothing behind its scheme", ""
	}
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == ' ' || c == '\t':
			return "it holds a space", ""
		case c < ' ' || c == 0x7f:
			return "it holds a control character", ""
		case c >= 0x80:
			return "it holds characters that are not ASCII", ""
		case strings.IndexByte(`<>"`, c) >= 0:
			return fmt.Sprintf("it holds %q", c), ""
		case strings.IndexByte("\\^`{|}", c) >= 0:
			soft = fmt.Sprintf("the character %q, which RFC 3986 wants escaped", c)
		case c == '%' && (i+2 >= len(rest) || !isHex(rest[i+1]) || !isHex(rest[i+2])):
			soft = "a % without two hexadecimal digits behind it"
		}
	}
	return "", soft
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

func (r *Reader) formDigits(v string) string {
	if strings.Trim(v, "0123456789") != "" {
		return "is no number"
	}
	return ""
}

func (r *Reader) formToken(v string) string {
	if !wire.IsToken(v) {
		return "is no token"
	}
	return ""
}

func (r *Reader) formIP(v string) string {
	if ip, err := netip.ParseAddr(v); err != nil || ip.Zone() != "" {
		return "is neither an IPv4 nor an IPv6 address"
	}
	return ""
}

// mediaType is the grammar of 5.6, with the space around ";" that its own examples have.
var mediaType = func() *regexp.Regexp {
	const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
	return regexp.MustCompile(`^` + token + `/` + token + `(?:[ \t]*;[ \t]*` + token + `=(?:` + token + `|"(?:[^"\\]|\\.)*"))*$`)
}()

func (r *Reader) formMediaType(v string) string {
	if !mediaType.MatchString(v) {
		return "is no media type (type/subtype; attribute=value)"
	}
	return ""
}

// The forms of dates: 1.0 knows one, 1.1 the levels of W3C-DTF in UTC.
var (
	date10 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)
	date11 = regexp.MustCompile(`^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]00:00))?)?)?$`)
)

func (r *Reader) formDate(v string) string { return r.formDateOf(FieldDate, "5.4", v) }

func (r *Reader) formRefersToDate(v string) string { return r.formDateOf(FieldRefersToDate, "5.13", v) }

func (r *Reader) formDateOf(name, clause, v string) string {
	upper := strings.ToUpper(v)
	form, want := date11, "is no date in UTC of W3C-DTF (2006-01-02T15:04:05Z, with 1 to 9 digits of a fraction, or less precise)"
	if r.is10() {
		form, want = date10, "is not of the one form that "+r.rec.Version+" knows: 2006-01-02T15:04:05Z"
	}
	if !form.MatchString(upper) {
		return want
	}
	if _, err := ParseDate(upper); err != nil {
		return "is no day or time that there is"
	}
	if upper != v {
		r.findAt(Advice, RuleLetterCase, clause, fmt.Sprintf("%s %q: T and Z are usual in capitals", name, clip(v)))
	}
	return ""
}

// formSegment wants 1 in a first segment and more in a continuation.
func (r *Reader) formSegment(v string) string {
	n, err := strconv.ParseUint(v, 10, 63)
	switch {
	case err != nil || r.formDigits(v) != "":
		return "is no number"
	case n == 0:
		return "is 0: segments are counted from 1"
	case r.rec.Type() == TypeContinuation && n == 1:
		return "is that of a first segment" + r.inType()
	case r.rec.Type() != TypeContinuation && n > 1:
		return "is not 1" + r.inType()
	}
	return ""
}

func (r *Reader) formTotal(v string) string {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || r.formDigits(v) != "" {
		return "is no number"
	}
	if length, ok := contentLength(r.rec.Header); ok && n < length {
		return fmt.Sprintf("is less than the %d bytes of this segment alone", length)
	}
	return ""
}

// checkType holds a record against clause 6, and tells what the standard recommends.
func (r *Reader) checkType(kind typeSet) {
	h := r.rec.Header
	if t := r.rec.Type(); kind == inUnknown && wire.IsToken(t) {
		r.findAt(Advice, RuleExtension, "5.5", fmt.Sprintf("record type %q is not of the standard: readers pass over it", clip(t)))
	}
	switch v := h.Get(FieldTruncated); strings.ToLower(v) {
	case "", "length", "time", "disconnect", "unspecified":
	default:
		if wire.IsToken(v) {
			r.findAt(Advice, RuleExtension, "5.15", fmt.Sprintf("WARC-Truncated %q is not of the standard", clip(v)))
		}
	}
	r.checkContentType(kind)
	if profile := trimURI(h.Get(FieldProfile)); kind == inRevisit && isIdenticalProfile(profile) && !h.Has(FieldPayloadDigest) {
		r.findAt(Spec, RuleProfile, "6.7.2", "a revisit for an identical payload without WARC-Payload-Digest")
	}
}

// checkContentType holds the media type against the type of the record and the scheme of its address.
func (r *Reader) checkContentType(kind typeSet) {
	h := r.rec.Header
	value := h.Get(FieldContentType)
	media, target := wire.MediaType(value), r.rec.TargetURI()
	if value == "" {
		if length, ok := contentLength(h); ok && length > 0 && kind&(inContinuation|inUnknown) == 0 && !h.Has(FieldContentType) {
			r.findAt(Advice, RuleRecommended, "5.6", "Content-Type is missing: the standard recommends it for every block that is not empty")
		}
		return
	}
	switch {
	case kind == inWarcinfo && media != ContentTypeFields:
		r.findAt(Advice, RuleRecommended, "6.2", fmt.Sprintf("Content-Type %q: the standard recommends %s for warcinfo", clip(value), ContentTypeFields))
	case kind == inResource && hasPrefixFold(target, "dns:") && media != "text/dns":
		r.findAt(Spec, RuleContentType, "6.4.4", fmt.Sprintf("Content-Type %q of a resource of the dns scheme is not text/dns", clip(value)))
	case kind == inResource && isWebURI(target) && media == "application/http":
		r.findAt(Spec, RuleContentType, "6.4.2", "a resource of the http scheme holds the body alone, its Content-Type says a whole HTTP message")
	case kind == inResponse && isWebURI(target) && media != "application/http":
		r.findAt(Advice, RuleRecommended, "6.3.2", fmt.Sprintf("Content-Type %q: the standard recommends %s", clip(value), ContentTypeResponse))
	case kind == inRequest && isWebURI(target) && media != "application/http":
		r.findAt(Advice, RuleRecommended, "6.5.2", fmt.Sprintf("Content-Type %q: the standard recommends %s", clip(value), ContentTypeRequest))
	}
}

// checkLines holds the lines of the current header against the grammar of clause 4.
func (r *Reader) checkLines() {
	raw := r.rec.Raw
	switch bare := strings.Count(raw, "\n") - strings.Count(raw, "\r\n"); {
	case strings.Contains(raw, "\r\r\n"):
		r.find(Syntax, RuleLineEnd, "header lines end in CR CR LF instead of CRLF")
	case bare > 0:
		r.find(Syntax, RuleLineEnd, "header lines end in LF instead of CRLF")
	}
	if !utf8.ValidString(raw) {
		r.find(Syntax, RuleEncoding, "the header is not in UTF-8")
	}
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\r' && i+1 < len(raw) && (raw[i+1] == '\n' || raw[i+1] == '\r') {
			continue
		}
		if c < ' ' && c != '\t' && c != '\n' || c == 0x7f {
			r.find(Syntax, RuleHeaderLine, fmt.Sprintf("a control character (%#02x) in the header", c))
			break
		}
	}
	for _, f := range r.rec.Header {
		if !wire.IsToken(f.Name) {
			r.find(Syntax, RuleHeaderLine, fmt.Sprintf("the field name %q is no token", clip(f.Name)))
		}
	}
}

func isIdenticalProfile(p string) bool {
	return p == ProfileIdentical || p == profileIdentical10 || p == profileAgnostic
}
