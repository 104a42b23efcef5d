// Package boilerplate finds the main text of a page: the article without navigation, advertisements,
// banners and footers.
package boilerplate
