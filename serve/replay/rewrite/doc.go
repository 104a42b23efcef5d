// Package rewrite changes archived documents so that everything they ask for is asked of the archive.
//
// A reference is replaced by the address of the same thing in the archive, at the time of the document and with a
// modifier that says what it is used as ("/news/20261108030211js_/http://a.example/x.js"). All other bytes stay as
// they are: no tree is built and nothing is put in order, so broken markup breaks in the browser as it did then.
//
//	HTML    the tokens of a markup.Stream; start tags are edited attribute by attribute; script, style, srcdoc,
//	        event handlers and meta refresh by the rewriter of their own language; the client shim goes first in head
//	CSS     url(), @import, image-set(); selectors by what an attribute with an address holds
//	JS      a lexer with a stack of brackets edits these things and nothing else:
//	          location, x.location, top, window.top  ->  varve$location, varve$top (accessors that the shim defines)
//	          eval(c), import(u)                     ->  eval(varve$code(c)), import(varve$import(u))
//	          window[k], document[k], this[k]        ->  window[varve$key((k))] and so on, for location and top by another way
//	          {location} = window, ({location}) =>   ->  {varve$location:varve$location}, where braces take an object apart
//	          import.meta                            ->  varve$meta(import.meta), with the address of then
//	          w.postMessage(m)                       ->  w.varve$post(varve$self, m), so that the receiver sees who sent it
//	          import "/x", export .. from "/x"       ->  addresses in the archive
//	        keys of objects, members of classes, labels and parts of strings are left alone
//	HLS     addresses in play lists
//	JSON    is left alone, except import maps
//
// What the page wrote in an attribute stays beside it (Kept), what it wrote in a style in the fragment of the address (Mark): scripts are told
// that by the shim, and selectors go by it.
//
// What the rewriters miss (a URL put together at run time) is caught by the shim, and what the shim misses is stopped
// by the Content-Security-Policy; so a miss costs a picture, never a leak.
//
// Cost: linear in the bytes. HTML holds one tag (up to markup.MaxToken) or one script or style element (up to MaxElement) in
// memory, so it streams; the others work on whole documents that the caller bounds.
package rewrite
