package warc

import (
	"fmt"
	"strconv"
	"strings"
)

// checkHeader holds the current header against the standard.
func (r *Reader) checkHeader() {
	if r.opts.Policy.Spec == Ignore {
		return
	}
	r.checkVersion()
	r.checkFields()
	r.checkDate()
	r.checkTarget()
	r.checkType()
}

func (r *Reader) checkVersion() {
	switch r.rec.Version {
	case "WARC/1.0", "WARC/1.1", "WARC/0.17", "WARC/0.18":
	default:
		r.find(Spec, RuleVersion, fmt.Sprintf("version %q is not known", clip(r.rec.Version)))
	}
}

func (r *Reader) checkFields() {
	h := r.rec.Header
	for _, name := range [...]string{FieldType, FieldRecordID, FieldDate} {
		if !h.Has(name) {
			r.find(Spec, RuleMissingField, name+" is missing")
		}
	}
	if id, ok := h.Lookup(FieldRecordID); ok && (!strings.HasPrefix(id, "<") || !strings.HasSuffix(id, ">") || len(id) < 4) {
		r.find(Spec, RuleRecordID, fmt.Sprintf("WARC-Record-ID %q is no URI in angle brackets", clip(id)))
	}
	for i := 1; i < len(h) && i < 100; i++ {
		if mayRepeat(h[i].Name) {
			continue
		}
		for j := range i {
			if len(h[j].Name) == len(h[i].Name) && strings.EqualFold(h[j].Name, h[i].Name) {
				r.find(Spec, RuleRepeatedField, h[i].Name+" is repeated")
				break
			}
		}
	}
}

// mayRepeat tells the field that the standard lets repeat, and the extension that does so in use.
func mayRepeat(name string) bool {
	return strings.EqualFold(name, FieldConcurrentTo) || strings.EqualFold(name, FieldProtocol)
}

func (r *Reader) checkDate() {
	v, ok := r.rec.Header.Lookup(FieldDate)
	if !ok {
		return
	}
	if _, err := ParseDate(v); err != nil {
		r.find(Spec, RuleDate, err.Error())
		return
	}
	switch {
	case !strings.HasSuffix(v, "Z") && strings.Contains(v, "T"):
		r.find(Spec, RuleDate, fmt.Sprintf("date %q does not end in Z: it is not in UTC, or does not say so", v))
	case r.rec.Version != "WARC/1.1" && len(v) != len("2006-01-02T15:04:05Z"):
		r.find(Spec, RuleDate, fmt.Sprintf("date %q: %s knows only dates to the second", v, r.rec.Version))
	}
}

func (r *Reader) checkTarget() {
	uri, ok := r.rec.Header.Lookup(FieldTargetURI)
	if !ok {
		switch r.rec.Type() {
		case TypeResponse, TypeResource, TypeRequest, TypeRevisit, TypeConversion, TypeContinuation:
			r.find(Spec, RuleMissingField, FieldTargetURI+" is missing in a record of type "+r.rec.Type())
		}
		return
	}
	switch {
	case strings.HasPrefix(uri, "<"):
		r.find(Spec, RuleTargetURI, "WARC-Target-URI stands in angle brackets (a wget mistake)")
	case strings.ContainsAny(uri, " \t"):
		r.find(Spec, RuleTargetURI, fmt.Sprintf("WARC-Target-URI holds a space: %q", clip(uri)))
	case !strings.Contains(uri, ":"):
		r.find(Spec, RuleTargetURI, fmt.Sprintf("WARC-Target-URI %q has no scheme", clip(uri)))
	}
}

func (r *Reader) checkType() {
	h := r.rec.Header
	switch r.rec.Type() {
	case TypeWarcinfo, TypeResponse, TypeResource, TypeRequest, TypeMetadata, TypeConversion, "":
	case TypeRevisit:
		r.checkRevisit()
	case TypeContinuation:
		if !h.Has(FieldSegmentOrigin) || !h.Has(FieldSegmentNumber) {
			r.find(Spec, RuleSegment, "a continuation without WARC-Segment-Origin-ID and WARC-Segment-Number")
		}
	default:
		r.find(Spec, RuleType, fmt.Sprintf("record type %q is not of the standard", clip(r.rec.Type())))
	}
	if v, ok := h.Lookup(FieldSegmentNumber); ok {
		if n, err := strconv.Atoi(v); err != nil || n < 1 || (n > 1) != (r.rec.Type() == TypeContinuation) {
			r.find(Spec, RuleSegment, fmt.Sprintf("WARC-Segment-Number %q in a record of type %s", clip(v), r.rec.Type()))
		}
	}
	if v, ok := h.Lookup(FieldTruncated); ok {
		switch v {
		case "length", "time", "disconnect", "unspecified":
		default:
			r.find(Spec, RuleTruncated, fmt.Sprintf("WARC-Truncated %q is not of the standard", clip(v)))
		}
	}
}

func (r *Reader) checkRevisit() {
	profile, ok := r.rec.Header.Lookup(FieldProfile)
	if !ok {
		r.find(Spec, RuleProfile, "a revisit without WARC-Profile")
		return
	}
	if isIdenticalProfile(profile) && !r.rec.Header.Has(FieldPayloadDigest) {
		r.find(Spec, RuleProfile, "a revisit for an identical payload without WARC-Payload-Digest")
	}
}

func isIdenticalProfile(p string) bool {
	return p == ProfileIdentical || p == profileIdentical10 || p == profileAgnostic
}
