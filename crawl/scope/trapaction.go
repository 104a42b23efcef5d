package scope

import (
	"strings"

	"varve/web/canon"
)

// Applications link from every page to what a reader may do with it: edit it, reply, log in, see old versions, compare two of them,
// sort the list another way. None of that is content of its own, and it multiplies: 26 pages of a wiki lead to thousands of such
// addresses. They are known by parameters and names that say what they do; those of the applications that are met most are here.

// actions are the parameters that name an action, and the actions that show no content: MediaWiki, DokuWiki, phpBB, vBulletin, WordPress.
var actions = map[string]string{
	"action": "edit submit delete protect unprotect watch unwatch history info purge rollback markpatrolled revert formedit login logout " +
		"register lostpassword reply quote report vote",
	"veaction": "edit editsource",
	"do": "edit diff revisions revert login logout register profile resendpwd subscribe backlink recent media admin draft addtobook " +
		"newreply newthread postreply sendmessage",
	"mode":   "reply quote post login logout register email sendpassword",
	"order":  "asc desc",
	"dir":    "asc desc",
	"export": "pdf odt raw",
}

// doings are parameters that name an action whatever their value is.
var doings = map[string]bool{"replytocom": true, "oldid": true, "diff": true, "difftype": true, "redlink": true, "printable": true, "returnto": true, "mobileaction": true}

// lists are the special pages of MediaWiki that lead to others, part after part, and those that stand for a file. All other special
// pages are about what a reader may do, or what others did: two of them had more than 600 icons of their tools, for a wiki of 26 pages.
var lists = map[string]bool{"allpages": true, "prefixindex": true, "categories": true, "listfiles": true, "filepath": true, "redirect": true}

// listed are the parameters that say which part of a list is meant; any other is a way to show it.
var listed = map[string]bool{"title": true, "from": true, "to": true, "until": true, "prefix": true, "offset": true, "namespace": true}

// Action returns what an address does with a page, if it shows none itself.
func Action(u canon.URL) (Suspicion, bool) {
	found := func(what string) (Suspicion, bool) {
		return Suspicion{TrapAction, "it does something with a page: " + what}, true
	}
	last := u.Path()[strings.LastIndexByte(u.Path(), '/')+1:]
	switch last {
	case "wp-login.php", "wp-signup.php", "wp-comments-post.php":
		return found(last)
	}
	title := u.Path()
	id, shown, revision := false, false, ""
	for rest := u.Query(); rest != ""; {
		var pair string
		if i := strings.IndexAny(rest, "&;"); i >= 0 {
			pair, rest = rest[:i], rest[i+1:]
		} else {
			pair, rest = rest, ""
		}
		name, value, _ := strings.Cut(pair, "=")
		name, value = strings.ToLower(name), strings.ToLower(value)
		shown = shown || !listed[name]
		switch {
		case doings[name], hasWord(actions[name], value), name == "do" && strings.HasPrefix(value, "export_"):
			return found(pair)
		case name == "title":
			title = value
		case name == "id":
			id = true
		case name == "rev":
			revision = value
		}
	}
	if id && len(revision) == 10 && strings.Trim(revision, "0123456789") == "" { // of DokuWiki: a time
		return found("rev=" + revision)
	}
	if _, office, ok := strings.Cut(strings.ReplaceAll(strings.ToLower(title), "%3a", ":"), "special:"); ok {
		if office, _, _ = strings.Cut(office, "/"); !lists[office] || shown {
			return found("Special:" + office)
		}
	}
	return Suspicion{}, false
}

// Acts returns what the candidate does with a page, if it was found as a link: seeds are wanted, and a part or the goal of a redirect is
// needed whatever its address says.
func (c *Candidate) Acts() (Suspicion, bool) {
	if c.Hops == "" || strings.HasSuffix(string(c.Hops), string(HopEmbed)) || strings.HasSuffix(string(c.Hops), string(HopRedirect)) {
		return Suspicion{}, false
	}
	return Action(c.URL)
}

// hasWord reports whether a list of words has one.
func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}
