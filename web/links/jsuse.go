package links

import "bytes"

// jsUse is what a value is used for.
type jsUse struct {
	kind   Kind   // a kind that only a URL can have, or kindNone
	module bool   // the name of a module: bare words are packages, not URLs
	asked  bool   // it stands under a key or name that asks for a URL
	name   []byte // the variable it is given to
	set    bool   // a srcset
	part   bool   // a URL, a space and a selector
	list   bool   // in the list of modules of an AMD loader
	mute   bool   // a module of a bundler, whatever it looks like
	apart  bool   // taken apart, if it is whole: that nobody asks for
}

// purpose looks at the tokens before a value.
func (s *jsScan) purpose() jsUse {
	switch s.back(1).kind {
	case '=':
		return s.assigned()
	case '(', ',', '[':
		return s.argument()
	case ':':
		if (s.back(2).kind == 'i' || s.back(2).kind == 's') && (s.back(3).kind == '{' || s.back(3).kind == ',') {
			return jsUse{asked: urlKey(bytes.Trim(s.text(s.back(2)), `"'`)) != kindNone}
		}
	case 'i':
		switch string(s.text(s.back(1))) {
		case "from", "import":
			if s.back(2).kind != '.' {
				return jsUse{kind: kindJSImport, module: true}
			}
		}
	}
	return jsUse{}
}

// assigned judges name = value and object.name = value.
func (s *jsScan) assigned() jsUse {
	if s.back(2).kind != 'i' {
		return jsUse{}
	}
	name := s.text(s.back(2))
	var object []byte
	if s.back(3).kind == '.' && s.back(4).kind == 'i' {
		object = s.text(s.back(4))
	}
	switch string(name) {
	case "location":
		return jsUse{kind: kindJSLocation}
	case "href":
		if string(object) == "location" {
			return jsUse{kind: kindJSLocation}
		}
		return s.property(kindJSHref)
	case "action", "formAction":
		return s.property(kindJSHref)
	case "src", "poster", "data", "currentSrc":
		return s.property(kindJSProperty)
	case "srcset":
		return jsUse{kind: kindJSProperty, set: true}
	}
	if s.back(3).kind == '.' && !global(object) {
		return jsUse{asked: urlKey(name) != kindNone}
	}
	return jsUse{name: name, asked: urlKey(name) != kindNone}
}

// property is a kind that holds only for a property, not for a variable of that name.
func (s *jsScan) property(k Kind) jsUse {
	if s.back(3).kind == '.' {
		return jsUse{kind: k}
	}
	return jsUse{name: s.text(s.back(2)), asked: true}
}

// global tells whether an object is the global one, whose properties are variables.
func global(object []byte) bool {
	switch string(object) {
	case "window", "self", "globalThis", "top", "parent":
		return true
	}
	return false
}

// argument judges by the function that is called.
func (s *jsScan) argument() jsUse {
	if s.depth == 0 || s.depth > maxFrames {
		return jsUse{}
	}
	f := &s.frames[s.depth-1]
	if f.kind == '[' && s.depth > 1 {
		return s.listed(&s.frames[s.depth-2])
	}
	if f.kind != '(' || f.callee.kind != 'i' {
		return jsUse{}
	}
	k, callee := kindNone, s.text(f.callee)
	switch f.arg {
	case 0:
		k = firstArgument(callee, s.text(f.object), f.isNew)
	case 1:
		if string(callee) == "setAttribute" && (string(f.first[:f.firstLen]) == "srcset" || string(f.first[:f.firstLen]) == "imagesrcset") {
			return jsUse{kind: kindJSProperty, set: true}
		}
		k = secondArgument(callee, f.first[:f.firstLen])
	case 2:
		switch string(callee) {
		case "pushState", "replaceState":
			k = kindJSHistory
		case "setAttributeNS":
			k = secondArgument([]byte("setAttribute"), f.first[:f.firstLen])
		}
	}
	switch string(callee) {
	case "importScripts":
		k = kindJSWorker
	case "require":
		return jsUse{mute: true}
	}
	return jsUse{kind: k, apart: string(callee) == "URL", module: k == kindJSDynamic || string(callee) == "resolve", part: k == kindJSFetch && string(callee) == "load"}
}

// listed judges a member of an array that is the first argument of call: the modules of an AMD define or require. The
// modules of a define with a name are in the same file.
func (s *jsScan) listed(call *jsFrame) jsUse {
	if call.kind == '(' && call.arg == 0 && call.object.kind == 0 {
		switch string(s.text(call.callee)) {
		case "define", "require", "requirejs":
			return jsUse{kind: kindJSLiteral, module: true, list: true}
		}
	}
	return jsUse{}
}

// firstArgument judges functions whose first argument is a URL.
func firstArgument(callee, object []byte, isNew bool) Kind {
	switch string(callee) {
	case "fetch", "getJSON", "getScript", "sendBeacon", "EventSource", "Request", "axios", "importScript", "loadJSON":
		return kindJSFetch
	case "get", "ajax", "load":
		if client(object) {
			return kindJSFetch
		}
	case "resolve":
		if string(object) == "meta" { // import.meta.resolve
			return kindJSProperty
		}
	case "Worker", "SharedWorker":
		if isNew {
			return kindJSWorker
		}
	case "addModule":
		return kindJSWorker
	case "register":
		if string(object) == "serviceWorker" {
			return kindJSWorker
		}
	case "import":
		return kindJSDynamic
	case "open":
		if len(object) == 0 || global(object) {
			return kindJSOpen
		}
	case "assign", "replace":
		if string(object) == "location" {
			return kindJSLocation
		}
		if string(object) == "router" || string(object) == "$router" {
			return kindJSHistory
		}
	case "push", "navigate", "navigateTo":
		if string(object) == "router" || string(object) == "$router" || string(callee) != "push" && (len(object) == 0 || string(object) == "navigation") {
			return kindJSHistory
		}
	case "Audio", "URL":
		if isNew {
			return kindJSProperty
		}
	}
	return kindNone
}

// client tells whether an object's get and load fetch something.
func client(object []byte) bool {
	switch string(object) {
	case "$", "jQuery", "axios", "http", "$http", "ky", "superagent", "request", "api":
		return true
	}
	return false
}

// secondArgument judges XMLHttpRequest.open and setAttribute by their first argument.
func secondArgument(callee, first []byte) Kind {
	switch string(callee) {
	case "open":
		for _, m := range []string{"get", "post", "head", "put", "patch", "delete"} {
			if equalFold(first, m) {
				return kindJSFetch
			}
		}
	case "setAttribute", "attr", "prop":
		switch string(first) {
		case "src", "poster", "data", "data-src":
			return kindJSProperty
		case "href", "action", "xlink:href":
			return kindJSHref
		}
	}
	return kindNone
}
