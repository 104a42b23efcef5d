package table

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"
	"testing"
)

const sample = `% a comment
@RELATION 'a \'relation\''

@attribute "host name" string
@Attribute n  NUMERIC
@attribute kind {spam, 'not spam',"x,y"}
@attribute day date "yyyy-MM-dd"
@data
% another
a.example, 1.5e3, spam, 2020-01-02
b.example,?,'not spam',?, {2.5}
a.example	-2	"x,y"	2020-01-03
{1 7, 2 'x,y'}
`

func TestARFF(t *testing.T) {
	got, err := Read(strings.NewReader(sample), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("%q %v\n%v\n%v", got.Name, got.Attributes, got.Columns, got.Weights)
	want := `"a 'relation'" [{host name [a.example b.example]} {n []} {kind [spam not spam x,y]} {day [2020-01-02 2020-01-03]}]
[[0 1 0 0] [1500 NaN -2 7] [0 1 2 2] [0 NaN 1 0]]
[1 2.5 1 1]`
	if text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

func TestGzip(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write([]byte(sample))
	z.Close()
	got, err := Read(&b, Limits{})
	if err != nil || got.Len() != 4 {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Read(bytes.NewReader([]byte{0x1f, 0x8b, 0}), Limits{}); err == nil {
		t.Error("broken gzip")
	}
}

func TestCSV(t *testing.T) {
	got, err := Read(strings.NewReader("host,n,class\n\"a,b\",1,spam\nc,?,\nd,2.5,normal\n"), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if text, want := fmt.Sprint(got.Attributes, got.Columns), "[{host [a,b c d]} {n []} {class [spam normal]}] [[0 1 2] [1 NaN 2.5] [0 NaN 1]]"; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	s, unlabelled, err := got.Set("class", "host")
	if err != nil || s.Len() != 2 || unlabelled != 1 || len(s.Attributes) != 1 || s.Y[1] != 1 {
		t.Errorf("%+v, %d, %v", s, unlabelled, err)
	}
}

func TestErrorsSayWhere(t *testing.T) {
	head := "@relation r\n@attribute n numeric\n@attribute c {a,b}\n@data\n"
	for text, want := range map[string]string{
		head + "1,a\n2,c\n":                      `line 6, column 4: attribute "c": "c" is none of its 2 values`,
		head + "1,a\nx,a\n":                      `line 6, column 2: attribute "n": "x" is not a number`,
		head + "1e999,a":                         `line 5, column 6: attribute "n": "1e999" is not a number`,
		head + "1":                               `line 5, column 2: 1 values, there are 2 attributes`,
		head + "1,a,2":                           `line 5, column 5: more values than the 2 attributes`,
		head + "1,'a":                            `line 5, column 3: the quote is not closed`,
		head + "1,,":                             `line 5, column 3: a value is missing: write ? if it is not known`,
		head + "1,a,{x}":                         `line 5, column 7: "x" is not a weight`,
		head + "{1 a, 0 2}":                      `line 5, column 9: "0" is not an index above 1 and below 2`,
		head + "{0 1":                            `line 5, column 5: expected , or }`,
		"@relation r\n@attribute n numeric":      `after line 2: the file ends before @data`,
		"@attribute n number\n@data":             `line 1, column 20: attribute "n": "number" is not a type`,
		"@attribute n {a,a}\n@data":              `line 1, column 18: value "a" is there twice`,
		"@attribute n {a\n@data":                 `line 1, column 16: expected , or }`,
		"@relation r\n@data":                     `line 2, column 6: @data without any @attribute`,
		"@attribute n real\n@attribute n real\n": `line 2, column 14: attribute "n" is there twice`,
		"@foo":                                   `line 1, column 5: expected @relation, @attribute or @data, not "@foo"`,
		"":                                       `the file is empty`,
		"a,b\n1\n":                               `record on line 2: wrong number of fields`,
	} {
		if _, err := Read(strings.NewReader(text), Limits{}); err == nil || err.Error() != want {
			t.Errorf("%q\n got %v\nwant %v", text, err, want)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		text   string
		limits Limits
	}{
		{"@attribute a real\n@attribute b real\n@data\n", Limits{Attributes: 1}},
		{"@attribute a real\n@data\n1\n2\n", Limits{Cells: 1}},
		{"@attribute a string\n@data\nx\ny\n", Limits{Values: 1}},
		{"@attribute a string\n@data\n" + strings.Repeat("x", 100), Limits{Line: 50}},
		{"a,b\n1,2", Limits{Attributes: 1}},
		{"a\n1\n2\n", Limits{Cells: 1}},
		{"a\nx\ny\n", Limits{Values: 1}},
		{"a\n" + strings.Repeat("x", 100), Limits{Line: 50}},
	} {
		if _, err := Read(strings.NewReader(c.text), c.limits); err == nil {
			t.Errorf("%.40q with %+v: no error", c.text, c.limits)
		}
	}
}

func TestSetErrors(t *testing.T) {
	got, _ := Read(strings.NewReader("n,c\n1,a\n2,a\n"), Limits{})
	for _, class := range []string{"x", "n", "c"} {
		if _, _, err := got.Set(class); err == nil {
			t.Errorf("class %q: no error", class)
		}
	}
}

// broken fails in the middle.
type broken struct{ text *strings.Reader }

var errBroken = errors.New("broken")

func (b broken) Read(p []byte) (int, error) {
	if b.text.Len() == 0 {
		return 0, errBroken
	}
	return b.text.Read(p)
}

func TestReadError(t *testing.T) {
	for _, text := range []string{sample, "a,b\n1,2\n"} {
		if _, err := Read(broken{strings.NewReader(text)}, Limits{}); !errors.Is(err, errBroken) {
			t.Errorf("got %v", err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("host,n,class\n\"a,b\",1,spam\n"))
	f.Add([]byte("@attribute a {x}\n@data\n{0 x}, {3}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		tab, err := Read(bytes.NewReader(b), Limits{Attributes: 100, Cells: 10000, Line: 10000, Values: 1000})
		if err != nil {
			return
		}
		for a, c := range tab.Columns {
			if len(c) != tab.Len() {
				t.Fatalf("column %d has %d of %d rows", a, len(c), tab.Len())
			}
		}
		if tab.Weights != nil && len(tab.Weights) != tab.Len() {
			t.Fatalf("%d weights for %d rows", len(tab.Weights), tab.Len())
		}
		if len(tab.Attributes) > 0 {
			tab.Set(tab.Attributes[0].Name)
		}
	})
}
