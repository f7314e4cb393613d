package main

import (
	"encoding/json"
	"net/http"
	"os"
)

func main() {
	http.HandleFunc("GET /weather/{city}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"city": r.PathValue("city"), "tempC": 19})
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}
