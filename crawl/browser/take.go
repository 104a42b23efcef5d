package browser

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"

	"varve/crawl/browser/behave"
	"varve/crawl/browser/devtools"
	"varve/crawl/collect"
)

// harvest is what the script gives of one frame.
type harvest struct {
	URL      string   `json:"url"`
	Base     string   `json:"base"`
	Title    string   `json:"title"`
	HTML     string   `json:"html"`
	Parts    []string `json:"parts"`
	Forms    []string `json:"forms"`
	Cut      int      `json:"cut"`    // links that limits kept out, at least
	Beyond   []string `json:"beyond"` // kinds of things that were not all looked at
	Elements int      `json:"elements"`
}

// maxFrames bounds the frames that are looked at.
const maxFrames = 40

// take collects what the page has come to. live has ended where the page's time was over; then there is
// some time left for this in ctx.
func (p *page) take(ctx, live context.Context) (*collect.Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, takeTime, ErrBudget)
	defer cancel()
	g := newGathering()
	var err error
	var resources []collect.Resource
	cause := context.Cause(live)
	if cause == nil && p.m.gone() {
		cause = devtools.ErrClosed
	}
	if !errors.Is(cause, errCrashed) && !p.m.gone() && p.committedNow() {
		err = p.frames(ctx, g)
		p.opened(ctx, g)
		if err == nil && cause == nil {
			resources = p.resources(ctx)
		}
	}
	p.mu.Lock()
	for _, l := range p.leaves {
		g.add(l.url, l.kind, l.hop)
	}
	g.cut += p.leavesCut
	p.mu.Unlock()
	for _, x := range p.turn.Exchanges() {
		g.exchange(p.url, &x)
	}
	asked, refused := p.turn.Counts()
	r := &collect.Result{Links: g.links, Cut: g.cut, Title: g.title, Resources: resources, Cost: collect.Cost{Wall: time.Since(p.began), Requests: asked}}
	r.Fields = p.fields(g, asked, refused)
	if cause != nil {
		err = cause
	}
	return r, err
}

func (p *page) committedNow() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.committed
}

// frames takes the documents of all frames.
func (p *page) frames(ctx context.Context, g *gathering) error {
	tree, err := devtools.Call(ctx, p.session, cdppage.GetFrameTree, cdp.Empty{})
	if err != nil {
		return err
	}
	for i, frame := range flatten(nil, tree.FrameTree) {
		if i == maxFrames {
			g.cut++ // at least: the links of the frames beyond
			break
		}
		var h harvest
		if i == 0 {
			if err = p.call(ctx, "varve.harvest()", &h); err != nil {
				return err
			}
			g.title = h.Title
		} else if p.evaluate(ctx, frame.ID, 0, "varve.harvest()", &h) != nil {
			continue // a frame that is gone or not ours to see
		}
		g.document(frame.URL, &h)
	}
	return nil
}

// flatten lists the frames of a tree, the main one first; one more than are looked at tells that there are more.
func flatten(list []*cdp.Frame, t *cdppage.FrameTree) []*cdp.Frame {
	if t == nil || len(list) > maxFrames {
		return list
	}
	list = append(list, t.Frame)
	for _, child := range t.ChildFrames {
		list = flatten(list, child)
	}
	return list
}

// opened notes the windows that scripts wanted to open.
func (p *page) opened(ctx context.Context, g *gathering) {
	var state behave.State
	if p.evaluatePlain(ctx, p.c.scripts.State, &state) != nil {
		return
	}
	n := min(len(state.Opened), maxLeaves)
	g.cut += len(state.Opened) - n + state.Unopened
	for _, u := range state.Opened[:n] {
		g.add(u, kinds.open, kinds.open.Hop())
	}
}

// maxText bounds the rendered text that is kept.
const maxText = 2 << 20

// resources makes what is kept beside the page. A page that cannot be drawn is kept without a picture.
func (p *page) resources(ctx context.Context) []collect.Resource {
	var list []collect.Resource
	if p.c.cfg.Text {
		var text string
		if p.call(ctx, "varve.text("+strconv.Itoa(maxText)+")", &text) == nil && text != "" {
			list = append(list, collect.Resource{URI: "urn:text:" + p.url, ContentType: "text/plain; charset=utf-8", Body: bytes.NewReader([]byte(text))})
		}
	}
	if p.c.cfg.Screenshot {
		shot, err := devtools.Call(ctx, p.session, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{Format: cdppage.CaptureScreenshotFormatPng})
		if err == nil && len(shot.Data) > 0 {
			list = append(list, collect.Resource{URI: "urn:view:" + p.url, ContentType: "image/png", Body: bytes.NewReader(shot.Data)})
		}
	}
	return list
}

// fields tells for the metadata record how the page was executed.
func (p *page) fields(g *gathering, asked, refused int) []collect.Field {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := []collect.Field{
		{Name: "browser", Value: p.m.proc.Version},
		{Name: "browserDate", Value: p.began.UTC().Format(time.RFC3339Nano)},
		{Name: "browserSeed", Value: strconv.FormatUint(uint64(p.c.cfg.Seed), 10)},
		{Name: "browserRequests", Value: strconv.Itoa(asked)},
		{Name: "browserSteps", Value: strconv.Itoa(p.steps.presses)},
		{Name: "browserScrolls", Value: strconv.Itoa(p.steps.scrolls)},
		{Name: "browserElements", Value: strconv.Itoa(g.elements)},
	}
	for _, n := range []struct {
		name  string
		value int
	}{{"browserRefused", refused}, {"browserReloads", p.reloads}, {"browserInterrupted", p.interrupted}, {"browserDialogs", p.dialogs}} {
		if n.value > 0 {
			f = append(f, collect.Field{Name: n.name, Value: strconv.Itoa(n.value)})
		}
	}
	if p.steps.consent != "" {
		f = append(f, collect.Field{Name: "browserConsent", Value: oneLine(p.steps.consent)})
	}
	if p.steps.spent {
		g.beyond = append(g.beyond, "steps")
	}
	if len(g.beyond) > 0 {
		f = append(f, collect.Field{Name: "browserSpent", Value: strings.Join(g.beyond, ", ")})
	}
	for _, s := range p.turn.Sockets() {
		f = append(f, collect.Field{Name: "webSocket", Value: oneLine(s)})
	}
	return f
}
