package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/domsnapshot"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"varve/lab/websim/difficult"
)

// ErrNoBrowser is returned where Chromium is not installed.
var ErrNoBrowser = errors.New("no Chromium on this machine (Debian: apt-get install chromium)")

// Eye is a browser that looks at pages as a visitor does, to tell what they show. It is none of the crawler's.
type Eye struct {
	ctx  context.Context
	stop func()
}

// Size of the window.
const (
	eyeWidth  = 1200
	eyeHeight = 800
)

// OpenEye starts a browser that finds hosts by rules as of --host-resolver-rules, and nothing else.
func OpenEye(ctx context.Context, rules string) (*Eye, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, ErrNoBrowser
	}
	dir, err := os.MkdirTemp("", "varve-eye")
	if err != nil {
		return nil, err
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(dir), chromedp.WindowSize(eyeWidth, eyeHeight),
		chromedp.Flag("host-resolver-rules", rules), chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("autoplay-policy", "no-user-gesture-required"),
		// One process for all frames: a snapshot then holds the replayed page inside the frame of the banner.
		chromedp.Flag("disable-site-isolation-trials", true), chromedp.Flag("disable-features", "site-per-process,IsolateOrigins,OriginKeyedProcessesByDefault,Translate,BlinkGenPropertyTrees"),
	)
	alloc, cancel := chromedp.NewExecAllocator(ctx, opts...)
	tab, cancelTab := chromedp.NewContext(alloc)
	e := &Eye{ctx: tab, stop: func() {
		cancelTab()
		cancel()
		_ = os.RemoveAll(dir)
	}}
	if err := chromedp.Do(tab); err != nil {
		e.Close()
		return nil, fmt.Errorf("start the browser: %w", err)
	}
	return e, nil
}

// Close ends the browser.
func (e *Eye) Close() { e.stop() }

// Sight is what a view showed.
type Sight struct {
	Missing []string `json:"missing,omitempty"` // words that were not seen
	Text    string   `json:"-"`                 // all words that were seen
	Markup  []string `json:"-"`                 // names, values and texts of all nodes, unseen ones too
}

// lookTime is how long the words of a view may take to appear.
const lookTime = 12 * time.Second

// Look opens the page of a view at an address, which may be that of its replay, does what the view says, and waits until
// its words are seen or time is over.
func (e *Eye) Look(address string, v difficult.View) (*Sight, error) {
	ctx, cancel := context.WithTimeout(e.ctx, 4*lookTime)
	defer cancel()
	if err := open(ctx, "about:blank"); err != nil { // an address that differs in its fragment alone would not be loaded anew
		return &Sight{Missing: v.Shows}, err
	}
	if err := open(ctx, address); err != nil {
		return &Sight{Missing: v.Shows}, fmt.Errorf("open %s: %w", address, err)
	}
	failed := act(ctx, address, v.Do)
	for end := time.Now().Add(lookTime); ; {
		s, err := see(ctx, 0)
		if err == nil {
			if s.Missing = v.Unseen(s.Text); len(s.Missing) == 0 {
				return s, nil
			}
		}
		if time.Now().After(end) || ctx.Err() != nil {
			return s, errors.Join(err, failed)
		}
		time.Sleep(80 * time.Millisecond)
	}
}

// settled is for how long the words of a page must stay as they are to be taken for all it shows.
const settled = 1200 * time.Millisecond

