// Program peer is what a Go team would write for the Volcengine dialect: a controller-runtime webhook that checks the
// split of each container over its cards, and patches the scheduler name and the per-card limits. It is the yardstick
// of `make bench` and judges no more than that.
//
// Usage: peer CERTIFICATE-FOLDER PORT (the folder holds tls.crt and tls.key; it serves /mutate on the loopback interface).
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"os"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(arguments []string) error {
	if len(arguments) != 2 {
		return fmt.Errorf("usage: peer CERTIFICATE-FOLDER PORT")
	}
	port, err := strconv.Atoi(arguments[1])
	if err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	server := webhook.NewServer(webhook.Options{
		Host: "127.0.0.1", Port: port, CertDir: arguments[0],
		// The API server speaks HTTP/1.1 to webhooks.
		TLSOpts: []func(*tls.Config){func(config *tls.Config) { config.NextProtos = []string{"http/1.1"} }},
	})
	server.Register("/mutate", admission.WithCustomDefaulter(scheme, &corev1.Pod{}, cardSplitter{}))
	return server.Start(context.Background())
}
