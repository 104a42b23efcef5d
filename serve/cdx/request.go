package cdx

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"varve"
	"varve/archive/cdxj"
	"varve/index/cdx"
	"varve/web/canon"
)

// Limits of a request.
const (
	maxParameters = 200
	maxURL        = canon.MaxLength
	maxFilters    = 20
	maxFilter     = 2000
	maxFields     = 40
	maxCollapses  = 10
)

// Output is a form of answer.
type Output string

// The forms.
const (
	OutputText  Output = "text"  // words, separated by blanks
	OutputJSON  Output = "json"  // ia: an array of arrays with a header; pywb: an object a line
	OutputCDXJ  Output = "cdxj"  // key, time and an object a line
	OutputLink  Output = "link"  // a Memento TimeMap
	OutputCDX11 Output = "cdx11" // a CDX file with its header
)

// Request is a query, read from parameters.
type Request struct {
	Dialect Dialect
	Output  Output
	Capped  bool // the limit asked for was more than the server gives

	query    cdx.Query
	target   string // the URL as asked
	fields   []string
	filters  []filter
	collapse []collapse
	closest  time.Time // not zero: by distance from it
	limit    int64     // negative: the last ones
	offset   int64

	resume       *resumeKey
	showResume   bool
	page         int64 // -1: no paging
	pageSize     int64
	showNumPages bool
	showIndex    bool
	resolve      bool
	dupes, skips bool
	lastSkip     bool
	omitSelf     bool
	fuzzy        bool
	notModified  bool // with revisits by which a server said that nothing changed
}

// Defaults are what a server decides.
type Defaults struct {
	Dialect  Dialect // Pywb if empty
	Limit    int64   // rows of an answer that does not say; default 100,000
	MaxLimit int64   // rows of any answer; default 150,000
	PageSize int64   // blocks of a page; default 10
}

func (d Defaults) filled() Defaults {
	if d.Dialect == "" {
		d.Dialect = Pywb
	}
	if d.MaxLimit <= 0 {
		d.MaxLimit = 150_000
	}
	if d.Limit <= 0 {
		d.Limit = min(100_000, d.MaxLimit)
	}
	if d.PageSize <= 0 {
		d.PageSize = 10
	}
	return d
}

// invalid is the error of a request that cannot be answered.
func invalid(format string, args ...any) error {
	return &varve.Error{Kind: varve.Invalid, Op: "CDX query", Msg: fmt.Sprintf(format, args...), Hint: "docs/formats/cdx-server.md has all parameters"}
}

// Parse reads a request.
func Parse(v url.Values, def Defaults) (*Request, error) {
	def = def.filled()
	n := 0
	for _, list := range v {
		n += len(list)
	}
	if n > maxParameters {
		return nil, invalid("more than %d parameters", maxParameters)
	}
	r := &Request{page: -1}
	for _, step := range []func(url.Values, Defaults) error{
		r.parseDialect, r.parseTarget, r.parseFilters, r.parseCollapse, r.parseOrder, r.parsePaging, r.parseOutput,
	} {
		if err := step(v, def); err != nil {
			if varve.KindOf(err) == varve.Invalid {
				return nil, err
			}
			return nil, invalid("%v", err)
		}
	}
	return r, r.consistent()
}

// iaWords are parameters that only the Internet Archive's dialect has.
var iaWords = []string{"collapse", "showResumeKey", "resumeKey", "fastLatest", "showDupeCount", "showSkipCount", "lastSkipTimestamp", "gzip", "showPagedIndex"}

func (r *Request) parseDialect(v url.Values, def Defaults) error {
	r.Dialect = def.Dialect
	if d := v.Get("dialect"); d != "" {
		if r.Dialect = Dialect(d); r.Dialect != IA && r.Dialect != Pywb {
			return fmt.Errorf("dialect %q: want ia or pywb", clip(d))
		}
		return nil
	}
	for _, w := range iaWords {
		if v.Has(w) {
			r.Dialect = IA
		}
	}
	for _, f := range strings.Split(v.Get("fl"), ",") {
		if iaOnly(strings.TrimSpace(f)) {
			r.Dialect = IA
		}
	}
	for _, f := range v["filter"] {
		name, _, _ := strings.Cut(strings.TrimLeft(f, "!=~"), ":")
		if iaOnly(name) {
			r.Dialect = IA
		}
	}
	return nil
}

