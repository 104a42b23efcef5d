package pdf

import (
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// glyphs are the names of characters in the Adobe glyph list that are not letters with an accent, which are made.
var glyphs = func() map[string]string {
	m := map[string]string{}
	for pair := range strings.FieldsSeq(`space=0020 exclam=0021 quotedbl=0022 numbersign=0023 dollar=0024 percent=0025 ampersand=0026 quotesingle=0027
		parenleft=0028 parenright=0029 asterisk=002A plus=002B comma=002C hyphen=002D period=002E slash=002F zero=0030 one=0031 two=0032
		three=0033 four=0034 five=0035 six=0036 seven=0037 eight=0038 nine=0039 colon=003A semicolon=003B less=003C equal=003D greater=003E
		question=003F at=0040 bracketleft=005B backslash=005C bracketright=005D asciicircum=005E underscore=005F grave=0060 braceleft=007B
		bar=007C braceright=007D asciitilde=007E exclamdown=00A1 cent=00A2 sterling=00A3 currency=00A4 yen=00A5 brokenbar=00A6 section=00A7
		dieresis=00A8 copyright=00A9 ordfeminine=00AA guillemotleft=00AB guillemotright=00BB logicalnot=00AC registered=00AE macron=00AF
		degree=00B0 plusminus=00B1 twosuperior=00B2 threesuperior=00B3 acute=00B4 mu=00B5 paragraph=00B6 periodcentered=00B7 middot=00B7
		cedilla=00B8 onesuperior=00B9 ordmasculine=00BA onequarter=00BC onehalf=00BD threequarters=00BE questiondown=00BF AE=00C6 Eth=00D0
		multiply=00D7 Oslash=00D8 Thorn=00DE germandbls=00DF ae=00E6 eth=00F0 divide=00F7 oslash=00F8 thorn=00FE dcroat=0111 Dcroat=0110
		dotlessi=0131 Lslash=0141 lslash=0142 OE=0152 oe=0153 florin=0192 circumflex=02C6 caron=02C7 breve=02D8 dotaccent=02D9 ring=02DA
		ogonek=02DB tilde=02DC hungarumlaut=02DD endash=2013 emdash=2014 quoteleft=2018 quoteright=2019 quotesinglbase=201A
		quotedblleft=201C quotedblright=201D quotedblbase=201E dagger=2020 daggerdbl=2021 bullet=2022 ellipsis=2026 perthousand=2030
		guilsinglleft=2039 guilsinglright=203A fraction=2044 Euro=20AC trademark=2122 minus=2212 fi=FB01 fl=FB02 ff=FB00 ffi=FB03 ffl=FB04
		nbspace=00A0 nonbreakingspace=00A0 sfthyphen=00AD softhyphen=00AD ij=0133 IJ=0132 kgreenlandic=0138 Eng=014A eng=014B
		lessequal=2264 greaterequal=2265 notequal=2260 infinity=221E summation=2211 product=220F integral=222B radical=221A approxequal=2248
		partialdiff=2202 lozenge=25CA arrowleft=2190 arrowup=2191 arrowright=2192 arrowdown=2193 checkmark=2713 visiblespace=2423 openbullet=25E6
		Alpha=0391 Beta=0392 Gamma=0393 Delta=0394 Epsilon=0395 Zeta=0396 Eta=0397 Theta=0398 Iota=0399 Kappa=039A Lambda=039B Mu=039C Nu=039D
		Xi=039E Omicron=039F Pi=03A0 Rho=03A1 Sigma=03A3 Tau=03A4 Upsilon=03A5 Phi=03A6 Chi=03A7 Psi=03A8 Omega=03A9 alpha=03B1 beta=03B2
		gamma=03B3 delta=03B4 epsilon=03B5 zeta=03B6 eta=03B7 theta=03B8 iota=03B9 kappa=03BA lambda=03BB nu=03BD xi=03BE omicron=03BF pi=03C0
		rho=03C1 sigma1=03C2 sigma=03C3 tau=03C4 upsilon=03C5 phi=03C6 chi=03C7 psi=03C8 omega=03C9`) {
		n, code, _ := strings.Cut(pair, "=")
		v, _ := strconv.ParseUint(code, 16, 32)
		m[n] = string(rune(v))
	}
	for c, i := rune('А'), 10017; c <= 'я'; c++ { // Cyrillic: afii10017 to 10097, with Ё and ё in between
		if i == 10023 || i == 10071 {
			i++
		}
		if i == 10050 {
			i = 10065
		}
		m["afii"+strconv.Itoa(i)] = string(c)
		i++
	}
	m["afii10023"], m["afii10071"] = "Ё", "ё"
	return m
}()

// accents are the marks that names of letters end in.
var accents = []struct{ name, mark string }{
	{"acute", "\u0301"},
	{"grave", "\u0300"},
	{"circumflex", "\u0302"},
	{"dieresis", "\u0308"},
	{"tilde", "\u0303"},
	{"caron", "\u030c"},
	{"cedilla", "\u0327"},
	{"ring", "\u030a"},
	{"macron", "\u0304"},
	{"breve", "\u0306"},
	{"ogonek", "\u0328"},
	{"dotaccent", "\u0307"},
	{"hungarumlaut", "\u030b"},
	{"commaaccent", "\u0326"},
}

// ligatures are read as the letters they stand for.
var ligatures = strings.NewReplacer("ﬁ", "fi", "ﬂ", "fl", "ﬀ", "ff", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// glyphText gives the text of a glyph by its name, "" if it is not known.
func glyphText(n string) string {
	n, _, _ = strings.Cut(n, ".") // a.sc, one.oldstyle
	if len(n) == 1 {
		return n
	}
	if s, ok := glyphs[n]; ok {
		return s
	}
	if strings.Contains(n, "_") { // f_i
		out := ""
		for part := range strings.SplitSeq(n, "_") {
			out += glyphText(part)
		}
		return out
	}
	for _, a := range accents {
		if base, ok := strings.CutSuffix(n, a.name); ok && len(base) == 1 {
			return norm.NFC.String(base + a.mark)
		}
	}
	for _, prefix := range []string{"uni", "u"} {
		if code, ok := strings.CutPrefix(n, prefix); ok && len(code) >= 4 && len(code) <= 6 {
			if v, err := strconv.ParseUint(code, 16, 32); err == nil && v < 0x110000 {
				return string(rune(v))
			}
		}
	}
	return ""
}
