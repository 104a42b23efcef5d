package compare

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed testdata/frontpages.txt
var frontPages string

// judgedPair is two captures of a front page with what a reader says became of each line.
type judgedPair struct {
	name        string
	left, right []string
	a, b        map[int]Op // of each line of a side, by its number from 1
}

func judgedPairs(t *testing.T) (out []*judgedPair) {
	t.Helper()
	var p *judgedPair
	left := func(text string, op Op) { p.left = append(p.left, text); p.a[len(p.left)] = op }
	right := func(text string, op Op) { p.right = append(p.right, text); p.b[len(p.right)] = op }
	for n, line := range strings.Split(frontPages, "\n") {
		mark, text, _ := strings.Cut(line, " ")
		switch mark {
		case "", "#":
		case "##":
			p = &judgedPair{name: text, a: map[int]Op{}, b: map[int]Op{}}
			out = append(out, p)
		case "=":
			left(text, Equal)
			right(text, Equal)
		case "-":
			left(text, Delete)
		case "+":
			right(text, Insert)
		case ">":
			left(text, Move)
		case "<":
			right(text, Move)
		case "~":
			old, now, ok := strings.Cut(text, " => ")
			if !ok {
				t.Fatalf("line %d: %s", n+1, line)
			}
			left(old, Replace)
			right(now, Replace)
		default:
			if !strings.HasPrefix(line, "#  ") {
				t.Fatalf("line %d: %s", n+1, line)
			}
		}
	}
	return out
}

// Of the lines that a reader says were added, removed, reworded or moved on twenty pairs of front pages, 95 % are called
// so, and so are those that stayed.
func TestJudgedFrontPages(t *testing.T) {
	pairs := judgedPairs(t)
	if len(pairs) != 20 {
		t.Fatalf("%d pairs", len(pairs))
	}
	right, all := map[Op]int{}, map[Op]int{}
	stayed, wrongly := 0, 0
	for _, p := range pairs {
		a, b := map[int]Op{}, map[int]Op{}
		for _, l := range Texts(strings.Join(p.left, "\n"), strings.Join(p.right, "\n")) {
			if l.A > 0 {
				a[l.A] = l.Op
			}
			if l.B > 0 {
				b[l.B] = l.Op
			}
		}
		check := func(side string, text []string, want, got map[int]Op) {
			for n, op := range want {
				if op == Equal {
					if stayed++; got[n] != Equal && got[n] != Move { // of two blocks that changed places either one moved
						wrongly++
						t.Logf("%s, %s: %q stayed, and is called %s", p.name, side, text[n-1], got[n])
					}
					continue
				}
				all[op]++
				if got[n] == op || op == Move && got[n] == Equal {
					right[op]++
				} else {
					t.Logf("%s, %s: %q is called %s, a reader says %s", p.name, side, text[n-1], got[n], op)
				}
			}
		}
		check("before", p.left, p.a, a)
		check("after", p.right, p.b, b)
	}
	sum, total := 0, 0
	for _, op := range []Op{Insert, Delete, Replace, Move} {
		t.Logf("%s: %d of %d", op, right[op], all[op])
		sum, total = sum+right[op], total+all[op]
	}
	t.Logf("all: %d of %d; %d of %d lines that stayed are called otherwise", sum, total, wrongly, stayed)
	if 100*sum < 95*total || 20*wrongly > stayed {
		t.Errorf("%d of %d are called what a reader calls them", sum, total)
	}
}