// parseTarget reads what is asked for: url, matchType, from, to, method, requestBody.
func (r *Request) parseTarget(v url.Values, _ Defaults) error {
	r.target = strings.TrimSpace(v.Get("url"))
	q := &r.query
	switch {
	case r.target == "":
		return fmt.Errorf("the parameter url is missing")
	case len(r.target) > maxURL:
		return fmt.Errorf("url longer than %d bytes", maxURL)
	}
	q.URL, q.From, q.To = r.target, v.Get("from"), v.Get("to")
	if err := checkTimes(q.From, q.To); err != nil {
		return err
	}
	switch match := v.Get("matchType"); match {
	case "", "exact", "prefix", "host", "domain":
		q.Match = canon.Match(match)
	case "range": // of OutbackCDX: from this key on
		q.URL, q.Keys.From = "", canon.SURT(r.target)
	case "verbatim": // of gowarcserver: the very address
		q.Match = canon.MatchExact
		target := r.target
		r.filters = append(r.filters, filter{field: "url", match: func(s string) bool { return s == target }})
	default:
		return fmt.Errorf("matchType %q: want exact, prefix, host, domain, range or verbatim", clip(match))
	}
	if method := v.Get("method"); method != "" && !strings.EqualFold(method, "GET") {
		if len(method) > 20 {
			return fmt.Errorf("method %q", clip(method))
		}
		body := v.Get("requestBody")
		joint := "?"
		if strings.Contains(r.target, "?") {
			joint = "&"
		}
		q.URL, q.Key = "", canon.SURT(strings.TrimSuffix(r.target+joint+"__wb_method="+method+"&"+body, "&"))
	}
	if q.URL != "" {
		if _, _, err := canon.Range(q.Match, q.URL); err != nil {
			return err
		}
	}
	return nil
}

func checkTimes(from, to string) error {
	if from != "" {
		if _, err := cdxj.EarliestTimestamp(from); err != nil {
			return fmt.Errorf("from: %w", err)
		}
	}
	if to != "" {
		if _, err := cdxj.LatestTimestamp(to); err != nil {
			return fmt.Errorf("to: %w", err)
		}
	}
	return nil
}

func (r *Request) parseFilters(v url.Values, _ Defaults) error {
	list := v["filter"]
	if len(list) > maxFilters {
		return fmt.Errorf("more than %d filters", maxFilters)
	}
	for _, s := range list {
		f, err := parseFilter(s, r.Dialect)
		if err != nil {
			return err
		}
		r.filters = append(r.filters, f)
	}
	var err error
	if r.omitSelf, err = flag(v, "omitSelfRedirects"); err != nil {
		return err
	}
	if r.notModified, err = flag(v, "notModified"); err != nil {
		return err
	}
	r.fuzzy, err = flag(v, "allowFuzzy")
	return err
}

func (r *Request) parseCollapse(v url.Values, _ Defaults) error {
	for _, name := range []string{"collapse", "collapseToFirst", "collapseToLast"} {
		for _, s := range v[name] {
			c, err := parseCollapse(s, name == "collapseToLast")
			if err != nil {
				return err
			}
			r.collapse = append(r.collapse, c)
		}
	}
	if v.Has("collapseTime") {
		n, err := number(v, "collapseTime", 0)
		if err != nil || n < 1 || n > 17 {
			return fmt.Errorf("collapseTime %q: want 1 to 14", clip(v.Get("collapseTime")))
		}
		r.collapse = append(r.collapse, collapseTime(int(n)))
	}
	if len(r.collapse) > maxCollapses {
		return fmt.Errorf("more than %d collapses", maxCollapses)
	}
	var err error
	for name, to := range map[string]*bool{"showDupeCount": &r.dupes, "showSkipCount": &r.skips, "lastSkipTimestamp": &r.lastSkip} {
		if *to, err = flag(v, name); err != nil {
			return err
		}
	}
	return nil
}

