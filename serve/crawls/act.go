package crawls

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"varve"
	"varve/crawl"
	"varve/crawl/control"
	"varve/crawl/frontier"
	"varve/crawl/scope"
	"varve/serve/access"
	"varve/serve/holdings"
)

// Act is one change of a running crawl.
type Act struct {
	Do     Deed          `json:"do"`
	Lines  string        `json:"lines,omitempty"`  // of include and exclude: addresses, names, expressions, one a line
	Host   string        `json:"host,omitempty"`   // of bar, rest, wake, delay, or a prefix of first, last, usual
	Delay  string        `json:"delay,omitempty"`  // of delay: "2 s"; empty: follows how fast the host answers
	Limits *crawl.Limits `json:"limits,omitempty"` // of limits: all of them; what is missing has no limit
}

// Deed says what an act does.
type Deed string

// The deeds.
const (
	Include Deed = "include" // fetch also
	Exclude Deed = "exclude" // fetch no more
	Bar     Deed = "bar"     // leave a host out for good
	Rest    Deed = "rest"    // leave a host alone for the time being
	Wake    Deed = "wake"    // go on with it
	Delay   Deed = "delay"   // rest of a host between requests
	First   Deed = "first"   // a host or prefix before all others
	Last    Deed = "last"    // behind all others
	Usual   Deed = "usual"   // as any other
	Bound   Deed = "limits"  // pages, captures, bytes, time
	Pause   Deed = "pause"
	GoOn    Deed = "resume"
	Stop    Deed = "stop"
)

// Effect is what an act does, or did.
type Effect struct {
	Says    []string         `json:"says"`              // in words
	Preview *control.Preview `json:"preview,omitempty"` // of rules: what is queued now and would be dropped
	Done    bool             `json:"done"`
}

// Helm steers running crawls. Each act is told to the audit log before it is done.
type Helm struct {
	Audit Audit
	Now   func() time.Time
}

// errNoDeed says which deeds there are.
func errNoDeed(do Deed) error {
	return &varve.Error{Kind: varve.Invalid, Op: "steer", Msg: fmt.Sprintf("there is no deed %q", do), Hint: "include, exclude, bar, rest, wake, delay, first, last, usual, limits, pause, resume or stop"}
}

// Foresee tells what an act would do, and does nothing.
func (h *Helm) Foresee(ctx context.Context, k *holdings.Crawl, a Act) (Effect, error) {
	switch a.Do {
	case Pause:
		return Effect{Says: []string{"The visits under way are finished, then nothing is fetched until somebody resumes it."}}, nil
	case GoOn:
		return Effect{Says: []string{"The crawl goes on where it paused."}}, nil
	case Stop:
		return Effect{Says: []string{"The visits under way are finished, then the crawl ends. What is queued stays queued: it can be resumed."}}, nil
	case First, Last, Usual:
		return a.rank()
	case Bound:
		return a.bound()
	}
	was, now, says, err := h.rules(ctx, k, a)
	if err != nil {
		return Effect{}, err
	}
	e := Effect{Says: says}
	if !slices.EqualFunc(was.Rules, now.Rules, func(a, b scope.Rule) bool { return a.Name == b.Name && a.Do == b.Do && len(a.Prefix) == len(b.Prefix) }) {
		e.Preview = new(control.Preview)
		err = k.Tell(ctx, "", http.MethodPost, "scope/preview", now, e.Preview)
	}
	return e, err
}

func (a Act) rank() (Effect, error) {
	if strings.TrimSpace(a.Host) == "" {
		return Effect{}, &varve.Error{Kind: varve.Invalid, Op: "steer", Msg: "no host or address is given", Hint: "news.example, or https://news.example/politics/"}
	}
	says := map[Deed]string{
		First: "What is queued and what is found below %s comes before all else of its host, also when the crawl is resumed.",
		Last:  "What is queued and what is found below %s comes behind all else of its host, also when the crawl is resumed.",
		Usual: "What is below %s comes again as anything else does.",
	}[a.Do]
	return Effect{Says: []string{fmt.Sprintf(says, a.Host)}}, nil
}

