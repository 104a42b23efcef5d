package script

// Kind is what a token is.
type Kind uint8

// The kinds of tokens.
const (
	End      Kind = iota // no more tokens
	Name                 // an identifier or a keyword
	Private              // #name
	Number               // 1, 0x1f, 1.5e3, 10n
	String               // "..." or '...'
	Template             // a piece of a template: up to its end or up to a hole, `...`, `...${, }...${ or }...`
	Regexp               // /.../flags
	Punct                // an operator or bracket
	Comment              // only if Lexer.Comments is set
)

// Token is a piece of a script: src[From:To]. It has few fields, so that it travels in registers.
type Token struct {
	what     uint32 // kind, operator, word and flags, a byte each
	From, To int
}

func token(k Kind, op Op, w Word, f flags, from, to int) Token {
	return Token{uint32(k) | uint32(op)<<8 | uint32(w)<<16 | uint32(f)<<24, from, to}
}

// Kind returns what the token is.
func (t Token) Kind() Kind { return Kind(t.what) }

// Op returns the operator that a Punct is; 0 for other tokens.
func (t Token) Op() Op { return Op(t.what >> 8) }

// Word returns the keyword that a Name is, unless it is the name of a member.
func (t Token) Word() Word { return Word(t.what >> 16) }

type flags uint8

const (
	newline flags = 1 << iota
	after
	escaped
	hole
	cut
	specifier
)

func (t Token) has(f flags) bool { return flags(t.what>>24)&f != 0 }

// Newline reports whether a line ends between the token before and this one: there a semicolon may be missing.
func (t Token) Newline() bool { return t.has(newline) }

// After reports whether the token follows an operand: a + then adds, a [ takes a member, a ++ belongs to what is before.
func (t Token) After() bool { return t.has(after) }

// Escaped reports whether a Name, String or Template has escapes, so that its text is not what it means.
func (t Token) Escaped() bool { return t.has(escaped) }

// Hole reports whether a Template is followed by an expression.
func (t Token) Hole() bool { return t.has(hole) }

// Cut reports whether a String or Template does not end: at the end of a line or of the script.
func (t Token) Cut() bool { return t.has(cut) }

// Specifier reports whether a String names the module of an import or export.
func (t Token) Specifier() bool { return t.has(specifier) }

// Is reports whether the token is this operator.
func (t Token) Is(op Op) bool { return uint16(t.what) == uint16(Punct)|uint16(op)<<8 }

// Text returns the token as it stands in src.
func (t Token) Text(src []byte) []byte { return src[t.From:t.To] }

// Inside returns a String or a Template without its delimiters, not decoded.
func (t Token) Inside(src []byte) []byte {
	from, to := t.From+1, t.To
	switch {
	case t.Cut():
	case t.Hole():
		to -= 2
	default:
		to--
	}
	return src[from:to]
}

// Op is an operator. Those of one character are that character.
type Op uint8

// The operators of more than one character. "?." is '.'.
const (
	Arrow     Op = iota + 128 // =>
	Spread                    // ...
	Increment                 // ++
	Decrement                 // --
	AddAssign                 // +=
	Assign                    // any other operator that ends in = and assigns: -=, **=, ??=
	Equal                     // == != === !==
	Compare                   // <= >=
	Logical                   // && || ??
	Shift                     // << >> >>> **
)

// What the last token was, where it was no operator.
const (
	opNone Op = iota
	opName
	opPrivate
	opValue
)

// Word is a keyword, or a name that has a meaning in some places.
type Word uint8

// The words. Those of the first group are followed by a value.
const (
	NoWord Word = iota
	Await
	Case
	Default
	Delete
	Do
	Else
	Extends
	In
	Instanceof
	New
	Of
	Return
	Throw
	Typeof
	Void
	Yield

	For // the heads: a parenthesis follows that is no operand
	If
	While
	With

	As
	Async
	Class
	Const
	Export
	From
	Function
	Get
	Import
	Let
	Set
	Static
	Var
)

// beforeValue reports whether a value follows the word, so that a slash begins a regular expression.
func (w Word) beforeValue() bool { return w >= Await && w <= Yield }

// head reports whether the word's parenthesis is followed by a statement.
func (w Word) head() bool { return w >= For && w <= With }

// Declares reports whether a new name follows the word.
func (w Word) Declares() bool {
	switch w {
	case Const, Let, Var, Function, Class:
		return true
	}
	return false
}

// hashSize is the least power of two with a simple hash that tells all words apart.
const hashSize = 128

// words are the words by their hash, which no two of them share.
var words = func() (t [hashSize]struct {
	name string
	word Word
},
) {
	for name, w := range map[string]Word{
		"as": As, "do": Do, "if": If, "in": In, "of": Of, "for": For, "get": Get, "let": Let, "new": New,
		"set": Set, "var": Var, "case": Case, "else": Else, "from": From, "void": Void, "with": With, "async": Async, "await": Await,
		"class": Class, "const": Const, "throw": Throw, "while": While, "yield": Yield, "delete": Delete, "export": Export, "import": Import, "return": Return,
		"static": Static, "typeof": Typeof, "default": Default, "extends": Extends, "function": Function, "instanceof": Instanceof,
	} {
		h := hash([]byte(name))
		if t[h].name != "" {
			panic("two words of one hash: " + name + ", " + t[h].name)
		}
		t[h].name, t[h].word = name, w
	}
	return t
}()

// hash tells words apart by two letters and their length.
func hash(name []byte) int {
	return (int(name[0])*1 + int(name[1])*9 + len(name)*3) & (hashSize - 1)
}

// maxWord is the length of the longest word; the shortest has two letters.
const maxWord = 10

// wordOf looks up a name of that many letters.
func wordOf(name []byte) Word {
	if w := &words[hash(name)]; string(name) == w.name {
		return w.word
	}
	return NoWord
}
