//go:build tools

// Package tools names the program of an older control plane, so that the module file pins it.
package tools

import _ "k8s.io/kubernetes/cmd/kube-apiserver"
