package cdxj_test

import (
	"bytes"
	"fmt"
	"io"

	"varve/archive/cdxj"
)

func ExampleParse() {
	r, err := cdxj.Parse(`com,example)/ 20260102030405 {"url": "http://example.com/", "status": "200", "offset": 784, "collection": "news"}`)
	if err != nil {
		fmt.Println(err)
		return
	}
	collection, _ := r.Get("collection")
	fmt.Println(r.URL, r.Status, r.Offset, r.Length, collection)
	fmt.Println(string(cdxj.Format{}.Append(nil, &r)))
	// Output:
	// http://example.com/ 200 784 -1 news
	// com,example)/ 20260102030405 {"url": "http://example.com/", "status": "200", "offset": "784", "collection": "news"}
}

func ExampleZipNum_Range() {
	var data, idx bytes.Buffer
	w := cdxj.NewZipWriter(&data, &idx, cdxj.ZipOptions{Name: "index.cdx.gz", WACZ: true})
	for _, line := range []string{"com,a)/ 20260102030405 {}", "com,b)/ 20260102030405 {}", "com,c)/ 20260102030405 {}"} {
		if err := w.WriteLine([]byte(line)); err != nil {
			fmt.Println(err)
		}
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	z, err := cdxj.OpenZipNum(bytes.NewReader(idx.Bytes()), int64(idx.Len()), func(string) (io.ReaderAt, error) {
		return bytes.NewReader(data.Bytes()), nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for line, err := range z.Range("com,b)/", "com,c") {
		fmt.Println(string(line), err)
	}
	// Output:
	// com,b)/ 20260102030405 {} <nil>
}
