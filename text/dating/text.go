package dating

import (
	"bytes"
	"html"
	"strings"

	"varve/text/needle"
)

// keys are the members of structured data that state a date.
var keys = []struct {
	name   string
	source Source
}{{`"dateModified"`, JSONLD}, {`"datePublished"`, Published}}

// structured reads the dates of structured data. The JSON of pages is often broken, so it is not parsed: a key of
// schema.org and the string after it are enough.
func (r *Reader) structured(data []byte) {
	placed := r.hints.graph(data)
	for _, k := range keys {
		rest, key, source := data, k.name, k.source
		for n := 0; n < 16; n++ {
			i := bytes.Index(rest, []byte(key))
			if i < 0 {
				break
			}
			rest = rest[i+len(key):]
			v := bytes.TrimLeft(rest, " \t\r\n:")
			if len(v) < 2 || v[0] != '"' {
				continue
			}
			if end := bytes.IndexByte(v[1:], '"'); end > 0 && end < 64 {
				said := string(v[1 : 1+end])
				r.add(source, said)
				if source == Published && !placed {
					r.hints.stamp(said, hint{place: inGraph, rank: lostRank})
				}
			}
		}
	}
}

// tailSize is how much of the end of the text is searched for a footer.
const tailSize = 4096

// words reads the text of time elements, and keeps the last words of the page.
func (r *Reader) words(data []byte) {
	if r.timed && len(r.items) < maxStamps && r.tries < maxTries {
		r.tries++
		if f := found(TimeElement, html.UnescapeString(string(data[:min(len(data), 200)]))); f.Refused == "" {
			r.items = append(r.items, f)
		}
	}
	if len(data) > tailSize {
		data = data[len(data)-tailSize:]
	}
	r.tail = append(append(r.tail, data...), ' ')
	if len(r.tail) > 4*tailSize {
		r.tail = append(r.tail[:0], r.tail[len(r.tail)-tailSize:]...)
	}
}

// phrases say that a date follows on which the page was changed. They are looked for in lower case.
var phrases = [...]string{
	"last modified", "last updated", "last update", "last changed", "last revised", "page updated", "last edited", "updated on", "modified on",
	"letzte änderung", "zuletzt geändert", "zuletzt aktualisiert", "letzte aktualisierung", "zuletzt bearbeitet", "aktualisiert am", "stand:",
	"dernière mise à jour", "dernière modification", "mis à jour le", "mise à jour", "última actualización", "última modificación", "actualizado",
	"ultimo aggiornamento", "ultima modifica", "aggiornato", "última atualização", "atualizado em", "laatst gewijzigd", "laatst bijgewerkt",
	"senast uppdaterad", "senast ändrad", "sist oppdatert", "sidst opdateret", "ostatnia aktualizacja", "ostatnia modyfikacja", "poslední změna",
	"naposledy upraveno", "последнее обновление", "последнее изменение", "обновлено", "viimeksi päivitetty", "son güncelleme", "utolsó módosítás",
	"最終更新", "最后更新", "最後更新",
}

// inPhrases tells which phrases are in a text; they are few enough for the bits of a word.
var inPhrases, _ = needle.New(phrases[:]...), [1]struct{}{}[len(phrases)/64]

// footer looks for "last modified" and its kin near the end of the page.
func (r *Reader) footer() {
	tail := r.tail[max(0, len(r.tail)-tailSize):]
	text := strings.ToLower(strings.Join(strings.Fields(html.UnescapeString(string(tail))), " "))
	var there uint64
	inPhrases.Find([]byte(text), func(k int) bool {
		there |= 1 << k
		return true
	})
	for k, p := range phrases {
		if there&(1<<k) == 0 {
			continue
		}
		rest := text[strings.LastIndex(text, p)+len(p):]
		rest = rest[:min(len(rest), 80)]
		if f := found(Footer, rest); f.Refused == "" {
			r.list = append(r.list, f)
			return
		}
	}
}
