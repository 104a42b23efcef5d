package kind_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"varve/lab/chance"
	"varve/learn"
	"varve/picture/kind"
)

// look makes a picture of a kind by chance: pages are white with rows of dark cells, skies are smooth and blue, maps have many edges and colours.
func look(rng *rand.Rand, label string) kind.Look {
	const side = 32
	l := kind.Look{Format: "jpeg", Width: 300 + rng.IntN(900), Height: 300 + rng.IntN(900), Size: 50_000 + rng.Int64N(100_000), Thumb: make([]uint8, side*side), Shares: []float64{0.6, 0.4}}
	noise := func(n int) int { return rng.IntN(2*n+1) - n }
	for i := range l.Thumb {
		v := 0
		switch x, y := i%side, i/side; label {
		case "page":
			if v = 245; y%3 == 1 && x > 3 && x < 28 {
				v = 120
			}
			v += noise(10)
		case "sky":
			v = 120 + 3*y + noise(3)
		case "map":
			v = 130 + noise(90)
		}
		l.Thumb[i] = uint8(max(0, min(255, v)))
	}
	l.Colours = map[string][]color.RGBA{
		"page": {{250, 250, 245, 255}, {30, 30, 30, 255}}, "sky": {{90, 150, 240, 255}, {200, 220, 250, 255}}, "map": {{220, 240, 200, 255}, {240, 200, 150, 255}},
	}[label]
	return l
}

// Kinds that differ in light and shapes are told apart; what is learned is written and read again; the same labels give the same bytes.
func TestTrain(t *testing.T) {
	rng := chance.Rand(t, 1)
	var examples []kind.Example
	for i := range 60 {
		label := []string{"page", "sky", "map"}[i%3]
		examples = append(examples, kind.Example{Look: look(rng, label), Label: label, Group: fmt.Sprint(i)})
	}
	examples = append(examples, kind.Example{Look: look(rng, "map"), Label: "rare", Group: "rare"})
	var files [2]bytes.Buffer
	for i := range files {
		m, left, err := kind.Train(examples, 7, time.Unix(0, 0))
		if err != nil || len(left) != 1 || left[0] != "rare" || m.Measures["accuracy"] < 0.9 || math.Abs(m.Measures["most_frequent"]-1./3) > 0.01 {
			t.Fatalf("%v %v %v", m.Measures, left, err)
		}
		if err := m.Write(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
		t.Error("two trainings gave two models")
	}
	m, err := learn.ReadModel(&files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := kind.Check(m); err != nil {
		t.Error(err)
	}
	for _, label := range []string{"page", "sky", "map"} {
		if got, sure := kind.Classify(m, look(rng, label)); got != label || sure < 0.5 || sure > 1 {
			t.Errorf("a %s is a %s (%.2f)", label, got, sure)
		}
	}
	if label, sure := kind.Classify(m, kind.Look{}); label == "" || math.IsNaN(sure) {
		t.Errorf("nothing known: %q %v", label, sure)
	}
	m.Task = "spam"
	if kind.Check(m) == nil {
		t.Error("a model for something else was taken")
	}
	if _, left, err := kind.Train(examples[57:], 7, time.Now()); !errors.Is(err, kind.ErrFew) || len(left) == 0 {
		t.Errorf("%v %v", left, err)
	}
}

func TestRow(t *testing.T) {
	want := len(kind.Attributes())
	rng := chance.Rand(t, 2)
	for _, l := range []kind.Look{{}, {Thumb: make([]uint8, 7)}, {Thumb: make([]uint8, 1024), Width: -1}, look(rng, "map"), {Colours: make([]color.RGBA, 3), Shares: []float64{0}}} {
		row := kind.Row(l)
		if len(row) != want {
			t.Fatalf("%d features, want %d", len(row), want)
		}
		for i, v := range row {
			if math.IsInf(v, 0) {
				t.Errorf("%s is %v", kind.Attributes()[i].Name, v)
			}
		}
	}
}

// A program is asked picture by picture; one that says nonsense, ends, or takes too long ends the conversation with its reason.
func TestProgram(t *testing.T) {
	const reader = `while read -r line; do n=$(printf '%s' "$line" | sed 's/.*"bytes":\([0-9]*\).*/\1/'); body=$(head -c "$n"); `
	for _, c := range []struct{ name, script, want, fails string }{
		{"answers", reader + `printf '{"label":"%s","confidence":0.5}\n' "$body"; done`, "one two", ""},
		{"has nothing to say", reader + `echo '{}'; done`, " ", ""},
		{"could not", reader + `echo '{"error":"bad"}'; done`, "bad bad", ""},
		{"says nonsense", reader + `echo map; done`, "", "its answer"},
		{"is surer than sure", reader + `echo '{"label":"a","confidence":3}'; done`, "", "from 0 to 1"},
		{"ends", `exit 3`, "", "ended"},
		{"takes too long", reader + `exec sleep 30; done`, "", "took more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			wait := time.Minute
			if c.fails == "took more than" {
				wait = 50 * time.Millisecond
			}
			p, err := kind.Start(t.Context(), []string{"sh", "-c", c.script}, io.Discard, wait)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, body := range []string{"one", "two"} {
				var a kind.Answer
				if a, err = p.Ask(t.Context(), kind.Asked{Format: "png", URL: "http://a.test/"}, []byte(body)); err != nil {
					break
				}
				got = append(got, a.Label+a.Error)
			}
			_ = p.Close()
			if c.fails == "" && (err != nil || strings.Join(got, " ") != c.want) || c.fails != "" && (!errors.Is(err, kind.ErrProgram) || !strings.Contains(err.Error(), c.fails)) {
				t.Errorf("%q %v", got, err)
			}
		})
	}
	if _, err := kind.Start(t.Context(), []string{"/no/such/program"}, io.Discard, 0); !errors.Is(err, kind.ErrProgram) {
		t.Error(err)
	}
	if _, err := kind.Start(t.Context(), nil, io.Discard, 0); !errors.Is(err, kind.ErrProgram) {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	p, err := kind.Start(ctx, []string{"sh", "-c", "cat > /dev/null"}, io.Discard, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := p.Ask(ctx, kind.Asked{}, nil); err == nil {
		t.Error("an answer after the end")
	}
	_ = p.Close()
}
