package xsd

import (
	"math"
	"strconv"
	"strings"
)

// Space is the namespace of the datatypes.
const Space = "http://www.w3.org/2001/XMLSchema#"

// bounds of the types derived from xsd:integer; "" is none.
var bounds = map[string][2]string{
	"integer": {}, "nonPositiveInteger": {"", "0"}, "negativeInteger": {"", "-1"}, "nonNegativeInteger": {"0", ""}, "positiveInteger": {"1", ""},
	"long": {"-9223372036854775808", "9223372036854775807"}, "int": {"-2147483648", "2147483647"}, "short": {"-32768", "32767"}, "byte": {"-128", "127"},
	"unsignedLong": {"0", "18446744073709551615"}, "unsignedInt": {"0", "4294967295"}, "unsignedShort": {"0", "65535"}, "unsignedByte": {"0", "255"},
}

// IsInteger reports whether a datatype is xsd:integer or derived from it.
func IsInteger(datatype string) bool {
	name, ok := strings.CutPrefix(datatype, Space)
	_, known := bounds[name]
	return ok && known
}

// IntegerOf reads a literal of a type for which IsInteger is true.
func IntegerOf(lexical, datatype string) (Decimal, bool) {
	n, ok := ParseInteger(lexical)
	b := bounds[strings.TrimPrefix(datatype, Space)]
	for i, bound := range b {
		if limit, is := ParseInteger(bound); bound != "" && is && (i == 0 && n.Cmp(limit) < 0 || i == 1 && n.Cmp(limit) > 0) {
			return n, false
		}
	}
	return n, ok
}

// ParseBoolean reads xsd:boolean.
func ParseBoolean(s string) (value, ok bool) {
	switch s {
	case "true", "1":
		return true, true
	case "false", "0":
		return false, true
	}
	return false, false
}

// ParseDouble reads xsd:double, or with 32 bits xsd:float.
func ParseDouble(s string, bits int) (float64, bool) {
	switch s {
	case "INF", "+INF":
		return math.Inf(1), true
	case "-INF":
		return math.Inf(-1), true
	case "NaN":
		return math.NaN(), true
	}
	if s == "" || len(s) > MaxDigits || strings.Trim(s, "0123456789+-.eE") != "" { // Go reads more than XML Schema
		return 0, false
	}
	f, err := strconv.ParseFloat(s, bits)
	return f, err == nil || math.IsInf(f, 0) // too large is infinite
}

// FormatDouble returns the canonical form of a double, or with 32 bits of a float.
func FormatDouble(f float64, bits int) string {
	switch {
	case math.IsInf(f, 1):
		return "INF"
	case math.IsInf(f, -1):
		return "-INF"
	case math.IsNaN(f):
		return "NaN"
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'E', -1, bits), "E")
	if !strings.Contains(mantissa, ".") {
		mantissa += ".0"
	}
	n, _ := strconv.Atoi(exponent)
	return mantissa + "E" + strconv.Itoa(n)
}

// Canonical returns the canonical form of a literal; ok is false if the type is not known here or the literal has no value in it.
func Canonical(lexical, datatype string) (_ string, ok bool) {
	name, ok := strings.CutPrefix(datatype, Space)
	if !ok {
		return "", false
	}
	switch name {
	case "string":
		return lexical, true
	case "boolean":
		b, ok := ParseBoolean(lexical)
		return strconv.FormatBool(b), ok
	case "decimal":
		d, ok := ParseDecimal(lexical)
		return d.String(), ok
	case "double", "float":
		bits := 64
		if name == "float" {
			bits = 32
		}
		f, ok := ParseDouble(lexical, bits)
		return FormatDouble(f, bits), ok
	case "dateTime":
		d, ok := ParseDateTime(lexical)
		d.Time = d.UTC()
		return d.DateTimeString(), ok
	case "date":
		d, ok := ParseDate(lexical)
		return d.DateString(), ok
	}
	if !IsInteger(datatype) {
		return "", false
	}
	n, ok := IntegerOf(lexical, datatype)
	return n.String(), ok
}
