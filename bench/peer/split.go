package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

const (
	memoryKey  = "vke.volcengine.com/mgpu-memory"
	coreKey    = "vke.volcengine.com/mgpu-core"
	cardsKey   = "vke.volcengine.com/container-multiple-gpu"
	limitsKey  = "percard.webhook/limits"
	scheduler  = "volcano"
	leastMiB   = 1024
	wholeCard  = 100
	mostCards  = 64
	maximumMiB = 1048576
)

// granted is what each card gives to one container.
type granted struct {
	Cards       int64 `json:"cards"`
	CorePercent int64 `json:"corePercent"`
	MemoryMiB   int64 `json:"memoryMiB"`
}

type limits struct {
	Containers map[string]granted `json:"containers"`
	Dialect    string             `json:"dialect"`
}

type cardSplitter struct{}

// Default patches a pod that asks for shares; an error refuses it.
func (cardSplitter) Default(_ context.Context, object runtime.Object) error {
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return fmt.Errorf("must be a Pod, not %T", object)
	}
	if !asksForShares(pod) {
		return nil
	}
	split := limits{Containers: map[string]granted{}, Dialect: "volcengine"}
	entries := strings.Split(pod.Annotations[cardsKey], ",")
	if len(entries) != len(pod.Spec.Containers) {
		return fmt.Errorf("%s must have an entry for each of the %d containers", cardsKey, len(pod.Spec.Containers))
	}
	for index := range pod.Spec.Containers {
		container := &pod.Spec.Containers[index]
		if !asks(container) {
			continue
		}
		share, err := perCard(container, entries[index])
		if err != nil {
			return fmt.Errorf("container '%s': %w", container.Name, err)
		}
		split.Containers[container.Name] = share
	}
	text, err := json.Marshal(split)
	if err != nil {
		return err
	}
	pod.Annotations[limitsKey] = string(text)
	pod.Spec.SchedulerName = scheduler
	return nil
}

func asksForShares(pod *corev1.Pod) bool {
	for index := range pod.Spec.Containers {
		if asks(&pod.Spec.Containers[index]) {
			return true
		}
	}
	return false
}

func asks(container *corev1.Container) bool {
	_, memory := container.Resources.Limits[memoryKey]
	_, core := container.Resources.Limits[coreKey]
	return memory || core
}

// perCard divides a container's totals by its cards; an error says what does not divide or is out of range.
func perCard(container *corev1.Container, entry string) (granted, error) {
	cards, err := strconv.ParseInt(entry, 10, 64)
	if err != nil || cards < 1 || cards > mostCards {
		return granted{}, fmt.Errorf("card count must be from 1 to %d, not '%s'", mostCards, entry)
	}
	memory, core := container.Resources.Limits[memoryKey], container.Resources.Limits[coreKey]
	memoryMiB, corePercent := memory.Value(), core.Value()
	if memoryMiB%cards != 0 || memoryMiB/cards < leastMiB || memoryMiB/cards > maximumMiB {
		return granted{}, fmt.Errorf("'%d' MiB over %d cards must be whole and from %d to %d MiB on each", memoryMiB, cards, leastMiB, maximumMiB)
	}
	if corePercent%cards != 0 || corePercent < cards || corePercent/cards > wholeCard {
		return granted{}, fmt.Errorf("'%d' %% over %d cards must be whole and from 1 to 100 on each", corePercent, cards)
	}
	return granted{Cards: cards, CorePercent: corePercent / cards, MemoryMiB: memoryMiB / cards}, nil
}
