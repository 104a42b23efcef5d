package xsd

import (
	"cmp"
	"math/big"
	"strings"
)

// MaxDigits is how many digits a number may have.
const MaxDigits = 1000

// quotientDigits are the digits behind the point of a quotient that does not end.
const quotientDigits = 24

// Decimal is an exact number: a whole number divided by a power of ten. The zero value is 0.
type Decimal struct {
	small int64    // the whole number, where big is nil
	big   *big.Int // never changed
	scale int      // digits behind the point; not negative
}

// FromInt returns a whole number.
func FromInt(n int64) Decimal { return Decimal{small: n} }

// ParseDecimal reads a number with or without a point.
func ParseDecimal(s string) (Decimal, bool) {
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || len(digits) > MaxDigits {
		return Decimal{}, false
	}
	whole, fraction, point := strings.Cut(digits, ".")
	if whole == "" && fraction == "" || strings.Trim(whole+fraction, "0123456789") != "" || point && digits == "." {
		return Decimal{}, false
	}
	fraction = strings.TrimRight(fraction, "0")
	all := whole + fraction
	if len(all) <= 18 {
		var n int64
		for _, c := range all {
			n = n*10 + int64(c-'0')
		}
		if s[0] == '-' {
			n = -n
		}
		return Decimal{small: n, scale: len(fraction)}, true
	}
	n, _ := new(big.Int).SetString(all, 10)
	if s[0] == '-' {
		n.Neg(n)
	}
	return reduced(n, len(fraction)), true
}

// ParseInteger reads a number without a point.
func ParseInteger(s string) (Decimal, bool) {
	if strings.Contains(s, ".") {
		return Decimal{}, false
	}
	return ParseDecimal(s)
}

// reduced returns n / 10^scale in the smallest form.
func reduced(n *big.Int, scale int) Decimal {
	if n.IsInt64() {
		d := Decimal{small: n.Int64(), scale: scale}
		for d.scale > 0 && d.small%10 == 0 {
			d.small, d.scale = d.small/10, d.scale-1
		}
		return d
	}
	ten, rest, quotient := big.NewInt(10), new(big.Int), new(big.Int)
	for scale > 0 {
		if quotient.QuoRem(n, ten, rest); rest.Sign() != 0 {
			break
		}
		n, quotient, scale = quotient, new(big.Int), scale-1
	}
	if n.IsInt64() {
		return Decimal{small: n.Int64(), scale: scale}
	}
	return Decimal{big: n, scale: scale}
}

func (d Decimal) int() *big.Int {
	if d.big != nil {
		return d.big
	}
	return big.NewInt(d.small)
}

func power(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// aligned returns both whole numbers over one power of ten.
func aligned(a, b Decimal) (x, y *big.Int, scale int) {
	x, y = a.int(), b.int()
	if a.scale < b.scale {
		x = new(big.Int).Mul(x, power(b.scale-a.scale))
	} else if b.scale < a.scale {
		y = new(big.Int).Mul(y, power(a.scale-b.scale))
	}
	return x, y, max(a.scale, b.scale)
}

// Add returns d + e.
func (d Decimal) Add(e Decimal) Decimal {
	if d.big == nil && e.big == nil && d.scale == e.scale {
		if sum := d.small + e.small; (sum > d.small) == (e.small > 0) && d.scale == 0 {
			return Decimal{small: sum}
		}
	}
	x, y, scale := aligned(d, e)
	return reduced(new(big.Int).Add(x, y), scale)
}

// Neg returns -d.
func (d Decimal) Neg() Decimal { return reduced(new(big.Int).Neg(d.int()), d.scale) }

// Sub returns d - e.
func (d Decimal) Sub(e Decimal) Decimal { return d.Add(e.Neg()) }

// Mul returns d × e; ok is false if it has too many digits.
func (d Decimal) Mul(e Decimal) (_ Decimal, ok bool) {
	n := reduced(new(big.Int).Mul(d.int(), e.int()), d.scale+e.scale)
	return n, n.int().BitLen() < MaxDigits*10/3
}

// Quo returns d / e, cut behind 24 digits; ok is false if e is 0.
func (d Decimal) Quo(e Decimal) (_ Decimal, ok bool) {
	if e.Sign() == 0 {
		return Decimal{}, false
	}
	x, y, _ := aligned(d, e)
	n := new(big.Int).Mul(x, power(quotientDigits))
	return reduced(n.Quo(n, y), quotientDigits), true
}

// Sign returns -1, 0 or 1.
func (d Decimal) Sign() int {
	if d.big != nil {
		return d.big.Sign()
	}
	return cmp.Compare(d.small, 0)
}

// Cmp returns -1, 0 or 1.
func (d Decimal) Cmp(e Decimal) int {
	if d.big == nil && e.big == nil && d.scale == e.scale {
		return cmp.Compare(d.small, e.small)
	}
	x, y, _ := aligned(d, e)
	return x.Cmp(y)
}

// IsInt reports whether d is a whole number.
func (d Decimal) IsInt() bool { return d.scale == 0 }

// Int64 returns a whole number that fits.
func (d Decimal) Int64() (int64, bool) { return d.small, d.big == nil && d.scale == 0 }

// Floor returns the largest whole number that is not larger.
func (d Decimal) Floor() Decimal {
	if d.scale == 0 {
		return d
	}
	p := power(d.scale)
	q, _ := new(big.Int).DivMod(d.int(), p, new(big.Int)) // Euclidean: what is left is not negative
	return reduced(q, 0)
}

// Ceil returns the smallest whole number that is not smaller.
func (d Decimal) Ceil() Decimal { return d.Neg().Floor().Neg() }

// Round returns the nearest whole number; of two, the larger one.
func (d Decimal) Round() Decimal { return d.Add(Decimal{small: 5, scale: 1}).Floor() }

// Float returns the nearest double.
func (d Decimal) Float() float64 {
	if d.big == nil && d.scale == 0 {
		return float64(d.small)
	}
	f, _ := new(big.Rat).SetFrac(d.int(), power(d.scale)).Float64()
	return f
}

// FromFloat returns the exact value of a finite double.
func FromFloat(f float64) (Decimal, bool) {
	r := new(big.Rat)
	if r.SetFloat64(f) == nil {
		return Decimal{}, false
	}
	// The denominator is a power of two: 2^k divides 10^k.
	k := r.Denom().BitLen() - 1
	n := new(big.Int).Mul(r.Num(), new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(k)), nil))
	return reduced(n, k), n.BitLen() < MaxDigits*10/3
}

// String returns the canonical form of xsd:decimal, which for whole numbers is that of xsd:integer.
func (d Decimal) String() string {
	s := d.int().String()
	if d.scale == 0 {
		return s
	}
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	if len(s) <= d.scale {
		s = strings.Repeat("0", d.scale-len(s)+1) + s
	}
	return sign + s[:len(s)-d.scale] + "." + s[len(s)-d.scale:]
}