func (a Act) bound() (Effect, error) {
	if a.Limits == nil {
		return Effect{}, &varve.Error{Kind: varve.Invalid, Op: "steer", Msg: "no limits are given"}
	}
	l, says := *a.Limits, []string{}
	add := func(set bool, with, without string, v any) {
		if set {
			says = append(says, fmt.Sprintf(with, v))
		} else {
			says = append(says, without)
		}
	}
	add(l.MaxPages > 0, "It ends after %d pages.", "There is no limit on pages.", l.MaxPages)
	add(l.MaxURLs > 0, "It ends after %d captures.", "There is no limit on captures.", l.MaxURLs)
	add(l.MaxBytes > 0, "It ends after %s.", "There is no limit on bytes.", sizeText(l.MaxBytes))
	add(l.MaxTime > 0, "It ends %s after its start.", "There is no limit on time.", SpanText(time.Duration(l.MaxTime)))
	return Effect{Says: append(says, "What was reached already ends the visits at once. The limits hold when the crawl is resumed.")}, nil
}

// rules gives the rules in force and those that an act would put in force.
func (h *Helm) rules(ctx context.Context, k *holdings.Crawl, a Act) (was, now scope.Definition, says []string, err error) {
	if err = k.Tell(ctx, "", http.MethodGet, "scope", nil, &was); err != nil {
		return was, now, nil, err
	}
	now = was
	now.Rules, now.Domains = slices.Clone(was.Rules), maps.Clone(was.Domains)
	switch a.Do {
	case Include, Exclude:
		says, err = a.list(&now)
	case Bar, Rest, Wake, Delay:
		says, err = a.host(&now)
	default:
		err = errNoDeed(a.Do)
	}
	return was, now, says, err
}

func (a Act) list(def *scope.Definition) ([]string, error) {
	name, do := includeName, scope.Accept
	says := "What these lines say is fetched too when a link leads to it, however far from the seeds. What was passed over before comes only when it is found again."
	if a.Do == Exclude {
		name, do = excludeName, scope.Reject
		says = "What these lines say is not fetched any more, and dropped when its turn comes. What is archived stays."
	}
	rules, err := listRules(a.Lines, name, do)
	if err == nil && len(rules) == 0 {
		err = errors.New("the list is empty")
	}
	if err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "steer", Err: err, Hint: "one a line: https://address/prefix, name.example, or /expression/"}
	}
	def.Rules = append(def.Rules, rules...)
	if _, err := scope.NewSet(*def); err != nil {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "steer", Err: err}
	}
	return []string{says}, nil
}

// host changes what holds for one host.
func (a Act) host(def *scope.Definition) ([]string, error) {
	host := strings.ToLower(strings.TrimSpace(a.Host))
	if i := strings.LastIndexByte(host, ':'); i > 0 && !strings.HasSuffix(host, "]") {
		host = host[:i] // rules and settings know names, not ports
	}
	if host == "" || strings.ContainsAny(host, "/ \t\n") {
		return nil, &varve.Error{Kind: varve.Invalid, Op: "steer", Msg: fmt.Sprintf("%q is no host", a.Host), Hint: "a name such as news.example"}
	}
	if def.Domains == nil {
		def.Domains = map[string]scope.Settings{}
	}
	s := def.Domains[host]
	var says string
	switch a.Do {
	case Bar:
		def.Rules = append(def.Rules, scope.Rule{Name: excludeName, Do: scope.Reject, Domain: []string{host}})
		says = host + " and all below it is not fetched any more, and its queue is dropped as its turn comes. What is archived stays."
	case Rest:
		yes := true
		s.Paused, says = &yes, host+" is not asked until somebody resumes it. Its queue stays."
	case Wake:
		s.Paused, says = nil, "The crawl fetches from "+host+" again."
	case Delay:
		if strings.TrimSpace(a.Delay) == "" {
			s.Delay, says = nil, "The delay between requests to "+host+" is again that of the crawl."
			break
		}
		d, err := ParseSpan(a.Delay)
		if err == nil && d > time.Hour {
			err = errors.New("an hour is the longest")
		}
		if err != nil {
			return nil, &varve.Error{Kind: varve.Invalid, Op: "steer", Err: err, Hint: "as 2 s"}
		}
		rest := scope.Duration(d)
		s.Delay, says = &rest, fmt.Sprintf("Requests to %s are %s apart from now on.", host, d)
	}
	if a.Do != Bar {
		def.Domains[host] = s
	}
	return []string{says}, nil
}

