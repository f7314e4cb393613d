package main

import (
	"encoding/json"
	"net/http"
	"os"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

func main() {
	router := chi.NewRouter()
	router.Use(middleware.CleanPath, middleware.StripSlashes)
	router.Get("/weather/{city}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"city": chi.URLParam(r, "city"), "tempC": 19})
	})
	panic(http.ListenAndServe("127.0.0.1:"+os.Args[1], router))
}
