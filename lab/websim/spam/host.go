package spam

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"varve/lab/websim/dice"
)

// What streams are for: the last part of their names.
const (
	forGroup = iota + 1
	forHost
	forLinks
	forText
	forTitle
	forPicture
	forComments
	forPath
	forFriends
)

// host is one host and all about it that is drawn once.
type host struct {
	w     *World
	kind  *Kind
	name  string
	key   uint64
	pages int
	fan   int // children of a page
	style int // of paths
	skin  int
	lang  string
	topic int
	fame  float64

	born, turns time.Duration // since the epoch
	period      time.Duration // from one writing of a page to the next
	phase       time.Duration

	words    [2]int  // in a text, from and to
	ads      int     // advertisements on a page
	pictures int     // on a page
	taste    float64 // in [0,1): how far the generator goes
	overrunP float64 // share of pages whose comments are spam
	trick    int     // which of several tricks
	goods    []string

	ring  []*host // hosts of the same plan
	place int     // in it
	out   []*host // normal hosts it links
	led   []*host // spam that its comments, or careless entries, lead to
	known []*host // linked from every page: who made the site, whom it belongs to
	shop  *host   // that an honest writer recommends, for a share of pages
	shopP float64
	as    *Kind // what an expired domain was, and became
	then  *Kind
}

// newHost draws a host. Nothing here that is not the label's business looks at the label.
func (w *World) newHost(k *Kind, group int) *host {
	n := uint64(len(w.hosts))
	s := dice.New(w.seed, n, forHost)
	h := &host{w: w, kind: k, key: dice.Mix(w.seed, n, dice.String(k.Name))}
	h.lang = []string{"en", "en", "en", "en", "en", "en", "de", "fr"}[s.IntN(8)]
	h.topic = 1 + s.IntN(topics)
	if k.group[0] > 0 { // a plan has one language and one topic
		g := dice.New(w.seed, dice.String(k.Name), uint64(group), forHost)
		h.lang, h.topic = []string{"en", "en", "en", "de", "fr"}[g.IntN(5)], 1+g.IntN(topics)
	}
	h.pages = max(1, int(w.cfg.Scale*float64(k.pages[0])*math.Pow(float64(k.pages[1])/float64(k.pages[0]), s.Float64())))
	h.fan, h.style, h.skin = 6+s.IntN(20), s.IntN(5), s.IntN(skins)
	h.fame = math.Pow(s.Float64()+1e-3, -0.7)
	h.period = time.Duration(10+s.IntN(200)) * day
	h.phase = time.Duration(s.Float64() * float64(h.period))
	from := 40 + s.IntN(160)
	h.words = [2]int{from, from + 40 + s.IntN(400)}
	h.pictures, h.taste, h.trick = s.IntN(3), s.Float64(), s.IntN(1<<16)
	h.ads = s.IntN(3)
	if s.IntN(3) == 0 {
		h.overrunP = math.Pow(s.Float64(), 2) * 0.7
	}
	if k.late && s.IntN(2) == 0 {
		h.born = time.Duration(s.IntN(300)) * day
	}
	if k.Name == "expired" {
		h.turns = time.Duration(60+s.IntN(400)) * day
		before := []string{"personal", "university", "blog", "thin"}[s.IntN(4)]
		after := []string{"stuffed", "stitched", "copied", "dense"}[s.IntN(4)]
		h.as, h.then = mustKind(before), mustKind(after)
	}
	h.goods = w.tongue[h.lang].goods(s, h.topic)
	h.name = w.freeName(h, s)
	return h
}

func mustKind(name string) *Kind {
	for i := range kinds {
		if kinds[i].Name == name {
			return &kinds[i]
		}
	}
	panic("no generator " + name) // a name in this package
}

const day = 24 * time.Hour

// freeName invents a name that no other host has: words, sometimes with hyphens, digits or in front of a larger domain.
func (w *World) freeName(h *host, s *dice.Stream) string {
	t := w.tongue[h.lang]
	for {
		name := ascii(t.pick(s, noun, h.topic))
		sep := []string{"", "", "-"}[s.IntN(3)]
		switch s.IntN(6) {
		case 0, 1:
			name += sep + ascii(t.pick(s, noun, h.topic))
		case 2:
			name = ascii(t.pick(s, adjective, 0)) + sep + name
		case 3:
			name += sep + ascii(h.goods[s.IntN(len(h.goods))])
			if h.kind.Spam && s.IntN(2) == 0 {
				name += sep + ascii(h.goods[s.IntN(len(h.goods))])
			}
		case 4:
			name += strconv.Itoa(1 + s.IntN(99))
		}
		if s.IntN(8) == 0 {
			name += []string{".pages", ".site", ".home"}[s.IntN(3)]
		}
		if name += ".test"; len(name) > 8 && w.byName[name] == nil {
			return name
		}
	}
}

// version counts how often a page was written: lists and front pages are written anew, most others stay.
func (h *host) version(i int, since time.Duration) uint64 {
	fixed := i > 0 && dice.Unit(dice.Mix(h.key, uint64(i), forPath)) < 0.7
	if fixed && !h.kind.Spam || since < 0 {
		return 0
	}
	if end := h.w.End().Sub(h.w.epoch); since > end {
		since = end
	}
	return uint64((since + h.phase) / h.period)
}

// path is the address of page i within the host.
func (h *host) path(i int) string {
	if i == 0 {
		return "/"
	}
	n := strconv.Itoa(i)
	s := dice.New(h.key, uint64(i), forPath)
	slug := func() string {
		return ascii(h.w.tongue[h.lang].pick(s, noun, h.topic)) + "-" + ascii(h.w.tongue[h.lang].pick(s, noun, 0))
	}
	switch h.style {
	case 0:
		return "/p/" + n + ".html"
	case 1:
		return "/" + slug() + "-" + n + ".html"
	case 2:
		return "/?p=" + n
	case 3:
		return "/" + slug() + "/" + n + "/"
	}
	return "/index.php?id=" + n
}

// lookup finds the page of a path: the last number in it.
func (h *host) lookup(target string) (int, bool) {
	if target == "/" || target == "" {
		return 0, true
	}
	rest := strings.TrimSuffix(strings.TrimSuffix(target, "/"), ".html")
	at := strings.LastIndexAny(rest, "/-=") + 1
	i, err := strconv.Atoi(rest[at:])
	return i, err == nil && i > 0 && i < h.pages && h.path(i) == target
}

func (h *host) url(i int) string { return "http://" + h.name + h.path(i) }

// overrun tells whether the comments of a page are spam.
func (h *host) overrun(i int, version uint64) bool {
	return (h.kind.Name == "blog" || h.kind.Name == "forum") && i > 0 && dice.Unit(dice.Mix(h.key, uint64(i), version, forComments)) < h.overrunP
}

// ascii spells a word for a path or a host name.
func ascii(word string) string {
	return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "ß", "ss", "é", "e", "è", "e", "ê", "e", "à", "a", "ç", "c", "î", "i", "ô", "o", "û", "u", "â", "a", "'", "", " ", "").Replace(word)
}

// String names a host in errors.
func (h *host) String() string { return fmt.Sprintf("%s (%s)", h.name, h.kind.Name) }
