package websim

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"sync/atomic"

	"varve/lab/websim/dice"
	"varve/lab/websim/prose"
	"varve/lab/websim/truth"
)

// site is one host. Its pages have numbers from 0: first the tree of HTML pages in the order of
// levels, so that the children of page i are fanout*i+1 and following; then the assets; then the
// pages of fixed path.
type site struct {
	web     *Web
	spec    *Site
	host    string
	key     uint64 // names all streams of the site
	first   PageID
	html    int // pages of the tree
	assets  int
	paths   []string
	types   []Type
	index   map[string]int32
	lex     *prose.Lexicon
	changes []process
	lives   []lifeRule
	windows [][]truth.Window // of each fault; nil is always
	hist    []atomic.Pointer[truth.History]
}

func newSite(w *Web, spec *Site, lex *prose.Lexicon, first PageID) *site {
	n := spec.Pages + spec.Assets + len(spec.Page)
	s := &site{
		web: w, spec: spec, host: spec.Host, key: dice.Mix(w.seed, dice.String(spec.Host)), first: first,
		html: spec.Pages, assets: spec.Assets, lex: lex,
		paths: make([]string, 0, n), types: make([]Type, 0, n), index: make(map[string]int32, n),
		hist: make([]atomic.Pointer[truth.History], n),
	}
	s.layTree()
	s.layAssets()
	for _, p := range spec.Page {
		t, _ := parseType(p.Type)
		delete(s.index, p.Path) // it takes the place of a generated page
		s.add(p.Path, t)
	}
	s.compileRules()
	return s
}

// add gives the next page its path. A path that is taken keeps its first owner.
func (s *site) add(p string, t Type) {
	i := int32(len(s.paths))
	s.paths, s.types = append(s.paths, p), append(s.types, t)
	if _, taken := s.index[p]; !taken {
		s.index[p] = i
	}
}

const nestedLevels = 6 // deeper pages lie in the directory of this level, lest paths grow with depth

func (s *site) layTree() {
	dirs := make([]string, s.html) // the directory that page i makes for its children
	for i := range s.html {
		switch {
		case i == 0:
			dirs[i] = "/"
			s.add("/", HTML)
		case s.spec.Paths == "flat":
			s.add("/page/"+strconv.Itoa(i)+".html", HTML)
		case s.spec.Paths == "query":
			s.add("/index.php?id="+strconv.Itoa(i), HTML)
		default:
			dirs[i] = s.layNested(i, dirs[s.parent(i)])
		}
	}
}

// layNested adds page i below dir and returns the directory for its own children.
func (s *site) layNested(i int, dir string) string {
	b := append(make([]byte, 0, 64), dir...)
	if s.depth(i) == 1 && s.child(i, 0) < s.html {
		b = append(prose.ASCII(b, s.lex.Section(i-1)), '/')
		s.add(string(b), HTML)
		return string(b)
	}
	b = s.lex.Slug(b, dice.Mix(s.key, uint64(i), forPath), prose.Voice{Topic: s.topic(i)})
	b = strconv.AppendInt(append(b, '-'), int64(i), 10)
	if s.child(i, 0) >= s.html {
		s.add(string(append(b, ".html"...)), HTML)
		return ""
	}
	s.add(string(append(b, '/')), HTML)
	if s.depth(i) >= nestedLevels {
		return dir
	}
	return string(append(b, '/'))
}

// layAssets deals the types out by weight, so that the mix is exact but for rounding.
func (s *site) layAssets() {
	var weight, due [types]float64
	total := 0.0
	for t := range types {
		weight[t] = s.spec.Mix[t.String()]
		total += weight[t]
	}
	for i := range s.assets {
		best := TXT
		for t := range types {
			if weight[t] > 0 {
				due[t] += float64(weight[t] / total)
			}
			if due[t] > due[best] {
				best = t
			}
		}
		due[best]--
		s.add(s.assetPath(i, best), best)
	}
}

