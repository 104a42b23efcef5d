package pdf

import (
	"bytes"
	"compress/flate"
	"encoding/ascii85"
	"errors"
	"fmt"
	"io"
)

// errBudget is the cause when a file unpacks to more than the limit.
var errBudget = errors.New("the file unpacks to too much")

// maxFilters bounds the filters of one stream.
const maxFilters = 8

// unpack undoes the filters of a stream. Data that breaks off gives what was before.
func (f *file) unpack(s *stream) ([]byte, error) {
	if s == nil {
		return nil, errors.New("no stream")
	}
	filters := f.list(first(s.dict, "Filter", "F"))
	parms := f.list(first(s.dict, "DecodeParms", "DP"))
	if len(filters) > maxFilters {
		return nil, fmt.Errorf("%d filters", len(filters))
	}
	data := s.raw
	if f.crypt != nil && !f.crypt.nothing && s.num > 0 && s.dict["Type"] != name("XRef") {
		data = f.crypt.decrypt(s.num, s.gen, data)
	}
	for i, v := range filters {
		var parm dict
		if i < len(parms) {
			parm = f.dictOf(parms[i])
		}
		var err error
		if data, err = f.filter(f.nameOf(v), parm, data); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// list makes a list of a value that may be one already.
func (f *file) list(v any) array {
	switch v := f.get(v).(type) {
	case nil:
		return nil
	case array:
		return v
	default:
		return array{v}
	}
}

func first(d dict, keys ...name) any {
	for _, k := range keys {
		if d[k] != nil {
			return d[k]
		}
	}
	return nil
}

// filter undoes one filter.
func (f *file) filter(n name, parm dict, data []byte) ([]byte, error) {
	switch n {
	case "FlateDecode", "Fl":
		if len(data) < 2 {
			return nil, nil
		}
		// The two bytes before and the checksum after are often wrong; neither is needed.
		out, err := f.readAll(flate.NewReader(bytes.NewReader(data[2:])))
		if err != nil {
			return nil, err
		}
		return f.predict(out, parm)
	case "LZWDecode", "LZW":
		out, err := f.readAll(newLZW(data, parm["EarlyChange"] != 0.0))
		if err != nil {
			return nil, err
		}
		return f.predict(out, parm)
	case "ASCII85Decode", "A85":
		data = bytes.TrimSpace(data)
		data = bytes.TrimSuffix(bytes.TrimPrefix(data, []byte("<~")), []byte("~>"))
		return f.readAll(ascii85.NewDecoder(bytes.NewReader(data)))
	case "ASCIIHexDecode", "AHx":
		l := lexer{b: append([]byte("<"), data...)}
		return []byte(l.hex()), nil
	case "RunLengthDecode", "RL":
		return f.readAll(&runLength{data: data})
	case "Crypt":
		return data, nil
	}
	return nil, fmt.Errorf("filter %s is not for text", n)
}

// readAll reads within the limit of what may be unpacked. Data that breaks off gives what was before.
func (f *file) readAll(r io.Reader) ([]byte, error) {
	out, err := io.ReadAll(io.LimitReader(r, f.left+1))
	if int64(len(out)) > f.left {
		f.cut, f.left = true, 0
		return nil, errBudget
	}
	f.left -= int64(len(out))
	if len(out) == 0 && err != nil {
		return nil, err
	}
	return out, nil
}

// predict undoes the prediction of rows: PNG's filters (10 and above) and TIFF's for bytes (2).
func (f *file) predict(data []byte, parm dict) ([]byte, error) {
	p := integer(f.get(parm["Predictor"]))
	if p < 2 {
		return data, nil
	}
	colors, bits, columns := orDefault(integer(f.get(parm["Colors"])), 1), orDefault(integer(f.get(parm["BitsPerComponent"])), 8), orDefault(integer(f.get(parm["Columns"])), 1)
	if colors > 64 || bits > 32 || columns > 1<<20 {
		return nil, errors.New("prediction of impossible rows")
	}
	pixel, row := max(1, colors*bits/8), (colors*bits*columns+7)/8
	if p == 2 {
		for at := 0; at+row <= len(data) && bits == 8; at += row {
			for i := pixel; i < row; i++ {
				data[at+i] += data[at+i-pixel]
			}
		}
		return data, nil
	}
	return unPNG(data, row, pixel), nil
}

func orDefault(v, d int) int {
	if v <= 0 {
		return d
	}
	return v
}

// unPNG undoes PNG's prediction: each row begins with the number of its filter.
func unPNG(data []byte, row, pixel int) []byte {
	out := make([]byte, 0, len(data))
	above := make([]byte, row)
	for len(data) > 1 {
		kind, cur := data[0], data[1:min(len(data), 1+row)]
		data = data[1+len(cur):]
		for i := range cur {
			var left, corner byte
			if i >= pixel {
				left, corner = cur[i-pixel], above[i-pixel]
			}
			switch kind {
			case 1:
				cur[i] += left
			case 2:
				cur[i] += above[i]
			case 3:
				cur[i] += byte((int(left) + int(above[i])) / 2)
			case 4:
				cur[i] += paeth(left, above[i], corner)
			}
		}
		out = append(out, cur...)
		copy(above, cur)
	}
	return out
}

func paeth(a, b, c byte) byte {
	p := int(a) + int(b) - int(c)
	pa, pb, pc := abs(p-int(a)), abs(p-int(b)), abs(p-int(c))
	switch {
	case pa <= pb && pa <= pc:
		return a
	case pb <= pc:
		return b
	}
	return c
}

func abs(v int) int {
	if v < 0 {
		return -v
	}
	return v
}
