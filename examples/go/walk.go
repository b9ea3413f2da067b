// Queues a job, watches it, and gets its puzzles. Prints the same lines as the other examples.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	api "github.com/puzzled/puzzled/gen/puzzled/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

func main() {
	address, ctx := "127.0.0.1:50051", context.Background()
	if named := os.Getenv("PUZZLED_ADDRESS"); named != "" {
		address = named
	}
	if token := os.Getenv("PUZZLED_TOKEN"); token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	}
	channel, err := grpc.Dial(address, grpc.WithInsecure())
	check(err == nil, err)
	walk(ctx, api.NewPuzzleServiceClient(channel), api.NewJobServiceClient(channel))
}

func walk(ctx context.Context, puzzles api.PuzzleServiceClient, jobs api.JobServiceClient) {
	count := uint32(30)
	generate := &api.GenerateRequest{Kind: api.Kind_KIND_SUDOKU, Count: &count, RequestId: newID()}
	job := repeat(ctx, puzzles.Generate, generate, 5*time.Second).Job
	check(repeat(ctx, puzzles.Generate, generate, 5*time.Second).Job.Id == job.Id, "another job")
	fmt.Println("queued 30 puzzles, and the repeat returned the same job")
	job = watch(ctx, jobs, job)
	fmt.Printf("job ended with %s, %d of %d puzzles\n", job.State, job.Made, job.Wanted)

	get := &api.GetPuzzleRequest{Kind: api.Kind_KIND_SUDOKU, Audience: "reader-1", Wait: true, RequestId: newID()}
	puzzle := repeat(ctx, puzzles.GetPuzzle, get, 10*time.Second).Puzzle
	check(repeat(ctx, puzzles.GetPuzzle, get, 10*time.Second).Puzzle.Id == puzzle.Id, "another puzzle")
	fmt.Printf("delivered a Sudoku of %d characters, and the repeat returned the same puzzle\n", len(puzzle.Text))

	// Without Wait, an empty stock is an error, whose details say when to repeat the call.
	get = &api.GetPuzzleRequest{Kind: api.Kind_KIND_KAKURO, Audience: "reader-1", EnqueueIfShort: true, RequestId: newID()}
	_, err := puzzles.GetPuzzle(ctx, get)
	for _, detail := range status.Convert(err).Details() {
		switch detail := detail.(type) {
		case *errdetails.ErrorInfo:
			check(detail.Metadata["job"] != "", err)
			fmt.Printf("no Kakuro in stock: %s, a job was queued\n", detail.Reason)
		case *errdetails.RetryInfo:
			time.Sleep(time.Duration(detail.RetryDelay.Seconds) * time.Second)
		}
	}
	puzzle = repeat(ctx, puzzles.GetPuzzle, get, 5*time.Second).Puzzle
	fmt.Printf("delivered a %s after the delay\n", puzzle.Kind)

	list, pages, listed := &api.ListPuzzlesRequest{Kind: api.Kind_KIND_SUDOKU, PageSize: 12}, 0, 0
	for pages == 0 || list.PageToken != "" {
		page := repeat(ctx, puzzles.ListPuzzles, list, 5*time.Second)
		pages, listed, list.PageToken = pages+1, listed+len(page.Puzzles), page.NextPageToken
	}
	fmt.Printf("listed %d puzzles on %d pages\n", listed, pages)
}
