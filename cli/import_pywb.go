package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"varve"
	"varve/archive/cdxj"
	"varve/serve/access"
)

// A collection of pywb says who may see what in acl/*.aclj and in the config.yaml above it. What it withholds must not be open
// here, so these are read with its files and become rules of ours; what they cannot say stops the import.

// pywbRules are the rules of the pywb folders among paths.
type pywbRules struct {
	rules []access.Rule
	told  []string // what is not quite as it was
	read  map[string]bool
}

// pywbConfig is what counts of a config.yaml.
type pywbConfig struct {
	ACL     any            `yaml:"acl_paths"`
	Default string         `yaml:"default_access"`
	Embargo map[string]any `yaml:"embargo"`
}

// readPywb reads the rules of pywb that are about what is imported.
func readPywb(paths []string, collection string) (*pywbRules, error) {
	p := &pywbRules{read: map[string]bool{}}
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if err := p.under(abs); err != nil {
			return nil, err
		}
		for dir, up := abs, 0; up < 5; dir, up = filepath.Dir(dir), up+1 {
			if err := p.config(filepath.Join(dir, "config.yaml"), abs); err != nil {
				return nil, err
			}
			if files, err := filepath.Glob(filepath.Join(dir, "acl", "*.aclj")); err == nil && up > 0 && up < 3 {
				for _, f := range files {
					if err := p.file(f); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	for i := range p.rules {
		p.rules[i].Collection = collection
	}
	p.settle()
	return p, nil
}

// under reads the rule files in a folder.
func (p *pywbRules) under(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // told when the files are imported
		}
		if strings.HasSuffix(path, ".aclj") {
			return p.file(path)
		}
		if d.Name() == "config.yaml" {
			return p.config(path, dir)
		}
		return nil
	})
}

// config reads the settings of the collections that the imported path holds or lies in.
func (p *pywbRules) config(path, imported string) error {
	if info, err := os.Stat(filepath.Join(filepath.Dir(path), "collections")); err != nil || !info.IsDir() || p.read[path] {
		return nil //nolint:nilerr // not the folder of a pywb
	}
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	p.read[path] = true
	var c struct {
		pywbConfig  `yaml:",inline"`
		Collections map[string]yaml.Node `yaml:"collections"`
	}
	if err == nil {
		err = yaml.Unmarshal(b, &c)
	}
	if err != nil {
		return pywbError(path, err.Error())
	}
	root := filepath.Dir(path)
	if err := p.apply(path, root, c.pywbConfig); err != nil {
		return err
	}
	only := ""
	if rel, err := filepath.Rel(filepath.Join(root, "collections"), imported); err == nil && filepath.IsLocal(rel) && rel != "." {
		only, _, _ = strings.Cut(filepath.ToSlash(rel), "/")
	}
	for name, node := range c.Collections {
		if only != "" && name != only || node.Kind != yaml.MappingNode {
			continue
		}
		var one pywbConfig
		if err := node.Decode(&one); err != nil {
			return pywbError(path, fmt.Sprintf("collection %s: %v", name, err))
		}
		if err := p.apply(path, root, one); err != nil {
			return err
		}
	}
	return nil
}

// apply takes the settings of one collection.
func (p *pywbRules) apply(path, root string, c pywbConfig) error {
	switch c.Default {
	case "", "allow", "allow_ignore_embargo":
	case "block", "exclude":
		p.add(access.Rule{Level: access.Blocked, Reason: "pywb: default_access " + c.Default + " in " + path})
	default:
		return pywbError(path, fmt.Sprintf("default_access %q is not known", c.Default))
	}
	var list []string
	switch v := c.ACL.(type) {
	case nil:
	case string:
		list = append(list, v)
	case []any:
		for _, x := range v {
			s, ok := x.(string)
			if !ok {
				return pywbError(path, "acl_paths is no list of paths")
			}
			list = append(list, s)
		}
	default:
		return pywbError(path, "acl_paths is no list of paths")
	}
	for _, at := range list {
		if strings.Contains(at, "://") {
			return pywbError(path, "acl_paths "+at+" is not on this disk")
		}
		if !filepath.IsAbs(at) {
			at = filepath.Join(root, at)
		}
		info, err := os.Stat(at)
		if err != nil {
			return pywbError(path, "acl_paths: "+err.Error())
		}
		if !info.IsDir() {
			if err := p.file(at); err != nil {
				return err
			}
		} else if err := p.under(at); err != nil {
			return err
		}
	}
	return p.embargo(path, c.Embargo)
}

// embargo takes what withholds captures by their time.
func (p *pywbRules) embargo(path string, e map[string]any) error {
	for name, value := range e {
		r := access.Rule{Level: access.Curators, Reason: fmt.Sprintf("pywb: embargo %s in %s", name, path)}
		switch name {
		case "access": // block or exclude: how it is said to visitors
			continue
		case "before", "after":
			digits := fmt.Sprint(value)
			ts, err := cdxj.EarliestTimestamp(digits)
			if err != nil {
				return pywbError(path, fmt.Sprintf("embargo %s: %v", name, err))
			}
			at, err := cdxj.ParseTimestamp(ts)
			if err != nil {
				return pywbError(path, fmt.Sprintf("embargo %s: %v", name, err))
			}
			if name == "before" {
				r.To = at
			} else {
				r.From = at
			}
		case "newer":
			days, err := pywbDays(value)
			if err != nil {
				return pywbError(path, "embargo newer: "+err.Error())
			}
			r.Level, r.Embargo = "", days
		default:
			return pywbError(path, fmt.Sprintf("embargo %q: there is no such rule here (before, after and newer are)", name))
		}
		p.add(r)
	}
	return nil
}

