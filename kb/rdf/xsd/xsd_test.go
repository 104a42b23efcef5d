package xsd

import "testing"

func TestCanonical(t *testing.T) {
	for _, c := range [][3]string{
		{"integer", "+007", "7"},
		{"integer", "-0", "0"},
		{"integer", "123456789012345678901234567890", "123456789012345678901234567890"},
		{"integer", "-9223372036854775808", "-9223372036854775808"},
		{"integer", "1.0", ""},
		{"integer", "", ""},
		{"integer", "+-1", ""},
		{"byte", "127", "127"},
		{"byte", "128", ""},
		{"unsignedLong", "18446744073709551615", "18446744073709551615"},
		{"positiveInteger", "0", ""},
		{"decimal", "+1.50", "1.5"},
		{"decimal", "-0.0", "0"},
		{"decimal", ".5", "0.5"},
		{"decimal", "5.", "5"},
		{"decimal", "-00.00000000000000000000000100", "-0.000000000000000000000001"},
		{"decimal", "100", "100"},
		{"decimal", ".", ""},
		{"decimal", "1e3", ""},
		{"double", "1", "1.0E0"},
		{"double", "-0", "-0.0E0"},
		{"double", "12345.678e-3", "1.2345678E1"},
		{"double", "1e400", "INF"},
		{"double", "NaN", "NaN"},
		{"double", "nan", ""},
		{"double", "0x10", ""},
		{"double", "1_0", ""},
		{"float", "0.1", "1.0E-1"},
		{"boolean", "1", "true"},
		{"boolean", "TRUE", ""},
		{"dateTime", "2026-11-16T24:00:00", "2026-11-17T00:00:00"},
		{"dateTime", "2026-11-16T01:30:00.120+02:00", "2026-11-15T23:30:00.12Z"},
		{"dateTime", "-0044-03-15T00:00:00Z", "-0044-03-15T00:00:00Z"},
		{"dateTime", "2026-02-29T00:00:00", ""},
		{"dateTime", "2026-11-16T00:00:00+14:30", ""},
		{"dateTime", "2026-11-16", ""},
		{"date", "2024-02-29-05:00", "2024-02-29-05:00"},
		{"date", "24-02-29", ""},
		{"string", " x ", " x "},
		{"anyURI", "x", ""},
	} {
		got, ok := Canonical(c[1], Space+c[0])
		if want := c[2]; ok != (want != "") || ok && got != want {
			t.Errorf("%q as %s: %q (%v), want %q", c[1], c[0], got, ok, want)
		}
	}
}

func TestDecimal(t *testing.T) {
	parse := func(s string) Decimal {
		d, ok := ParseDecimal(s)
		if !ok {
			t.Fatalf("%s is no decimal", s)
		}
		return d
	}
	for _, c := range []struct{ got, want string }{
		{parse("0.1").Add(parse("0.2")).String(), "0.3"},
		{parse("9223372036854775807").Add(FromInt(1)).String(), "9223372036854775808"},
		{parse("-9223372036854775808").Sub(FromInt(1)).String(), "-9223372036854775809"},
		{parse("-9223372036854775808").Neg().String(), "9223372036854775808"},
		{parse("99999999999999999999").Sub(parse("99999999999999999998")).String(), "1"},
		{parse("-1.5").Floor().String(), "-2"},
		{parse("-1.5").Ceil().String(), "-1"},
		{parse("-1.5").Round().String(), "-1"},
		{parse("2.5").Round().String(), "3"},
		{parse("-2.4").Round().String(), "-2"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
	third, ok := FromInt(1).Quo(FromInt(3))
	if !ok || third.String() != "0.333333333333333333333333" {
		t.Errorf("a third is %s", third)
	}
	if _, ok := FromInt(1).Quo(Decimal{}); ok {
		t.Error("divided by 0")
	}
	if p, ok := parse("1.5").Mul(parse("1.5")); !ok || p.String() != "2.25" {
		t.Errorf("1.5 squared is %s", p)
	}
	if d, ok := FromFloat(0.1); !ok || d.String() != "0.1000000000000000055511151231257827021181583404541015625" {
		t.Errorf("0.1 is %s", d)
	}
	if f := parse("0.1").Float(); f != 0.1 {
		t.Errorf("0.1 is %v", f)
	}
}
