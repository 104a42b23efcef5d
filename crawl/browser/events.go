package browser

import (
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"

	"varve/crawl/browser/devtools"
	"varve/web/links"
)

// trail is where the page went and wanted to go. It is under the page's lock.
type trail struct {
	committed bool    // the document is there: from now on the page stays
	acting    bool    // behaviours have begun: what leaves now was asked for by a press
	reloads   int     // the page asked for itself anew
	leaves    []leave // where it wanted to go
	leavesCut int     // beyond maxLeaves
	dialogs   int
	over      bool // loaded is closed
	sent      bool // left is closed
	dead      bool // crashed is closed
}

// leave is an address that the page wanted to go to.
type leave struct {
	url  string
	kind links.Kind
	hop  links.Hop
}

// aborted makes a navigation end without a trace: the page stays.
const aborted = network.ErrorReasonAborted

// maxLeaves bounds the addresses noted.
const maxLeaves = 2000

// maxReloads is how often a page gets itself anew: some set a cookie and come back.
const maxReloads = 1

// event takes an event of the tab. It runs on the reader of the connection, so it only notes and sends.
func (p *page) event(method string, params []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch method {
	case cdppage.LoadEventFired.Method:
		if !p.over && p.committed {
			p.over = true
			close(p.loaded)
		}
	case cdppage.FrameNavigated.Method:
		if e, err := devtools.Decode(cdppage.FrameNavigated, params); err == nil && e.Frame.ParentID == "" && e.Frame.URL != "about:blank" {
			p.committed = true
		}
	case cdppage.NavigatedWithinDocument.Method:
		if e, err := devtools.Decode(cdppage.NavigatedWithinDocument, params); err == nil && e.FrameID == p.main() {
			p.note(e.URL, kinds.history, links.HopLink)
		}
	case cdppage.WindowOpen.Method:
		if e, err := devtools.Decode(cdppage.WindowOpen, params); err == nil {
			p.note(e.URL, kinds.open, links.HopLink)
		}
	case cdppage.JavascriptDialogOpening.Method:
		e, err := devtools.Decode(cdppage.JavascriptDialogOpening, params)
		p.dialogs++
		devtools.Send(p.session, cdppage.HandleJavaScriptDialog, cdppage.HandleJavaScriptDialogParams{Accept: err == nil && e.Type == cdppage.DialogTypeBeforeunload})
	case fetch.RequestPaused.Method:
		if e, err := devtools.Decode(fetch.RequestPaused, params); err == nil {
			p.paused(&e)
		}
	case inspector.TargetCrashed.Method, inspector.Detached.Method:
		if !p.dead {
			p.dead = true
			close(p.crashed)
		}
	}
}

// paused decides about a document that is about to be fetched. Frames and the page itself go on; where
// the page would be left, the address is noted and the page stays.
func (p *page) paused(e *fetch.EventRequestPaused) {
	if e.FrameID != p.main() || !p.committed || p.again(e) {
		devtools.Send(p.session, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
		return
	}
	devtools.Send(p.session, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: aborted})
	if !p.sent && !p.acting {
		p.sent = true
		close(p.left)
	}
	if e.Request.Method != "GET" {
		return // what a form sends is no address to go to
	}
	hop := links.HopRedirect
	if p.acting {
		hop = links.HopLink
	}
	p.note(e.Request.URL+e.Request.URLFragment, kinds.location, hop)
}

// again tells whether the page asks for itself and may have it.
func (p *page) again(e *fetch.EventRequestPaused) bool {
	if e.Request.Method != "GET" || e.Request.URL != withoutFragment(p.url) || p.reloads >= maxReloads || p.acting {
		return false
	}
	p.reloads++
	p.turn.Fresh()
	return true
}

// note keeps an address once. The lock is held.
func (p *page) note(url string, kind links.Kind, hop links.Hop) {
	if !strings.HasPrefix(url, "http") || withoutFragment(url) == withoutFragment(p.url) {
		return
	}
	for _, l := range p.leaves {
		if l.url == url {
			return
		}
	}
	if len(p.leaves) >= maxLeaves {
		p.leavesCut++
		return
	}
	p.leaves = append(p.leaves, leave{url, kind, hop})
}

func withoutFragment(url string) string {
	before, _, _ := strings.Cut(url, "#")
	return before
}
