package learn

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// ModelVersion is the version of the model files this package writes. History: 1 the first.
const ModelVersion = 1

// Model is a classifier with what one must know to use and to judge it.
type Model struct {
	Header
	Classifier Classifier
}

// Header is the readable part of a model file.
type Header struct {
	Task       string             `json:"task"` // what is told apart, e.g. "spam"
	Class      Attribute          `json:"class"`
	Attributes []Attribute        `json:"attributes"` // of a row, in order
	Trained    time.Time          `json:"trained"`
	Rows       int                `json:"rows"`              // of the training set
	Counts     []float64          `json:"counts"`            // of each class
	Digest     string             `json:"digest"`            // of the training set: see Digest
	Learner    string             `json:"learner"`           // in words
	Seed       uint64             `json:"seed"`              // the same set, learner and seed give the same model
	Measures   map[string]float64 `json:"measures"`          // on rows not seen in training
	Typical    [][]*float64       `json:"typical,omitempty"` // [class][attribute]: the median of the training rows; nil: not known
}

// first begins a model file; the number is the version.
const first = "varve-model"

// mostHeader and mostBody bound what a model file may take.
const (
	mostHeader = 16 << 20
	mostBody   = 1 << 30
)

// Write writes a model file: a line with the version, the header as JSON, a line with length and digest of the body, and
// the body.
func (m *Model) Write(w io.Writer) error {
	body, err := Encode(m.Classifier)
	if err != nil {
		return err
	}
	head, err := json.MarshalIndent(m.Header, "", " ")
	if err != nil {
		return fmt.Errorf("learn: header of the model: %w", err)
	}
	sum := sha256.Sum256(body)
	if _, err := fmt.Fprintf(w, "%s %d\n%s\nbody %d sha256:%s\n", first, ModelVersion, head, len(body), hex.EncodeToString(sum[:])); err != nil {
		return err
	}
	_, err = w.Write(body)
	return err
}

// ReadHeader reads the readable part of a model file, and nothing behind it.
func ReadHeader(r io.Reader) (*Header, error) {
	m := &Model{}
	if _, _, err := m.readHeader(bufio.NewReaderSize(r, 64<<10)); err != nil {
		return nil, err
	}
	return &m.Header, nil
}

// ReadModel reads a model file and checks it: a model that is read never fails on a row with its attributes.
func ReadModel(r io.Reader) (*Model, error) {
	in := bufio.NewReaderSize(r, 1<<20)
	m := &Model{}
	length, sum, err := m.readHeader(in)
	if err != nil {
		return nil, err
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(in, body); err != nil {
		return nil, fmt.Errorf("model: the body has fewer than %d bytes: %w", length, err)
	}
	if got := sha256.Sum256(body); hex.EncodeToString(got[:]) != sum {
		return nil, fmt.Errorf("model: the body is not what it was: its digest is sha256:%x, the file says sha256:%s", got, sum)
	}
	if m.Classifier, err = Decode(body, len(m.Attributes), len(m.Class.Values)); err != nil {
		return nil, fmt.Errorf("model: body: %w", err)
	}
	return m, nil
}

// readHeader reads the line with the version and the lines of JSON up to the line that begins the body.
func (m *Model) readHeader(in *bufio.Reader) (length int, sum string, err error) {
	line, err := readLine(in, 100)
	if err != nil {
		return 0, "", fmt.Errorf("model, line 1: %w", err)
	}
	var version int
	if n, _ := fmt.Sscanf(line, first+" %d", &version); n != 1 {
		return 0, "", fmt.Errorf("model, line 1: %.50q does not begin a model file", line)
	}
	if version != ModelVersion {
		return 0, "", fmt.Errorf("model, line 1: version %d, this program reads %d: train it again", version, ModelVersion)
	}
	var head strings.Builder
	for n := 2; ; n++ {
		line, err := readLine(in, mostHeader)
		if err != nil {
			return 0, "", fmt.Errorf("model, line %d: %w", n, err)
		}
		if strings.HasPrefix(line, "body ") {
			if k, _ := fmt.Sscanf(line, "body %d sha256:%64s", &length, &sum); k != 2 || length < 0 || length > mostBody {
				return 0, "", fmt.Errorf("model, line %d: %.100q is not a body of at most %d bytes", n, line, mostBody)
			}
			break
		}
		head.WriteString(line)
		if head.WriteByte('\n'); head.Len() > mostHeader {
			return 0, "", fmt.Errorf("model, line %d: the header is longer than %d bytes", n, mostHeader)
		}
	}
	if err := json.Unmarshal([]byte(head.String()), &m.Header); err != nil {
		return 0, "", fmt.Errorf("model: header: %w", err)
	}
	if len(m.Class.Values) < 2 {
		return 0, "", fmt.Errorf("model: header: the class has %d values", len(m.Class.Values))
	}
	return length, sum, nil
}

// readLine reads a line of at most so many bytes, without its end.
func readLine(in *bufio.Reader, most int) (string, error) {
	var b []byte
	for {
		part, err := in.ReadSlice('\n')
		if b = append(b, part...); len(b) > most {
			return "", fmt.Errorf("longer than %d bytes", most)
		}
		switch err {
		case nil:
			return string(b[:len(b)-1]), nil
		case bufio.ErrBufferFull:
		case io.EOF:
			return "", io.ErrUnexpectedEOF
		default:
			return "", err
		}
	}
}

// Digest names a set by what is in it, so that two models can be told to come from the same rows: the SHA-256 of its names, cells,
// classes and weights.
func Digest(s *Set) string {
	h := sha256.New()
	e := &encoder{}
	for _, a := range append(s.Attributes[:len(s.Attributes):len(s.Attributes)], s.Class) {
		e.text(a.Name)
		e.int(len(a.Values))
		for _, v := range a.Values {
			e.text(v)
		}
	}
	for i, y := range s.Y {
		e.int(y)
		e.float(s.Weight(i))
	}
	h.Write(e.b)
	for _, c := range s.Columns {
		e.b = e.b[:0]
		e.floats(c)
		h.Write(e.b)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}
