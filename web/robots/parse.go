package robots

import (
	"bytes"
	"strings"
)

// Parse reads a robots.txt. It never fails: what cannot be understood becomes a finding, and the
// rest of the file counts as if the line were not there.
func Parse(body []byte) *File {
	p := parser{file: new(File)}
	body = bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
	if bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) {
		p.file.find(1, "", "the file is UTF-16, not UTF-8")
	}
	if len(body) > MaxBytes {
		body = wholeLines(body[:MaxBytes])
		p.file.Truncated = true
	}
	for len(body) > 0 {
		var line []byte
		line, body = cutLine(body)
		p.number++
		p.line(string(line))
	}
	p.closeGroup()
	if p.file.Truncated {
		p.file.find(p.number+1, "", "file longer than 500 KiB, the rest is ignored")
	}
	return p.file
}

// wholeLines drops the last line, which the size limit has cut: half of "Disallow: /private" is
// "Disallow: /", and that would be another rule.
func wholeLines(b []byte) []byte { return b[:bytes.LastIndexAny(b, "\r\n")+1] }

// cutLine gives the first line without its end, and what follows. CR, LF and CRLF all end a line.
func cutLine(b []byte) (line, rest []byte) {
	i := bytes.IndexAny(b, "\r\n")
	if i < 0 {
		return b, nil
	}
	if b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n' {
		return b[:i], b[i+2:]
	}
	return b[:i], b[i+1:]
}

// parser holds the group that is being read.
type parser struct {
	file   *File
	number int   // of the current line, from 1
	group  Group // open group; no agents = none open
	ruled  bool  // the open group has met a rule, so the next User-agent begins another
}

// line reads one line.
func (p *parser) line(text string) {
	content := text
	if i := strings.IndexByte(content, '#'); i >= 0 {
		content = content[:i]
	}
	content = strings.Trim(content, " \t\f\v")
	if content == "" {
		return
	}
	name, value, ok := p.split(content)
	if !ok {
		p.file.find(p.number, text, "not of the form name: value")
		return
	}
	p.record(name, value, content)
}

// split separates name and value. A missing colon is forgiven when exactly two words stand there and the
// first is a word of the standard, as site owners forget it and mean it.
func (p *parser) split(content string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(content, ":")
	if ok {
		return strings.ToLower(strings.TrimRight(name, " \t")), strings.Trim(value, " \t"), true
	}
	words := strings.Fields(content)
	if len(words) != 2 {
		return "", "", false
	}
	name = strings.ToLower(words[0])
	if _, known := spellings[name]; !known {
		return "", "", false
	}
	p.file.find(p.number, content, "colon missing, read as "+spellings[name])
	return name, words[1], true
}

// spellings maps the names that we take for a line of the standard to the right one. The misspelt
// ones are those that the large search engines accept too, so site owners do not notice them.
var spellings = map[string]string{
	"user-agent": "user-agent", "useragent": "user-agent", "user agent": "user-agent",
	"allow":    "allow",
	"disallow": "disallow", "dissallow": "disallow", "dissalow": "disallow",
	"disalow": "disallow", "diasllow": "disallow", "disallaw": "disallow",
	"sitemap": "sitemap", "site-map": "sitemap",
	"crawl-delay": "crawl-delay", "crawldelay": "crawl-delay",
	"request-rate": "request-rate", "visit-time": "visit-time", "clean-param": "clean-param",
}

// record acts on one name and value.
func (p *parser) record(name, value, content string) {
	right, known := spellings[name]
	if known && right != name {
		p.file.find(p.number, content, "misspelt, read as "+right)
	}
	switch right {
	case "user-agent":
		p.agent(value, content)
	case "allow", "disallow":
		p.rule(right == "allow", value, content)
	case "sitemap":
		if value == "" {
			p.file.find(p.number, content, "sitemap without address")
			return
		}
		p.file.Sitemaps = append(p.file.Sitemaps, value)
	case "crawl-delay", "request-rate", "visit-time":
		p.pace(right, value, content)
	case "clean-param":
		p.cleanParam(value, content)
	default:
		p.file.Other = append(p.file.Other, Line{Name: name, Value: value, Line: p.number})
	}
}
