// Works only while it leads, beside `hustings serve billing`. Needs the standard library alone: go run worker.go
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Campaign is the answer of the sidecar to POST /campaign, /progress and /release.
type Campaign struct {
	ID               string `json:"campaign"`
	State            string `json:"state"` // waiting, leading, stopping or ended
	Token            string `json:"token"` // decimal text: it may exceed the integers of JSON readers
	Fence            string `json:"fence"`
	RemainingMs      int64  `json:"remainingMs"`
	DeadlineMs       int64  `json:"deadlineMs"`
	ProgressWithinMs int64  `json:"progressWithinMs"`
	Reason           string `json:"reason"`
}

var (
	sidecar  = env("SIDECAR", "http://127.0.0.1:4748")
	resource = os.Getenv("RESOURCE") // a URL that checks the fence
	client   = &http.Client{Timeout: 5 * time.Second}
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	for ctx.Err() == nil {
		if err := lead(ctx); err != nil {
			log.Print("the sidecar cannot be used: ", err)
			sleep(ctx, time.Second)
		}
	}
}

// lead takes part in the election for one term.
func lead(ctx context.Context) error {
	campaign, err := post("/campaign", map[string]any{})
	if err != nil {
		return err
	}
	request := map[string]any{"campaign": campaign.ID}
	// The work has stopped when this function returns: another candidate may lead at once.
	defer post("/release", request)
	pause := time.Duration(campaign.ProgressWithinMs) * time.Millisecond / 5
	for ctx.Err() == nil {
		// Counted from before the request: the answer may have been under way for a while.
		asked := time.Now()
		campaign, err = post("/progress", request)
		if err != nil || campaign.State == "stopping" {
			return err
		}
		if campaign.State == "leading" {
			deadline := asked.Add(time.Duration(campaign.RemainingMs) * time.Millisecond)
			// Both clocks: the monotonic one stands still while the machine sleeps.
			if time.Now().Before(deadline) && time.Now().UnixMilli() < campaign.DeadlineMs {
				work(campaign)
			}
		}
		sleep(ctx, pause)
	}
	return nil
}

// work is one step, much shorter than the time that remains.
func work(campaign Campaign) {
	if resource == "" {
		fmt.Println("working under token", campaign.Token)
		return
	}
	request, err := http.NewRequest("POST", resource, nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Hustings-Fence", campaign.Fence)
	response, err := client.Do(request)
	if err != nil {
		log.Print(err)
		return
	}
	response.Body.Close()
	fmt.Println("the resource answered", response.StatusCode, "under token", campaign.Token)
}

func post(path string, body any) (Campaign, error) {
	var campaign Campaign
	content, err := json.Marshal(body)
	if err != nil {
		return campaign, err
	}
	request, err := http.NewRequest("POST", sidecar+path, bytes.NewReader(content))
	if err != nil {
		return campaign, err
	}
	request.Header.Set("X-Hustings-Token", os.Getenv("HUSTINGS_SERVE_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return campaign, err
	}
	defer response.Body.Close()
	err = json.NewDecoder(response.Body).Decode(&campaign)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s: status %d %s", path, response.StatusCode, campaign.Reason)
	}
	return campaign, err
}

func sleep(ctx context.Context, pause time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

func env(name, usual string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return usual
}
