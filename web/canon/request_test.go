package canon

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// requestCases hold the outputs of cdxj-indexer 1.5.0 for the same requests.
var requestCases = []struct{ method, url, contentType, body, key, query string }{
	{"GET", "http://example.com/?b&a", "", "ignored", "com,example)/?a&b", ""},
	{"", "http://example.com/", "", "", "com,example)/", ""},
	{"POST", "http://example.com/", "application/x-www-form-urlencoded", "foo=bar&dir=%2Fbaz", "com,example)/?__wb_method=post&dir=/baz&foo=bar", "foo=bar&dir=/baz"},
	{"POST", "http://example.com/?123=ABC", "application/x-www-form-urlencoded", "foo=bar", "com,example)/?123=abc&__wb_method=post&foo=bar", "foo=bar"},
	{"POST", "http://example.com/", "application/x-www-form-urlencoded", "foo=bar&dir=%2", "com,example)/?__wb_method=post&dir=%252&foo=bar", "foo=bar&dir=%2"},
	{"POST", "http://example.com/", "application/x-www-form-urlencoded", "a+b=c%20d&x=%ff%e2%82y", "com,example)/?__wb_method=post&a%20b=c%20d&x=%ef%bf%bd%ef%bf%bdy", "a b=c d&x=\ufffd\ufffdy"},
	{"POST", "http://example.com/", "application/x-www-form-urlencoded", "\x816l`L\xa04P\x0e\xe0r\x02\xb5\x89\x19\x00fP\xdb\x0e\xb0\x02,", "com,example)/?__wb_method=post&__wb_post_data=gtzsyeygnfao4hictykzagzq2w6waiw=", "__wb_post_data=gTZsYEygNFAO4HICtYkZAGZQ2w6wAiw="},
	{"PUT", "http://example.com/", "application/x-www-form-urlencoded", "foo=bar", "com,example)/?__wb_method=put&foo=bar", "foo=bar"},
	{"HEAD", "http://example.com/", "", "", "com,example)/?__wb_method=head", ""},
	{"OPTIONS", "http://example.com/", "", "", "com,example)/?__wb_method=options", ""},
	{"PATCH", "http://example.com/", "text/plain", "x", "com,example)/?__wb_method=patch", ""},
	{"POST", "http://example.com/", "application/json", `{"a": "b", "c": {"a": 2}, "d": "e"}`, "com,example)/?__wb_method=post&a=b&a.2_=2&d=e", "a=b&a.2_=2&d=e"},
	{"POST", "http://example.com/", "application/json", `[{"a": "b", "c": {"a": 2}}, {"d": "e"}, "ignored", false, null, 0]`, "com,example)/?__wb_method=post&a=b&a.2_=2&d=e", "a=b&a.2_=2&d=e"},
	{"POST", "http://example.com/", "application/json", "{\"a\": \"b\"}\n{\"c\": {\"a\": 2}, \"d\": \"e\"}", "com,example)/?__wb_method=post&a=b&a.2_=2&d=e", "a=b&a.2_=2&d=e"},
	{"POST", "http://example.com/", "application/json", `{"t":true,"f":false,"n":null,"x":1e5,"y":0.00001,"z":[1,2,[3]],"i":100000000000000000000}`, "com,example)/?__wb_method=post&f=false&i=100000000000000000000&n=none&t=true&x=100000.0&y=1e-05&z=1&z.2_=2&z.3_=3", "t=True&f=False&n=None&x=100000.0&y=1e-05&z=1&z.2_=2&z.3_=3&i=100000000000000000000"},
	{"POST", "http://example.com/", "application/json", `{"a":1,"b":2,"a":3}`, "com,example)/?__wb_method=post&a=3&b=2", "a=3&b=2"},
	{"POST", "http://example.com/", "application/json", `{"a":`, "com,example)/?__wb_method=post", ""},
	{"POST", "http://example.com/", "application/json", `{"a":1} x`, "com,example)/?__wb_method=post", ""},
	{"POST", "http://example.com/", "application/json", "{\"a\":1}\n", "com,example)/?__wb_method=post&a=1", "a=1"},
	{"POST", "http://example.com/", "application/json", "{\"a\":1}\n{\"b\":2}\n", "com,example)/?__wb_method=post", ""},
	{"POST", "http://example.com/", "text/plain;charset=UTF-8", `{"a b":"é&"}`, "com,example)/?&__wb_method=post&a+b=%c3%a9", "a+b=%C3%A9%26"},
	{"POST", "http://example.com/p?id=1", "text/plain", "foo=bar&dir=%2Fbaz", "com,example)/p?__wb_method=post&__wb_post_data=zm9vpwjhcizkaxi9jtjgymf6&id=1", "__wb_post_data=Zm9vPWJhciZkaXI9JTJGYmF6"},
	{"POST", "http://example.com/", "application/octet-stream", "foo=bar&dir=%2Fbaz", "com,example)/?__wb_method=post&__wb_post_data=zm9vpwjhcizkaxi9jtjgymf6", "__wb_post_data=Zm9vPWJhciZkaXI9JTJGYmF6"},
	{"POST", "http://example.com/", "", "", "com,example)/?__wb_method=post&__wb_post_data=", "__wb_post_data="},
	{"POST", "http://example.com/", "multipart/form-data", "foo", "com,example)/?__wb_method=post&__wb_post_data=zm9v", "__wb_post_data=Zm9v"},
	{
		"POST", "http://example.com/", "multipart/form-data; boundary=XX",
		"--XX\r\nContent-Disposition: form-data;name=\"ts\"\r\n\r\n17 61\r\n--XX\r\nContent-Disposition: form-data; name=\"p\"; filename=\"blob\"\r\nContent-Type: application/octet-stream\r\n\r\n\x9c\r\n--XX--\r\n",
		"com,example)/?__wb_method=post&p=%9c&ts=17+61", "ts=17+61&p=%9C",
	},
}

