package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"time"

	api "github.com/puzzled/puzzled/gen/puzzled/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

type method[Q, A any] func(context.Context, Q, ...grpc.CallOption) (A, error)

// repeat makes a call that is safe to repeat: it only reads, or has a request ID.
func repeat[Q, A any](ctx context.Context, call method[Q, A], request Q, timeout time.Duration) A {
	for delay := 500 * time.Millisecond; ; delay *= 2 {
		limited, cancel := context.WithTimeout(ctx, timeout)
		answer, err := call(limited, request)
		cancel()
		if code := status.Code(err); code != codes.Unavailable && code != codes.DeadlineExceeded || delay > 4*time.Second {
			check(err == nil, err)
			return answer
		}
		time.Sleep(delay)
	}
}

// watch returns the job at its end. A stream may break at any time; the next one begins with the job as it is then.
func watch(ctx context.Context, jobs api.JobServiceClient, job *api.Job) *api.Job {
	for job.State == api.JobState_JOB_STATE_QUEUED || job.State == api.JobState_JOB_STATE_RUNNING {
		changes, err := jobs.WatchJob(ctx, &api.WatchJobRequest{Id: job.Id}, grpc.WaitForReady(true))
		for err == nil {
			var change *api.WatchJobResponse
			if change, err = changes.Recv(); err == nil {
				job = change.Job
			}
		}
		check(err == io.EOF || status.Code(err) == codes.Unavailable, err)
	}
	return job
}

func check(holds bool, otherwise any) {
	if !holds {
		fmt.Fprintln(os.Stderr, otherwise)
		os.Exit(1)
	}
}

// newID returns a random request ID.
func newID() string {
	bytes := make([]byte, 16)
	_, err := rand.Read(bytes)
	check(err == nil, err)
	return fmt.Sprintf("%x", bytes)
}
