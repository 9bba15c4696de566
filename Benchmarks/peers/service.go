// SPDX-License-Identifier: Apache-2.0

// A Go service that only inserts, with net/http, SQLite and group commit. It also has a static GET, and idle streams.
//
//	go run service.go ADDRESS FILE
package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

type event struct {
	Source  string `json:"source"`
	ID      string `json:"id"`
	Subject string `json:"subject"`
	body    []byte
	done    chan error
}

func write(db *sql.DB, queue chan *event) {
	insert, err := db.Prepare("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?)")
	if err != nil {
		panic(err)
	}
	for first := range queue {
		batch := []*event{first}
	more:
		for len(batch) < 1024 {
			select {
			case next := <-queue:
				batch = append(batch, next)
			default:
				break more
			}
		}
		transaction, err := db.Begin()
		if err == nil {
			statement := transaction.Stmt(insert)
			for _, e := range batch {
				if _, err = statement.Exec(e.Subject, e.Source, e.ID, e.body); err != nil {
					break
				}
			}
			if err == nil {
				err = transaction.Commit()
			} else {
				transaction.Rollback()
			}
		}
		for _, e := range batch {
			e.done <- err
		}
	}
}

func main() {
	db, err := sql.Open("sqlite3", "file:"+os.Args[2]+"?_journal_mode=WAL&_synchronous=FULL")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(1)
	if _, err = db.Exec("CREATE TABLE events(subject TEXT, source TEXT, id TEXT, body BLOB, PRIMARY KEY(subject, source, id)) WITHOUT ROWID"); err != nil {
		panic(err)
	}
	queue := make(chan *event, 4096)
	go write(db, queue)
	http.HandleFunc("/v1/events", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 16<<20))
		e := &event{body: body, done: make(chan error, 1)}
		if err != nil || json.Unmarshal(body, e) != nil || e.ID == "" {
			http.Error(w, "no event", 400)
			return
		}
		queue <- e
		if err := <-e.done; err != nil {
			http.Error(w, err.Error(), 503)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"read":1,"stored":1}`)
	})
	http.HandleFunc("/static", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "ok") })
	http.HandleFunc("/stream", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "event: progress\ndata: null\n\n")
		w.(http.Flusher).Flush()
		tick := time.NewTicker(15 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-r.Context().Done():
				return
			case <-tick.C:
				fmt.Fprint(w, ": heartbeat\n\n")
				w.(http.Flusher).Flush()
			}
		}
	})
	panic(http.ListenAndServe(os.Args[1], nil))
}