func (s *site) assetPath(i int, t Type) string {
	dir := "/files/"
	switch t {
	case CSS, JS:
		dir = "/static/"
	case PNG, JPEG, SVG:
		dir = "/images/"
	case JSON, XML:
		dir = "/data/"
	}
	b := s.lex.Slug([]byte(dir), dice.Mix(s.key, uint64(i), forAsset), prose.Voice{})
	return fmt.Sprintf("%s-%d.%s", b, i, t)
}

// parent is the page above i in the tree; for assets the page that embeds or links them.
func (s *site) parent(i int) int {
	switch {
	case i > 0 && i < s.html:
		return (i - 1) / s.spec.Fanout
	case i >= s.html && i < s.html+s.assets && s.html > 0:
		return (i - s.html) % s.html
	}
	return 0
}

// child is the number of the k-th child of page i, which may be beyond the tree.
func (s *site) child(i, k int) int { return i*s.spec.Fanout + 1 + k }

// children is the range of the children of page i.
func (s *site) children(i int) (from, to int) {
	return min(s.child(i, 0), s.html), min(s.child(i, s.spec.Fanout), s.html)
}

// leaf tells whether page i belongs to the tree and has no children.
func (s *site) leaf(i int) bool { return i > 0 && i < s.html && s.child(i, 0) >= s.html }

// depth is the level in the tree; of an asset, one below its page; of a fixed page, 1.
func (s *site) depth(i int) int {
	d := 0
	if i >= s.html {
		if i >= s.html+s.assets {
			return 1
		}
		i, d = s.parent(i), 1
	}
	if s.spec.Fanout == 1 {
		return d + i
	}
	for ; i > 0; i = (i - 1) / s.spec.Fanout {
		d++
	}
	return d
}

// topic is that of the section a page is in; sections take turns.
func (s *site) topic(i int) int {
	if s.spec.Topics == 0 {
		return 0
	}
	if i >= s.html {
		i = s.parent(i)
	}
	if s.spec.Fanout == 1 {
		return 1 + i*s.spec.Topics/max(s.html, 1)
	}
	for i > s.spec.Fanout {
		i = (i - 1) / s.spec.Fanout
	}
	return 1 + i%s.spec.Topics
}

// voice is how the texts of page i are written.
func (s *site) voice(i int) prose.Voice {
	return prose.Voice{Topic: s.topic(i), Text: dice.Mix(s.key, uint64(i), forVoice) | 1}
}

// lookup finds the page of a path and which move of the page the path belongs to.
func (s *site) lookup(target string) (i int, move uint32, ok bool) {
	if k, ok := s.index[target]; ok {
		return int(k), 0, true
	}
	base, n, ok := unmoved(target)
	if !ok {
		return 0, 0, false
	}
	k, ok := s.index[base]
	return int(k), n, ok && s.leaf(int(k))
}

// moved is the path of a page after n moves: "/a/b-7.html" becomes "/a/b-7-r2.html".
func moved(p string, n uint32) string {
	if n == 0 {
		return p
	}
	ext := path.Ext(p)
	if strings.Contains(p, "?") {
		ext = ""
	}
	return p[:len(p)-len(ext)] + "-r" + strconv.FormatUint(uint64(n), 10) + ext
}

// unmoved takes the mark of a move off a path.
func unmoved(p string) (base string, n uint32, ok bool) {
	ext := path.Ext(p)
	if strings.Contains(p, "?") {
		ext = ""
	}
	stem := p[:len(p)-len(ext)]
	at := strings.LastIndex(stem, "-r")
	if at < 0 {
		return "", 0, false
	}
	k, err := strconv.ParseUint(stem[at+2:], 10, 31)
	if err != nil || k == 0 || stem[at+2] == '0' || stem[at+2] == '+' {
		return "", 0, false
	}
	return stem[:at] + ext, uint32(k), true
}

// typeOf is the type of a file by the ending of its path.
func typeOf(p string) Type {
	switch ext := strings.TrimPrefix(path.Ext(p), "."); ext {
	case "jpg":
		return JPEG
	case "rss", "atom":
		return XML
	default:
		t, _ := parseType(ext)
		return t
	}
}