// pywbDays gives a span of time in days, rounded up: nothing may be open a day early.
func pywbDays(v any) (int, error) {
	m, ok := v.(map[string]any)
	if !ok || len(m) == 0 {
		return 0, fmt.Errorf("%v is no span of time", v)
	}
	days := 0
	for unit, n := range m {
		count, ok := n.(int)
		per, known := map[string]int{"years": 366, "months": 31, "weeks": 7, "days": 1}[unit]
		switch {
		case ok && known:
			days += per * count
		case ok && (unit == "hours" || unit == "minutes" || unit == "seconds"):
			days += count/map[string]int{"hours": 24, "minutes": 1440, "seconds": 86400}[unit] + 1
		default:
			return 0, fmt.Errorf("%s: %v is no span of time", unit, n)
		}
	}
	return days, nil
}

// file reads a list of rules: "key - {"access": ...}" a line.
func (p *pywbRules) file(path string) error {
	if p.read[path] {
		return nil
	}
	p.read[path] = true
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if line := strings.TrimSpace(lines.Text()); line != "" && line[0] != '#' {
			if err := p.line(line); err != nil {
				return pywbError(fmt.Sprintf("%s:%d", path, n), err.Error())
			}
		}
	}
	return lines.Err()
}

func (p *pywbRules) line(line string) error {
	key, rest, ok := strings.Cut(line, " ")
	when, text, ok2 := strings.Cut(rest, " ")
	var what struct {
		Access, User                string
		Before, After, Older, Newer any
	}
	if !ok || !ok2 || when != "-" || json.Unmarshal([]byte(text), &what) != nil {
		return fmt.Errorf("%.200q is no rule of pywb", line)
	}
	exact := strings.HasSuffix(key, "###")
	dated := what.Before != nil || what.After != nil || what.Older != nil || what.Newer != nil
	prefix, err := pywbPrefix(strings.TrimSuffix(key, "###"))
	if err != nil {
		return err
	}
	r := access.Rule{Prefix: prefix, Reason: "pywb: " + what.Access + " " + prefix}
	switch what.Access {
	case "block", "exclude":
		r.Level = access.Blocked
		if exact {
			p.told = append(p.told, prefix+": only this address was blocked, here all that begin so")
		}
		if dated {
			p.told = append(p.told, prefix+": was blocked at some times, here at all")
		}
		if what.User != "" {
			p.told = append(p.told, fmt.Sprintf("%s: was blocked for %s, here for everybody", prefix, what.User))
		}
	case "allow", "allow_ignore_embargo":
		r.Level = access.Open
	default:
		return fmt.Errorf("access %q is not known", what.Access)
	}
	p.add(r)
	return nil
}

// pywbPrefix gives the prefix of addresses of a key: com,example, a domain, com,example)/a addresses that begin so.
func pywbPrefix(key string) (string, error) {
	host, path, isURL := strings.Cut(key, ")")
	names := strings.Split(strings.TrimSuffix(host, ","), ",")
	if len(names) == 0 || names[0] == "" || strings.ContainsAny(host, "/ ") {
		return "", fmt.Errorf("%.200q is no key of addresses", key)
	}
	slices.Reverse(names)
	if name := strings.Join(names, "."); !isURL {
		return name, nil
	} else if path == "" {
		return "http://" + name + "/", nil
	} else {
		return "http://" + name + path, nil
	}
}

func (p *pywbRules) add(r access.Rule) { p.rules = append(p.rules, r) }

// settle takes the exceptions out: a rule that opens would open against every other rule of the archive, which a person has to
// decide. A takedown wins over every exception, so where there are some, what is withheld is for curators instead.
func (p *pywbRules) settle() {
	isOpen := func(r access.Rule) bool { return r.Level == access.Open }
	withheld := slices.ContainsFunc(p.rules, func(r access.Rule) bool { return !isOpen(r) })
	exceptions := false
	for _, r := range p.rules {
		if withheld && isOpen(r) {
			exceptions = true
			p.told = append(p.told, fmt.Sprintf("%s was an exception, and is withheld if another rule withholds it: 'varve access add %s --collection %s --level open --reason ...' opens it", r.Prefix, r.Prefix, r.Collection))
		}
	}
	p.rules = slices.DeleteFunc(p.rules, isOpen)
	for i := range p.rules {
		if exceptions && p.rules[i].Level == access.Blocked {
			p.rules[i].Level = access.Curators
		}
	}
}

// enforce adds the rules that are not in force yet.
func (p *pywbRules) enforce(archive string) (added int, err error) {
	if len(p.rules) == 0 {
		return 0, nil
	}
	place := accessPlace{archive: archive}
	there, err := place.rules().Rules()
	if err != nil {
		return 0, err
	}
	for _, r := range p.rules {
		same := func(o access.Rule) bool {
			return o.Collection == r.Collection && o.Prefix == r.Prefix && o.Level == r.Level && o.Embargo == r.Embargo && o.From.Equal(r.From) && o.To.Equal(r.To)
		}
		if slices.ContainsFunc(there, same) {
			continue
		}
		got, err := place.rules().Add(r, place.by(), access.Admin, time.Now())
		if err != nil {
			return added, err
		}
		there = append(there, got)
		added++
	}
	return added, nil
}

func pywbError(where, msg string) error {
	return &varve.Error{
		Kind: varve.Invalid, Op: "read the access rules of pywb, " + where, Msg: msg,
		Hint: "nothing was imported. --no-access imports without them: then add what must be withheld with 'varve access add'",
	}
}
