package survey

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"

	"github.com/parquet-go/parquet-go"

	"varve/derive/job"
	"varve/spam/content"
	"varve/spam/terms"
)

// MaxPages is how many pages with text of a host are looked at.
const MaxPages = 400

// maxOthers is how many other answers of a host are kept, to count formats and errors.
const maxOthers = 4000

// reduceVisits writes spam_visits.
func reduceVisits(_ context.Context, out *job.Output, groups iter.Seq2[[]byte, iter.Seq[[]byte]]) error {
	w, err := out.Create("spam_visits")
	if err != nil {
		return err
	}
	k := &keeper{out: parquet.NewGenericWriter[Visit](w)}
	for key, values := range groups {
		host, _, _ := bytes.Cut(key, []byte{0})
		for value := range values {
			v := &Visit{}
			if err := json.Unmarshal(value, v); err != nil {
				return err
			}
			v.Host = string(host)
			if err := k.add(v); err != nil {
				return err
			}
		}
	}
	return k.close()
}

// keeper gets visits in order and writes those that stay.
type keeper struct {
	out  *parquet.GenericWriter[Visit]
	held int // bytes in the row group

	last   *Visit // waits: a later one of the same page, crawl and day takes its place
	stays  bool   // whether it is written
	text   *Visit // last one of the page that had text
	page   bool   // whether the page is one of those that stay; false before it had text
	pages  int    // of the host, with text
	others int
}

func (k *keeper) add(v *Visit) error {
	fresh := k.last == nil || k.last.Host != v.Host || k.last.Key != v.Key
	if !fresh && v.Kind == kindRevisit {
		k.repeat(v)
	}
	if !fresh && sameDay(k.last, v) && k.last.Kind == kindPage {
		k.join(v)
		return nil
	}
	if err := k.flush(); err != nil {
		return err
	}
	if k.last == nil || k.last.Host != v.Host {
		k.pages, k.others = 0, 0
	}
	if fresh {
		k.text, k.page = nil, false
	}
	k.last = v
	k.choose(v)
	return nil
}

// choose decides whether a visit stays.
func (k *keeper) choose(v *Visit) {
	if v.Kind != kindPage {
		v.kindless()
		k.others++
		k.stays = k.others <= maxOthers
		return
	}
	if k.text == nil {
		k.pages++
		k.page = k.pages <= MaxPages
	}
	k.text, k.stays = v, k.page
}

// kindless makes a revisit whose page is not known an answer without text.
func (v *Visit) kindless() {
	if v.Kind == kindRevisit {
		v.Kind = kindOther
	}
}

func sameDay(a, b *Visit) bool {
	return a.Crawl == b.Crawl && a.Time.Format("20060102") == b.Time.Format("20060102")
}

// repeat gives a revisit what the page had before.
func (k *keeper) repeat(v *Visit) {
	if k.text == nil {
		return
	}
	old := *k.text
	old.Time, old.Crawl, old.Address, old.Agent, old.Status = v.Time, v.Crawl, v.Address, v.Agent, k.text.Status
	*v = old
}

// join puts a second visit of a page on the same day in the place of the first. If another user agent asked, the two are compared:
// both differ by what they have in common.
func (k *keeper) join(v *Visit) {
	if v.Kind != kindPage {
		return
	}
	if k.last.Kind == kindPage && k.last.Agent != v.Agent && k.last.Agent != "" && v.Agent != "" {
		k.cloak(v)
		return
	}
	k.last, k.text = v, v // it stays if the first one did
}

// cloak notes how unlike the texts are that two user agents got; the first one stays.
func (k *keeper) cloak(v *Visit) {
	a, err1 := terms.ParseHashed(k.last.Words)
	b, err2 := terms.ParseHashed(v.Words)
	f, err3 := k.last.features()
	if err1 != nil || err2 != nil || err3 != nil {
		return // we wrote them ourselves
	}
	if _, cosine := terms.Alike(a, b); cosine == cosine {
		f[content.Cloaking] = max(1-cosine, known(f[content.Cloaking]))
		k.last.Features = pack(&f)
	}
}

// known is 0 for what is not known.
func known(v float64) float64 {
	if v != v {
		return 0
	}
	return v
}

// flush writes the visit that waits, if it stays.
func (k *keeper) flush() error {
	if k.last == nil || !k.stays {
		return nil
	}
	if _, err := k.out.Write([]Visit{*k.last}); err != nil {
		return err
	}
	const group = 32 << 20
	if k.held += 500 + len(k.last.Features) + len(k.last.Words) + len(k.last.Sample) + 8*len(k.last.Targets) + 20*len(k.last.Hosts); k.held > group {
		k.held = 0
		return k.out.Flush()
	}
	return nil
}

func (k *keeper) close() error {
	if err := k.flush(); err != nil {
		return err
	}
	return k.out.Close()
}
