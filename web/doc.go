// Package web groups what reads the web's own formats, pure and without I/O. In reading order: canon (URLs and their
// keys), wire (HTTP messages as bytes), robots (what a site says about being crawled), markup (HTML and XML as tokens),
// script (JavaScript as tokens), style (CSS as tokens), playlist (play lists of films and sounds), links (where a document
// leads and what it is made of), ca (certificates of proxies of ours).
package web
