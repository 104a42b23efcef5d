package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"varve/crawl/browser/devtools"
)

// main gives the id of the main frame, which is that of its target.
func (p *page) main() cdp.FrameID { return cdp.FrameID(p.tab.target) }

// frame gives the id of the frame that is played: the main one, or one inside.
func (p *page) frame() cdp.FrameID {
	if p.inside != "" {
		return p.inside
	}
	return p.main()
}

// evaluate runs an expression in our world of a frame, waits for its promise, and reads its value. The
// script itself may take as long as given.
func (p *page) evaluate(ctx context.Context, frame cdp.FrameID, may time.Duration, expr string, out any) error {
	limit, cancel := context.WithTimeoutCause(ctx, p.c.cfg.Budget.Hang+may, errHangs)
	defer cancel()
	made, err := devtools.Call(limit, p.session, cdppage.CreateIsolatedWorld, cdppage.CreateIsolatedWorldParams{FrameID: frame, WorldName: world})
	if err != nil {
		if limit.Err() != nil {
			return context.Cause(limit)
		}
		return err
	}
	return p.evaluateIn(limit, made.ExecutionContextID, expr, out)
}

// evaluatePlain runs an expression in the world of the page's own scripts.
func (p *page) evaluatePlain(ctx context.Context, expr string, out any) error {
	limit, cancel := context.WithTimeoutCause(ctx, p.c.cfg.Budget.Hang, errHangs)
	defer cancel()
	return p.evaluateIn(limit, 0, expr, out)
}

func (p *page) evaluateIn(ctx context.Context, id runtime.ExecutionContextID, expr string, out any) error {
	yes := true
	params := runtime.EvaluateParams{Expression: expr, ContextID: id, AwaitPromise: &yes, ReturnByValue: &yes, UserGesture: &yes}
	res, err := devtools.Call(ctx, p.session, runtime.Evaluate, params)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	}
	if res.ExceptionDetails != nil {
		return exception(res.ExceptionDetails)
	}
	if out == nil || res.Result == nil || len(res.Result.Value) == 0 {
		return nil
	}
	return jsonv2.Unmarshal(res.Result.Value, out, jsonv2.AllowInvalidUTF8(true))
}

// exception makes an error of what a script threw.
func exception(d *runtime.ExceptionDetails) error {
	text := d.Text
	if d.Exception != nil && d.Exception.Description != "" {
		text = d.Exception.Description
	}
	text = strings.SplitN(text, "\n", 2)[0]
	return fmt.Errorf("script: %s", text[:min(len(text), 200)])
}

// refind evaluates again while the document is being replaced, which loses our world for a moment.
func (p *page) refind(ctx context.Context, f func() error) error {
	var err error
	for range 3 {
		err = f()
		var said *devtools.Error
		if err == nil || !errors.As(err, &said) {
			return err
		}
		timer := time.NewTimer(50 * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		}
	}
	return err
}
