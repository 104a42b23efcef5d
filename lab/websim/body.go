package websim

import (
	"math"

	"varve/lab/websim/asset"
	"varve/lab/websim/dice"
	"varve/lab/websim/truth"
)

// defaultSizes are body sizes where the description says nothing.
var defaultSizes = [types]Size{
	HTML: {14_000, 0.5}, CSS: {8_000, 0.6}, JS: {20_000, 0.8}, PNG: {12_000, 0.8}, JPEG: {30_000, 0.8},
	SVG: {3_000, 0.6}, PDF: {60_000, 0.8}, JSON: {4_000, 0.8}, XML: {6_000, 0.6}, TXT: {2_000, 0.6},
}

// size is how large the body of page i should be. It stays the same over all versions.
func (s *site) size(i int, t Type) int {
	if f := s.fixed(i); f != nil && f.Size > 0 {
		return f.Size
	}
	z, ok := s.spec.Size[t.String()]
	if !ok {
		z = defaultSizes[t]
	}
	if z.Sigma == 0 {
		return z.Mean
	}
	x := dice.New(s.key, forSize, uint64(i)).Norm()
	return min(maxBody, int(float64(z.Mean)*math.Exp(float64(z.Sigma*x)-z.Sigma*z.Sigma/2)))
}

// render makes the body of page i, in the charset of its bytes and without content encoding.
func (s *site) render(i int, v truth.Version, at int64, m *manners) []byte {
	if f := s.fixed(i); f != nil && len(f.data) > 0 {
		return f.data[min(int(v.Content), len(f.data)-1)].body()
	}
	t := s.types[i]
	size := s.size(i, t)
	dst := make([]byte, 0, size+size/4+2048)
	if t == HTML {
		return m.encodeText(s.renderHTML(dst, i, v, at, m))
	}
	// An asset is one thing: any change of content or links makes another file of it.
	name := dice.Mix(s.key, uint64(i), uint64(v.Content), uint64(v.Minor), uint64(v.Links), uint64(v.Token), uint64(v.Ad))
	link := ""
	if refs := s.refs(i, v, at); len(refs) > 0 {
		link = refs[0].href
	}
	switch t {
	case CSS:
		dst = asset.CSS(dst, s.lex, name, size, link)
	case JS:
		dst = asset.JS(dst, s.lex, name, size)
	case PNG:
		return asset.PNG(dst, name, size)
	case JPEG:
		return asset.JPEG(dst, name, size)
	case SVG:
		return asset.SVG(dst, name, size)
	case PDF:
		return asset.PDF(dst, s.lex, name, s.voice(i), size, link)
	case JSON:
		return asset.JSON(dst, s.lex, name, s.voice(i), size, link)
	case XML:
		return asset.XML(dst, s.lex, name, s.voice(i), size, link)
	default:
		dst = asset.Text(dst, s.lex, name, s.voice(i), size)
	}
	return m.encodeText(dst)
}

// encodeText turns UTF-8 into the charset of the bytes.
func (m *manners) encodeText(b []byte) []byte {
	if m.charset != "iso-8859-1" {
		return b
	}
	out := b[:0] // never longer than its source, so it can be written over it
	for _, r := range string(b) {
		if r > 0xff {
			r = '?'
		}
		out = append(out, byte(r))
	}
	return out
}

// charsetSaid is the charset that header and markup claim.
func (m *manners) charsetSaid() string {
	switch {
	case m.declared == "none":
		return ""
	case m.declared == "wrong" && m.charset == "utf-8":
		return "iso-8859-1"
	case m.declared == "wrong":
		return "utf-8"
	}
	return m.charset
}
