package fetch_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"varve/crawl/fetch"
)

func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		_, _ = io.WriteString(w, "hello")
	}))
	defer server.Close()

	client, err := fetch.New(fetch.Config{UserAgent: "example (+https://archive.example.org/bot)"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()

	x, err := client.Fetch(context.Background(), &fetch.Request{URL: server.URL + "/page", AllowLoopback: true})
	defer x.Release()
	if err != nil {
		fmt.Println(fetch.ClassOf(err), x.Truncated)
	}
	payload, _ := x.PayloadBytes()
	fmt.Printf("%d %s %q\n", x.Head.Status, x.Head.MediaType(), payload)
	fmt.Printf("%x\n", x.Digests.PayloadSHA1)
	// Output:
	// 200 text/plain "hello"
	// aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d
}