// parseOrder reads sort, closest, limit and offset.
func (r *Request) parseOrder(v url.Values, def Defaults) (err error) {
	near := v.Get("closest")
	switch order := v.Get("sort"); order {
	case "", "default", "closest": // pywb sends sort=closest also where it has no time: then by time
	case "reverse":
		r.query.Reverse, near = true, ""
	default:
		return fmt.Errorf("sort %q: want reverse or closest", clip(order))
	}
	if back, err := flag(v, "reverse"); err != nil {
		return err
	} else if back { // the older word of pywb for sort=reverse
		r.query.Reverse, near = true, ""
	}
	if near != "" {
		ts, err := cdxj.EarliestTimestamp(near)
		if err != nil {
			return fmt.Errorf("closest: %w", err)
		}
		if r.closest, err = cdxj.ParseTimestamp(ts); err != nil {
			return fmt.Errorf("closest: %w", err)
		}
	}
	if r.limit, err = number(v, "limit", def.Limit); err != nil {
		return err
	}
	if r.limit == 0 {
		return fmt.Errorf("limit 0: want a count, negative for the last ones")
	}
	if most := max(-def.MaxLimit, min(r.limit, def.MaxLimit)); most != r.limit {
		r.limit, r.Capped = most, true
	}
	if r.offset, err = number(v, "offset", 0); err != nil || r.offset < 0 {
		return fmt.Errorf("offset %q: want a count", clip(v.Get("offset")))
	}
	fast, err := flag(v, "fastLatest") // of the Internet Archive: the newest capture, quickly
	if fast && !v.Has("limit") {
		r.limit = -1
	}
	return err
}

func (r *Request) parsePaging(v url.Values, def Defaults) (err error) {
	if r.page, err = number(v, "page", -1); err != nil {
		return err
	}
	if v.Has("page") && r.page < 0 {
		return fmt.Errorf("page %d: pages are numbered from 0", r.page)
	}
	if r.pageSize, err = number(v, "pageSize", def.PageSize); err != nil || r.pageSize < 1 || r.pageSize > 10_000 {
		return fmt.Errorf("pageSize %q: want 1 to 10000 blocks", clip(v.Get("pageSize")))
	}
	for name, to := range map[string]*bool{"showNumPages": &r.showNumPages, "showPagedIndex": &r.showIndex, "showResumeKey": &r.showResume, "resolveRevisits": &r.resolve} {
		if *to, err = flag(v, name); err != nil {
			return err
		}
	}
	if key := v.Get("resumeKey"); key != "" {
		r.resume, err = parseResumeKey(key)
	}
	return err
}

func (r *Request) parseOutput(v url.Values, _ Defaults) (err error) {
	r.Output = Output(v.Get("output"))
	if r.Output == "" {
		r.Output = OutputCDXJ
		if r.Dialect == IA {
			r.Output = OutputText
		}
	}
	if !slices.Contains([]Output{OutputText, OutputJSON, OutputCDXJ, OutputLink, OutputCDX11}, r.Output) {
		return fmt.Errorf("output %q: want text, json, cdxj, link or cdx11", clip(string(r.Output)))
	}
	list := v.Get("fl")
	if list == "" {
		list = v.Get("fields")
	}
	if list != "" {
		r.fields, err = splitFields(list)
	}
	return err
}

// consistent refuses what cannot be meant together.
func (r *Request) consistent() error {
	exact := r.query.Key != ""
	if r.query.URL != "" {
		match := r.query.Match
		if match == "" {
			match, _ = canon.Shorthand(r.query.URL)
		}
		exact = match == canon.MatchExact
	}
	switch {
	case !r.closest.IsZero() && !exact:
		return invalid("closest is for one URL: matchType must be exact")
	case !r.closest.IsZero() && (r.resume != nil || r.page >= 0 || r.limit < 0):
		return invalid("closest goes with neither resumeKey, page nor a negative limit")
	case r.limit < 0 && (r.resume != nil || r.query.Reverse):
		return invalid("a negative limit goes with neither resumeKey nor sort=reverse")
	}
	return nil
}

// flag reads a switch.
func flag(v url.Values, name string) (bool, error) {
	switch s := strings.ToLower(v.Get(name)); s {
	case "", "0", "false", "no":
		return false, nil
	case "1", "true", "yes":
		return true, nil
	default:
		return false, fmt.Errorf("%s %q: want true or false", name, clip(s))
	}
}

// number reads an integer.
func number(v url.Values, name string, missing int64) (int64, error) {
	s := v.Get(name)
	if s == "" {
		return missing, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s %q: not a number", name, clip(s))
	}
	return n, nil
}
