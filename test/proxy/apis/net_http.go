// An API on Go's net/http with one resource that is sold. Nothing here knows of payments.
package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("/weather/", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"secret": "sunny"}`)
	})
	http.HandleFunc("/free", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"free": true}`)
	})
	http.ListenAndServe("127.0.0.1:"+os.Args[1], nil)
}