// Read opens a page at an address, as one who comes there first and has no cookies, and returns the words it shows when they change no
// more, or when time is over. In replay, the page is in the frame of the banner, whose words are left out.
func (e *Eye) Read(address string, replayed bool) (string, error) {
	around := 0
	if replayed {
		around = 1
	}
	ctx, cancel := context.WithTimeout(e.ctx, 4*lookTime)
	defer cancel()
	if err := open(ctx, "about:blank"); err != nil {
		return "", err
	}
	if _, err := chromedp.Call(ctx, network.ClearBrowserCookies, cdp.Empty{}); err != nil {
		return "", fmt.Errorf("forget cookies: %w", err)
	}
	if err := open(ctx, address); err != nil {
		return "", fmt.Errorf("open %s: %w", address, err)
	}
	text, since, end := "", time.Now(), time.Now().Add(lookTime)
	for {
		s, err := see(ctx, around)
		now := time.Now()
		if err == nil && s.Text != text {
			text, since = s.Text, now
		}
		if now.Sub(since) >= settled && text != "" || now.After(end) || ctx.Err() != nil {
			return text, err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// Picture returns what is seen of the page that was read last, as large as the window; in replay, of the frame below the banner.
func (e *Eye) Picture(replayed bool) (image.Image, error) {
	ctx, cancel := context.WithTimeout(e.ctx, lookTime)
	defer cancel()
	top := 0.0
	if replayed {
		yes := true
		res, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "(document.querySelector('iframe') || document.documentElement).getBoundingClientRect().top", ReturnByValue: &yes})
		if err != nil {
			return nil, err
		}
		if top, err = strconv.ParseFloat(string(res.Result.Value), 64); err != nil {
			return nil, fmt.Errorf("the frame of the page: %w", err)
		}
	}
	// The window grows by the banner, so that the page is as large as live.
	if _, err := chromedp.Call(ctx, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: eyeWidth, Height: eyeHeight + int64(top), DeviceScaleFactor: 1}); err != nil {
		return nil, err
	}
	shot, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatPng, Clip: &page.Viewport{Y: top, Width: eyeWidth, Height: eyeHeight, Scale: 1},
	})
	if err != nil {
		return nil, err
	}
	if _, err := chromedp.Call(ctx, emulation.ClearDeviceMetricsOverride, cdp.Empty{}); err != nil {
		return nil, err
	}
	return png.Decode(bytes.NewReader(shot.Data))
}

// open goes to an address. A page that never ends loading is looked at as it is.
func open(ctx context.Context, address string) error {
	limited, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	err := chromedp.Do(limited, chromedp.Navigate(address))
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return nil
	}
	return err
}

// act runs the code of a view in the page, which in replay is inside the frame of the banner. Code that leads to another
// page never returns: that is no fault.
func act(ctx context.Context, address, do string) error {
	if do == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	world, err := pageWorld(ctx, address)
	if err != nil {
		return err
	}
	yes := true
	res, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: "(async () => {" + difficult.Helpers + do + "\n})().then(() => '', e => String(e))",
		ContextID:  world, AwaitPromise: &yes, ReturnByValue: &yes, UserGesture: &yes,
	})
	if err != nil || res.Result == nil {
		return nil // the page was left
	}
	if said := strings.Trim(string(res.Result.Value), `"`); said != "" {
		return errors.New(said)
	}
	return nil
}

// pageWorld gives a context for code beside the page's own scripts: in the frame that shows the address in replay, else
// in the page itself.
func pageWorld(ctx context.Context, address string) (runtime.ExecutionContextID, error) {
	_, original, replayed := strings.Cut(strings.TrimPrefix(address, "http://"), "/http://")
	original, _, _ = strings.Cut(original, "#")
	for {
		tree, err := chromedp.Call(ctx, page.GetFrameTree, cdp.Empty{})
		if err != nil {
			return 0, err
		}
		frame := tree.FrameTree.Frame
		for _, child := range tree.FrameTree.ChildFrames {
			if replayed && strings.HasSuffix(child.Frame.URL, "mp_/http://"+original) {
				frame = child.Frame
			}
		}
		if !replayed || frame != tree.FrameTree.Frame {
			w, err := chromedp.Call(ctx, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: frame.ID, WorldName: "visitor"})
			return w.ExecutionContextID, err
		}
		select {
		case <-ctx.Done():
			return 0, fmt.Errorf("no frame shows %s: %w", original, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// see reads what the page shows, frames and shadow roots included, but not its outermost documents, as many as around says.
func see(ctx context.Context, around int) (*Sight, error) {
	snap, err := chromedp.Call(ctx, domsnapshot.CaptureSnapshot, domsnapshot.CaptureSnapshotParams{ComputedStyles: []string{}})
	if err != nil {
		return &Sight{}, err
	}
	var b strings.Builder
	for _, d := range snap.Documents[min(around, len(snap.Documents)):] {
		for _, i := range d.Layout.Text {
			if i >= 0 && int(i) < len(snap.Strings) {
				b.WriteString(snap.Strings[i])
				b.WriteByte('\n')
			}
		}
	}
	return &Sight{Text: b.String(), Markup: snap.Strings}, nil
}
