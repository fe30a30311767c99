//go:build tools

// Package kubeconform pins the checker that percard's is compared with.
package kubeconform

import _ "github.com/yannh/kubeconform/cmd/kubeconform"
