package route

import (
	"bytes"
	"strings"
)

// isCode tells handlers of what a reader does, with more than an idiom in them.
func isCode(name, value []byte) bool {
	switch strings.ToLower(string(clip(name, 20))) {
	case "onclick", "onchange", "oninput", "onmouseover", "onmouseenter", "onmousedown", "onmouseup", "onpointerdown", "ontouchstart", "onscroll", "onkeyup", "onkeydown", "ontoggle":
	default:
		return false
	}
	code := strings.Trim(strings.ToLower(string(clip(value, 60))), "; \n\t")
	code = strings.TrimSuffix(strings.TrimPrefix(code, "javascript:"), "()")
	switch code {
	case "", "return false", "return true", "void(0)", "window.print", "print", "history.back", "history.go(-1)", "this.form.submit", "this.select", "event.stoppropagation":
		return false
	}
	return !strings.HasPrefix(code, "gtag(") && !strings.HasPrefix(code, "ga(") && !strings.HasPrefix(code, "_gaq") && !strings.HasPrefix(code, "datalayer")
}

// mayTell reports, in one look at each byte, classes and ids that may hold a word of isMore or isPlayer: most do not.
func mayTell(s []byte) bool {
	for i := 0; i+4 <= len(s); i++ {
		next := s[i+1] | 0x20
		switch s[i] | 0x20 {
		case 'm': // more, mejs
			if next == 'o' && s[i+2]|0x20 == 'r' || next == 'e' && s[i+2]|0x20 == 'j' {
				return true
			}
		case 'p': // player, plyr
			if next == 'l' && (s[i+2]|0x20 == 'a' || s[i+2]|0x20 == 'y') {
				return true
			}
		case 'i': // infinite
			if next == 'n' && s[i+2]|0x20 == 'f' {
				return true
			}
		case 'v': // video-js
			if next == 'i' && s[i+2]|0x20 == 'd' {
				return true
			}
		}
	}
	return false
}

// isName compares a name with one in lower case; letters only, so one bit tells the case.
func isName(name []byte, want string) bool {
	if len(name) != len(want) {
		return false
	}
	for i := range name {
		if name[i]|0x20 != want[i] {
			return false
		}
	}
	return true
}

// isLazy tells attributes with the address of an image that is shown later: the parser reads these.
func isLazy(name, value []byte) bool {
	return len(name) > 7 && len(value) > 3 && (holds(name, "src") || holds(name, "original") || holds(name, "lazy")) && bytes.IndexByte(value, '.') >= 0
}

// isMore tells names of elements that bring more when they are clicked or reached.
func isMore(s []byte) bool {
	if len(s) < 8 {
		return false
	}
	if !holds(s, "more") && !holds(s, "infinite") {
		return false
	}
	l := bytes.ToLower(clip(s, 200))
	for _, w := range [...]string{"load-more", "loadmore", "load_more", "show-more", "showmore", "infinite-scroll", "infinite_scroll", "more-button", "btn-more"} {
		if bytes.Contains(l, []byte(w)) {
			return true
		}
	}
	return false
}

// saysMore tells short labels of buttons for more.
func saysMore(rest []byte) bool {
	rest = clip(rest, 80)
	if i := bytes.IndexByte(rest, '<'); i >= 0 {
		rest = rest[:i]
	}
	if len(rest) < 7 || len(rest) > 40 {
		return false
	}
	if !hintsMore(rest) {
		return false
	}
	l := bytes.ToLower(rest)
	for _, w := range moreLabels {
		if bytes.Contains(l, w) {
			return true
		}
	}
	return false
}

// hintsMore tells, in one look at each byte, labels that may be among moreLabels: most labels are not.
func hintsMore(label []byte) bool {
	for i := 0; i+4 <= len(label); i++ {
		switch label[i] | 0x20 {
		case 'm':
			if next := label[i+1] | 0x20; next == 'o' || next == 'e' || label[i+1] == "á"[0] {
				return true
			}
		case 'w', 'p', 'a':
			if w := label[i : i+4]; isName(w, "weit") || isName(w, "plus") || isName(w, "altr") {
				return true
			}
		}
	}
	return false
}

var moreLabels = [][]byte{
	[]byte("load more"), []byte("show more"), []byte("more results"), []byte("view more"), []byte("mehr laden"), []byte("mehr anzeigen"), []byte("weitere"),
	[]byte("charger plus"), []byte("voir plus"), []byte("cargar más"), []byte("ver más"), []byte("carica altri"), []byte("meer laden"),
}

// holds tells whether a short text has a word, whatever its case.
func holds(s []byte, word string) bool {
	first := word[0]
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 != first {
			continue
		}
		if strings.EqualFold(string(s[i:i+len(word)]), word) {
			return true
		}
	}
	return false
}

func isPlayer(class []byte) bool {
	if len(class) < 4 || !holds(class, "player") && !holds(class, "video-js") && !holds(class, "plyr") && !holds(class, "mejs") {
		return false
	}
	l := bytes.ToLower(clip(class, 200))
	for _, w := range [...]string{"video-js", "jwplayer", "video-player", "plyr", "mejs", "flowplayer", "media-player"} {
		if bytes.Contains(l, []byte(w)) {
			return true
		}
	}
	return false
}

// isPlayerFrame tells frames that show films or sounds.
func isPlayerFrame(src []byte) bool {
	for _, w := range [...]string{"youtube", "youtu.be", "vimeo", "dailymotion", "soundcloud", "player", "/embed/", "peertube", "twitch"} {
		if holds(src, w) {
			return true
		}
	}
	return false
}

func clip(b []byte, n int) []byte { return b[:min(len(b), n)] }
