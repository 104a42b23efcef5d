package browser

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	cdppage "github.com/chromedp/cdproto/page"

	"varve/crawl/browser/behave"
	"varve/crawl/browser/devtools"
)

// steps counts what was done on a page.
type steps struct {
	presses int // presses, options, steps of the site
	scrolls int
	consent string // what was pressed to pass a banner
	effects int    // steps that changed something
	spent   bool
}

// did is what a step of the script tells.
type did struct {
	Did     string `json:"did"`
	What    string `json:"what"`
	Changes int    `json:"changes"`
}

// behave does what a visitor would do, in the order that package behave describes. An error of one
// behaviour does not keep the others from being tried, unless the page is gone or its time is over.
func (p *page) behave(ctx context.Context) error {
	p.mu.Lock()
	p.acting = true
	p.mu.Unlock()
	if err := p.do(ctx, p.consent, p.site, p.unfold, p.scroll, p.play, p.options, p.press); err != nil {
		return err
	}
	return p.playFrames(ctx)
}

// do tries behaviours in order.
func (p *page) do(ctx context.Context, behaviours ...func(context.Context) error) error {
	for _, behaviour := range behaviours {
		err := behaviour(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if errors.Is(err, errHangs) {
			return fmt.Errorf("%w: %w", errSoft, err)
		}
		if err != nil {
			p.c.cfg.Log.Debug("behaviour failed", "url", p.url, "error", err)
		}
	}
	return nil
}

// maxPlayed bounds the frames that are played.
const maxPlayed = 4

// playFrames does the same in the frames of the page's own host. Frames of others are advertisements more
// often than not, which nobody should press.
func (p *page) playFrames(ctx context.Context) error {
	tree, err := devtools.Call(ctx, p.session, cdppage.GetFrameTree, cdp.Empty{})
	if err != nil {
		return nil // the page is told about by what follows
	}
	defer func() { p.inside = "" }()
	list := flatten(nil, tree.FrameTree)
	played := 0
	for _, f := range list[min(1, len(list)):] {
		if !p.own(f.URL) || played == maxPlayed || p.spent() {
			continue
		}
		played++
		p.inside = f.ID
		if err := p.do(ctx, p.unfold, p.play, p.options, p.press); err != nil {
			return err
		}
	}
	return nil
}

// own tells whether a frame shows something of the page's own host.
func (p *page) own(frame string) bool {
	u, err := url.Parse(frame)
	home, err2 := url.Parse(p.url)
	return err == nil && err2 == nil && (u.Host == home.Host || u.Scheme == "about")
}

// consent passes a cookie banner.
func (p *page) consent(ctx context.Context) error {
	if err := p.call(ctx, "varve.consent()", &p.steps.consent); err != nil || p.steps.consent == "" {
		return err
	}
	return p.settle(ctx, p.c.cfg.Budget.Brief)
}

// site does the steps of the page's own site.
func (p *page) site(ctx context.Context) error {
	u, err := url.Parse(p.url)
	if err != nil {
		return err
	}
	for _, step := range p.c.rules.Steps(u.Hostname(), u.Path) {
		arg, err := jsonv2.Marshal(step)
		if err != nil {
			return err
		}
		for range max(step.Times, 1) {
			d, err := p.step(ctx, "varve.site("+string(arg)+")")
			if err != nil {
				return err
			}
			if d == nil || d.Changes == 0 {
				break
			}
		}
	}
	return nil
}

// unfold opens details and menus.
func (p *page) unfold(ctx context.Context) error {
	var n int
	if err := p.call(ctx, "varve.unfold()", &n); err != nil || n == 0 {
		return err
	}
	return p.settle(ctx, p.c.cfg.Budget.Brief)
}

// scroll goes down the page until nothing new comes, if anything on it waits for that.
func (p *page) scroll(ctx context.Context) error {
	var state behave.State
	if err := p.evaluatePlain(ctx, p.c.scripts.State, &state); err == nil && state.Scrolls == 0 {
		return nil
	}
	height := 0
	for range p.c.cfg.Budget.Scrolls {
		asked, _ := p.turn.Counts()
		var at struct {
			Bottom  bool `json:"bottom"`
			Height  int  `json:"height"`
			Changes int  `json:"changes"`
		}
		if err := p.call(ctx, "varve.scroll()", &at); err != nil {
			return err
		}
		p.steps.scrolls++
		now, _ := p.turn.Counts()
		if now > asked || at.Changes > 0 {
			if err := p.settle(ctx, p.c.cfg.Budget.Brief); err != nil {
				return err
			}
			continue
		}
		if at.Bottom && at.Height == height {
			break
		}
		height = at.Height
	}
	return p.call(ctx, "varve.top()", nil)
}

// play starts media for a moment, so that they are asked for.
func (p *page) play(ctx context.Context) error {
	var n int
	if err := p.call(ctx, "varve.play()", &n); err != nil || n == 0 {
		return err
	}
	timer := time.NewTimer(p.c.cfg.Budget.Play)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := p.turn.Wait(ctx, p.c.cfg.Budget.Quiet/3, p.c.cfg.Budget.Stale); err != nil {
		return err
	}
	return p.call(ctx, "varve.hush()", nil)
}

// options chooses the values of lists that a script listens to.
func (p *page) options(ctx context.Context) error {
	p.tell(ctx)
	for !p.spent() {
		if d, err := p.step(ctx, "varve.option()"); err != nil || d == nil {
			return err
		}
	}
	return nil
}

// press presses what looks as if it did something, until there is nothing left or the budget is spent.
func (p *page) press(ctx context.Context) error {
	asked := 0
	for !p.spent() {
		before := p.turn.Novel()
		d, err := p.step(ctx, fmt.Sprintf("varve.explore(%d)", asked))
		if err != nil || d == nil {
			return err
		}
		asked = p.turn.Novel() - before
	}
	p.steps.spent = true
	return nil
}

// tell lets the script know to which elements the page listens. Where the page does not let it, there are
// other signs.
func (p *page) tell(ctx context.Context) {
	if p.inside != "" {
		return
	}
	if err := p.evaluatePlain(ctx, p.c.scripts.Tell, nil); err != nil {
		p.c.cfg.Log.Debug("listeners unknown", "url", p.url, "error", err)
	}
}

func (p *page) spent() bool { return p.steps.presses >= p.c.cfg.Budget.Steps }

// step lets the script do one thing, waits until the page is quiet again if it had an effect, and takes
// the page back if a router has gone elsewhere.
func (p *page) step(ctx context.Context, expr string) (*did, error) {
	before, _ := p.turn.Counts()
	p.mu.Lock()
	moves := len(p.leaves)
	p.mu.Unlock()
	var d *did
	if err := p.call(ctx, expr, &d); err != nil || d == nil {
		return nil, err
	}
	p.steps.presses++
	p.c.cfg.Log.Debug("step", "url", p.url, "did", d.Did, "what", strings.TrimSpace(d.What), "changes", d.Changes)
	now, _ := p.turn.Counts()
	p.mu.Lock()
	moved := len(p.leaves) > moves
	p.mu.Unlock()
	if now == before && d.Changes == 0 && !moved {
		return d, nil
	}
	p.steps.effects++
	defer p.tell(ctx)
	if err := p.settle(ctx, p.c.cfg.Budget.Brief); err != nil {
		return d, err
	}
	var went bool
	if err := p.call(ctx, "varve.back()", &went); err != nil || !went {
		return d, err
	}
	return d, p.settle(ctx, p.c.cfg.Budget.Brief)
}
