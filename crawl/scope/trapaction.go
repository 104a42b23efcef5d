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

// offices are pages of MediaWiki about what a reader may do with another page.
var offices = map[string]bool{
	"userlogin": true, "userlogout": true, "createaccount": true, "passwordreset": true, "recentchangeslinked": true, "whatlinkshere": true, "movepage": true,
	"log": true, "contributions": true, "emailuser": true, "block": true, "citethispage": true, "permanentlink": true, "permalink": true, "diff": true,
	"editpage": true, "watchlist": true, "preferences": true, "upload": true, "import": true, "export": true, "pageinfo": true, "newsection": true, "changeemail": true,
}

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
	id, revision := false, ""
	for rest := u.Query(); rest != ""; {
		var pair string
		if i := strings.IndexAny(rest, "&;"); i >= 0 {
			pair, rest = rest[:i], rest[i+1:]
		} else {
			pair, rest = rest, ""
		}
		name, value, _ := strings.Cut(pair, "=")
		name, value = strings.ToLower(name), strings.ToLower(value)
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
		if office, _, _ = strings.Cut(office, "/"); offices[office] {
			return found("Special:" + office)
		}
	}
	return Suspicion{}, false
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
