package pdf

// The values of a PDF file: nil, bool, float64, name, text, array, dict, *stream and ref; an operator of a content
// stream is an op.
type (
	name  string
	text  string // a string, as bytes
	op    string
	array []any
	dict  map[name]any
	ref   int // the number of an object; the generation does not matter here
)

// stream is a dictionary with bytes.
type stream struct {
	dict dict
	raw  []byte // as in the file
	num  ref    // of the object, 0 if it is not encrypted
	gen  int
}

// number gives a number, 0 for anything else.
func number(v any) float64 {
	f, _ := v.(float64)
	return f
}

// integer gives a whole number within bounds that no sound file leaves.
func integer(v any) int {
	f := number(v)
	if f < -1<<31 || f > 1<<31 || f != f {
		return 0
	}
	return int(f)
}