func TestRequestKey(t *testing.T) {
	for _, c := range requestCases {
		key, query := RequestKey(c.method, c.url, c.contentType, []byte(c.body))
		if key != c.key || query != c.query {
			t.Errorf("%s %s %q %q:\n got %q %q\nwant %q %q", c.method, c.url, c.contentType, c.body, key, query, c.key, c.query)
		}
	}
}

func TestRequestKeyLimits(t *testing.T) {
	for _, c := range []struct{ contentType, body string }{
		{"application/x-www-form-urlencoded", "a=" + strings.Repeat("é", 5000)},
		{"application/json", `{"a":"` + strings.Repeat("x", 5000) + `"}`},
		{"image/png", strings.Repeat("x", 2<<20)},
		{"multipart/form-data; boundary=X", "--X\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n" + strings.Repeat("x", 2<<20)},
	} {
		_, q := RequestKey("POST", "http://example.com/", c.contentType, []byte(c.body))
		if n := utf8.RuneCountInString(q); n != maxRequestQuery {
			t.Errorf("%s: %d characters, want %d", c.contentType, n, maxRequestQuery)
		}
	}
	deep := strings.Repeat("[", 100000) + strings.Repeat("]", 100000)
	if _, q := RequestKey("POST", "http://example.com/", "application/json", []byte(deep)); q != "" {
		t.Errorf("deep nesting gives %q", q)
	}
	key, _ := RequestKey("POST", "http://example.com/a#frag", "", []byte("x"))
	if key != "com,example)/a?__wb_method=post&__wb_post_data=ea==" {
		t.Errorf("fragment: %q", key)
	}
}

func TestPythonNumber(t *testing.T) {
	for _, c := range [][2]string{
		{"1.0", "1.0"},
		{"1e5", "100000.0"},
		{"1e16", "1e+16"},
		{"1e15", "1000000000000000.0"},
		{"123456789012345678.0", "1.2345678901234568e+17"},
		{"0.0001", "0.0001"},
		{"0.00001", "1e-05"},
		{"1.5e-7", "1.5e-07"},
		{"-0.0", "-0.0"},
		{"1e400", "inf"},
		{"-1e400", "-inf"},
		{"1E2", "100.0"},
		{"-0", "0"},
		{"2.5e300", "2.5e+300"},
		{"1e-400", "0.0"},
	} {
		if got := pythonNumber(c[0]); got != c[1] {
			t.Errorf("pythonNumber(%s) = %s, want %s", c[0], got, c[1])
		}
	}
}

func FuzzRequestKey(f *testing.F) {
	for _, c := range requestCases {
		f.Add(c.method, c.url, c.contentType, []byte(c.body))
	}
	f.Fuzz(func(t *testing.T, method, url, contentType string, body []byte) {
		key, query := RequestKey(method, url, contentType, body)
		if key == "" || strings.ContainsAny(key, " \t\r\n") {
			t.Fatalf("key %q is not one word", key)
		}
		if utf8.RuneCountInString(query) > maxRequestQuery {
			t.Fatalf("%d characters", utf8.RuneCountInString(query))
		}
	})
}
