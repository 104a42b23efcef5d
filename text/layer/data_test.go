package layer

import (
	"bytes"
	"testing"
)

func TestData(t *testing.T) {
	for _, c := range []struct {
		read func([]byte) []byte
		a, b string
		same bool
	}{
		{JSON, `{"a": 1, "b": [true, "x y"]}`, "{\n\t\"a\":1,\"b\":[true,\"x y\"]}", true},
		{JSON, `{"a":"x y"}`, `{"a":"xy"}`, false},
		{JSON, `{"a":12}`, `{"a":13}`, false},
		{JSON, `{"nonce":"a1b2","n":1}`, `{"nonce":"c3d4","n":1}`, true},
		{JSON, `{"nonce":"a1b2","n":1}`, `{"nonce":"c3d4","n":2}`, false},
		{JSON, `{"timestamp": 1763184000, "n":1}`, `{"timestamp": 17.5e3, "n":1}`, true},
		{JSON, `{"sessionid": {"name": "a"}}`, `{"sessionid": {"name": "b"}}`, false},
		{JSON, `{"a":"\"nonce\":"}`, `{"a":"\"nonce\";"}`, false},
		{JSON, `{"a":"cut`, `{"a":"cu`, false},
		{XML, "<feed>\n <e>a  b</e></feed>", "<feed><e>a b</e></feed>", true},
		{XML, "<feed><!-- made at 12:00 --><e>a</e></feed>", "<feed><!-- made at 12:01 --><e>a</e></feed>", true},
		{XML, "<e a='1'/>", "<e a='2'/>", false},
		{XML, "<e><![CDATA[<!-- x -->]]></e>", "<e><![CDATA[<!-- y -->]]></e>", false},
		{XML, "<e>a</e><!-- open", "<e>a</e>", true},
		{XML, "<e>a</e", "<e>b</e", false},
	} {
		if a, b := c.read([]byte(c.a)), c.read([]byte(c.b)); bytes.Equal(a, b) != c.same {
			t.Errorf("%s and %s: what they say is %q and %q", c.a, c.b, a, b)
		}
	}
}

func FuzzData(f *testing.F) {
	f.Add([]byte(`{"a":"\`))
	f.Add([]byte("<!--"))
	f.Fuzz(func(_ *testing.T, body []byte) {
		JSON(body)
		XML(body)
	})
}
