package links

import "bytes"

// urlWords are the words that, as the last word of a key, ask for a URL; the kind says of what sort.
var urlWords = map[string]Kind{
	"url": kindJSONURL, "uri": kindJSONURL, "href": kindJSONURL, "link": kindJSONURL, "links": kindJSONURL, "permalink": kindJSONURL, "next": kindJSONURL,
	"prev": kindJSONURL, "previous": kindJSONURL, "first": kindJSONURL, "last": kindJSONURL, "self": kindJSONURL, "canonical": kindJSONURL,
	"redirect": kindJSONURL, "path": kindJSONURL, "pathname": kindJSONURL, "route": kindJSONURL, "endpoint": kindJSONURL, "page": kindJSONURL,
	"homepage": kindJSONURL, "website": kindJSONURL, "location": kindJSONURL, "loc": kindJSONURL, "target": kindJSONURL, "source": kindJSONURL,
	"download": kindJSONURL, "feed": kindJSONURL, "urls": kindJSONURL, "slug": kindNone, "src": kindJSONEmbed, "srcset": kindJSONEmbed,
	"image": kindJSONEmbed, "images": kindJSONEmbed, "img": kindJSONEmbed, "thumbnail": kindJSONEmbed, "thumb": kindJSONEmbed, "poster": kindJSONEmbed,
	"icon": kindJSONEmbed, "logo": kindJSONEmbed, "avatar": kindJSONEmbed, "picture": kindJSONEmbed, "photo": kindJSONEmbed, "file": kindJSONEmbed,
	"video": kindJSONEmbed, "audio": kindJSONEmbed, "media": kindJSONEmbed, "background": kindJSONEmbed, "script": kindJSONEmbed, "stylesheet": kindJSONEmbed,
	"banner": kindJSONEmbed, "cover": kindJSONEmbed, "sources": kindJSONURL,
}

// urlKey judges a key by its last word: thumbnailUrl, image_url and image-url are all a url; "thumbnail" before it makes
// it an embed.
func urlKey(key []byte) Kind {
	var low [32]byte
	if len(key) == 0 || len(key) > 64 {
		return kindNone
	}
	last, rest := lastWord(key)
	if len(last) > len(low) {
		return kindNone
	}
	for i, c := range last {
		low[i] = lowerByte(c)
	}
	k := urlWords[string(low[:len(last)])]
	if k == kindJSONURL && len(rest) > 0 {
		if urlKey(rest) == kindJSONEmbed {
			return kindJSONEmbed
		}
	}
	return k
}

// lastWord splits a key before its last word: camelCase, snake_case, kebab-case, colons and dots.
func lastWord(key []byte) (last, rest []byte) {
	for i := len(key) - 1; i > 0; i-- {
		switch c := key[i]; {
		case c == '_' || c == '-' || c == '.' || c == ':' || c == '@':
			return key[i+1:], key[:i]
		case c >= 'A' && c <= 'Z' && key[i-1] >= 'a' && key[i-1] <= 'z':
			return key[i:], key[:i]
		}
	}
	return bytes.TrimLeft(key, "@"), nil
}
