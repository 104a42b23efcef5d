package replay

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"varve/web/canon"
)

//go:embed fuzzy.toml
var fuzzyText string

// Fuzzy are the rules by which URLs that were not captured are looked up as others that were.
type Fuzzy struct {
	rules []fuzzyRule
}

type fuzzyRule struct {
	Why     string   `toml:"why"`
	Host    string   `toml:"host"`
	Match   string   `toml:"match"`
	Replace string   `toml:"replace"`
	Example []string `toml:"example"`

	match *regexp.Regexp
}

// LoadFuzzy reads a rule file and runs its examples.
func LoadFuzzy(text string) (*Fuzzy, error) {
	var file struct {
		Rule []fuzzyRule `toml:"rule"`
	}
	if _, err := toml.Decode(text, &file); err != nil {
		return nil, fmt.Errorf("fuzzy rules: %w", err)
	}
	f := &Fuzzy{rules: file.Rule}
	for i := range f.rules {
		r := &f.rules[i]
		var err error
		if r.match, err = regexp.Compile(r.Match); err != nil {
			return nil, fmt.Errorf("fuzzy rule %d: %w", i+1, err)
		}
		if len(r.Example) != 2 {
			return nil, fmt.Errorf("fuzzy rule %d: want an example of two URLs", i+1)
		}
		if got, ok := r.apply(r.Example[0]); !ok || got != r.Example[1] {
			return nil, fmt.Errorf("fuzzy rule %d: example %q gives %q, not %q", i+1, r.Example[0], got, r.Example[1])
		}
	}
	return f, nil
}

// DefaultFuzzy gives the rules that come with the program.
func DefaultFuzzy() *Fuzzy {
	f, err := LoadFuzzy(fuzzyText)
	if err != nil {
		panic(err) // a test loads them
	}
	return f
}

// apply rewrites a URL if the rule is for it.
func (r *fuzzyRule) apply(u string) (string, bool) {
	if r.Host != "" {
		parsed, err := url.Parse(u)
		if err != nil || parsed.Hostname() != r.Host && !strings.HasSuffix(parsed.Hostname(), "."+r.Host) {
			return "", false
		}
	}
	at := r.match.FindStringSubmatchIndex(u)
	if at == nil {
		return "", false
	}
	return string(r.match.ExpandString(nil, r.Replace, u, at)), true
}

// fuzzy looks for captures of URLs that differ from the one asked for in ways that do not matter.
func (h *Handler) fuzzy(ctx context.Context, q *ask) ([]Found, error) {
	if q.method != "" && q.method != "GET" && q.method != "HEAD" {
		key, _, _ := strings.Cut(q.key(), "__wb_method=")
		method := "__wb_method=" + strings.ToLower(q.method)
		return h.alike(ctx, q, key+method, true)
	}
	u, err := canon.Parse(q.url)
	if err != nil || !u.IsHTTP() {
		return nil, nil
	}
	urls := []string{h.cfg.Rules.Strip(u, canon.GroupTracking, canon.GroupCache, canon.GroupSession)}
	for i := range h.cfg.Fuzzy.rules {
		if to, ok := h.cfg.Fuzzy.rules[i].apply(q.url); ok {
			urls = append(urls, to)
		}
	}
	asked := canon.SURT(q.url)
	for _, other := range urls {
		key := canon.SURT(other)
		if key == asked {
			continue
		}
		captures, err := h.cfg.Index.Closest(ctx, q.collection, key, q.at, maxCandidates)
		if err != nil || len(captures) > 0 {
			return captures, err
		}
	}
	bare, _, _ := strings.Cut(canon.SURT(urls[0]), "?")
	return h.alike(ctx, q, bare+"?", static(u.Path()))
}

// static tells files whose query is no part of what they are.
func static(p string) bool {
	switch strings.ToLower(path.Ext(p)) {
	case ".js", ".mjs", ".css", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".ico", ".woff", ".woff2", ".ttf", ".otf", ".eot", ".mp4", ".webm", ".mp3", ".m4a", ".m3u8", ".ts", ".wasm", ".swf", ".pdf":
		return true
	}
	return false
}

// alike gives the captures whose keys begin so, of the key whose arguments are most like those asked for. Unless any
// will do, the arguments that matter must all be the same.
func (h *Handler) alike(ctx context.Context, q *ask, prefix string, any bool) ([]Found, error) {
	asked := h.arguments(q.key())
	var best []Found
	most := -1
	for c, err := range h.cfg.Index.Captures(ctx, q.collection, Query{Key: prefix, Prefix: true, Limit: maxFuzzy}) {
		if err != nil {
			return nil, err
		}
		have := h.arguments(c.key())
		same := common(asked, have)
		if !any && (same != len(asked) || same != len(have)) {
			continue
		}
		if same > most {
			most, best = same, nil
		}
		if same == most {
			best = append(best, c)
		}
	}
	slices.SortStableFunc(best, func(a, b Found) int {
		return cmp.Compare(distance(a.Time, q.at), distance(b.Time, q.at))
	})
	return best, nil
}

// arguments gives the sorted arguments of a key that are not noise.
func (h *Handler) arguments(key string) []string {
	_, query, _ := strings.Cut(key, "?")
	if query == "" {
		return nil
	}
	if u, err := canon.Parse("http://x/?" + query); err == nil {
		_, query, _ = strings.Cut(h.cfg.Rules.Strip(u, canon.GroupTracking, canon.GroupCache, canon.GroupSession), "?")
	}
	var args []string
	for arg := range strings.SplitSeq(query, "&") {
		if name, _, _ := strings.Cut(arg, "="); arg != "" && !callback(name) {
			args = append(args, arg)
		}
	}
	slices.Sort(args)
	return args
}

// callback tells the arguments that name the function a script answers to (JSONP).
func callback(name string) bool {
	switch strings.ToLower(name) {
	case "callback", "jsonp", "jsoncallback", "cb":
		return true
	}
	return false
}

// common counts the arguments that two sorted lists share.
func common(a, b []string) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch cmp.Compare(a[0], b[0]) {
		case 0:
			n++
			a, b = a[1:], b[1:]
		case -1:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return n
}