// Do does what an act says, and tells the audit log who wants it.
func (h *Helm) Do(ctx context.Context, k *holdings.Crawl, a Act, by string) (Effect, error) {
	e, err := h.Foresee(ctx, k, a)
	if err != nil {
		return e, err
	}
	entry := access.Entry{Time: h.Now(), By: by, Did: "steer crawl: " + string(a.Do), Collection: k.Collection, What: k.ID, Detail: a.String()}
	if err := h.Audit.Append(entry); err != nil {
		return e, errAudit(err)
	}
	if err := h.tell(ctx, k, a, by); err != nil {
		entry.Did += " failed"
		entry.Detail = err.Error()
		return e, errors.Join(err, h.Audit.Append(entry))
	}
	e.Done = true
	return e, nil
}

// Give hands addresses to a crawl, each with a score that says how early it comes, or takes them out for good, and tells the audit log who wants it.
func (h *Helm) Give(ctx context.Context, k *holdings.Crawl, list []control.URLUpdate, by string) (rep frontier.Report, err error) {
	detail := fmt.Sprintf("%d addresses", len(list))
	if len(list) > 0 {
		detail += ", the first " + list[0].URL[:min(len(list[0].URL), 200)]
	}
	entry := access.Entry{Time: h.Now(), By: by, Did: "give addresses to crawl", Collection: k.Collection, What: k.ID, Detail: detail}
	if err := h.Audit.Append(entry); err != nil {
		return rep, errAudit(err)
	}
	if err := k.Tell(ctx, by, http.MethodPost, "urls", list, &rep); err != nil {
		entry.Did += " failed"
		entry.Detail = err.Error()
		return rep, errors.Join(err, h.Audit.Append(entry))
	}
	return rep, nil
}

func errAudit(err error) error {
	return &varve.Error{Kind: varve.Unavailable, Op: "tell the audit log", Err: err, Hint: "nothing was changed; see that the archive can be written to"}
}

func (h *Helm) tell(ctx context.Context, k *holdings.Crawl, a Act, by string) error {
	switch a.Do {
	case Pause, GoOn, Stop:
		return k.Tell(ctx, by, http.MethodPost, string(a.Do), nil, nil)
	case First, Last, Usual:
		score := map[Deed]float64{First: 1, Last: 0, Usual: 0.5}[a.Do]
		return k.Tell(ctx, by, http.MethodPost, "priorities", map[string]any{"prefix": a.Host, "score": score, "lift": a.Do == Usual}, nil)
	case Bound:
		return k.Tell(ctx, by, http.MethodPut, "limits", a.Limits, nil)
	}
	_, now, _, err := h.rules(ctx, k, a)
	if err != nil {
		return err
	}
	return k.Tell(ctx, by, http.MethodPut, "scope", now, nil)
}

// String gives the act for the audit log.
func (a Act) String() string {
	parts := []string{}
	for _, s := range []string{a.Host, a.Delay, strings.Join(strings.Fields(a.Lines), " ")} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if l := a.Limits; l != nil {
		parts = append(parts, fmt.Sprintf("pages %d, captures %d, bytes %d, time %s", l.MaxPages, l.MaxURLs, l.MaxBytes, time.Duration(l.MaxTime)))
	}
	s := strings.Join(parts, "; ")
	return s[:min(len(s), 2000)]
}
