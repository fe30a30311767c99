// Program quantities writes what Kubernetes makes of several thousand texts in the place of a quantity.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

const (
	randomTexts = 4000 // drawn beside the written ones
	mostDigits  = 5000 // of a number in the table
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintln(out, `{"texts":[`)
	writeRows(out, append(cornerTexts(), drawnTexts()...), quoted)
	fmt.Fprintln(out, `],"literals":[`)
	writeRows(out, literals, func(text string) []byte { return []byte(text) })
	fmt.Fprintln(out, `]}`)
}

func writeRows(out *bufio.Writer, texts []string, encode func(string) []byte) {
	seen := map[string]bool{}
	separator := ""
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			fmt.Fprintf(out, "%s%s", separator, row(text, encode(text)))
			separator = ",\n"
		}
	}
	fmt.Fprintln(out)
}

// row gives the JSON line of one text: the text, and the number and the canonical form if there are any.
func row(text string, document []byte) []byte {
	cells := []string{text}
	var quantity resource.Quantity
	if err := json.Unmarshal(document, &quantity); err == nil {
		cells = append(cells, exact(quantity), stored(quantity))
	}
	return compact(cells)
}

// stored gives the text that a client reads back: one more trip through JSON, as on the way to the API server.
func stored(quantity resource.Quantity) string {
	document, err := json.Marshal(quantity)
	must(err)
	var fresh resource.Quantity
	must(json.Unmarshal(document, &fresh))
	return fresh.String()
}

// exact gives the number as "num" or "num/den" in lowest terms.
func exact(quantity resource.Quantity) string {
	number := quantity.AsDec()
	if number.Sign() == 0 {
		return "0"
	}
	scale := int64(number.Scale())
	if scale > mostDigits || scale < -mostDigits {
		panic("too long to write out: a text of the table has an absurd exponent")
	}
	power := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(max(scale, -scale)), nil))
	if scale > 0 {
		power.Inv(power)
	}
	return power.Mul(power, new(big.Rat).SetInt(number.UnscaledBig())).RatString()
}

func quoted(text string) []byte {
	document, err := json.Marshal(text)
	must(err)
	return document
}

func compact(cells []string) []byte {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	must(encoder.Encode(cells))
	return bytes.TrimSpace(line.Bytes())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// drawnTexts gives random texts, always the same ones: half near the grammar, half out of its letters.
func drawnTexts() []string {
	source := rand.New(rand.NewPCG(20260101, 7))
	pick := func(choices []string) string { return choices[source.IntN(len(choices))] }
	texts := make([]string, 0, randomTexts)
	for len(texts) < randomTexts/2 {
		number := pick(signs) + digits(source, 12) + pick([]string{"", "", ".", "." + digits(source, 12)})
		texts = append(texts, number+pick(endings))
	}
	for len(texts) < randomTexts {
		var text strings.Builder
		for range 1 + source.IntN(7) {
			text.WriteString(pick(letters))
		}
		texts = append(texts, text.String())
	}
	return texts
}

func digits(source *rand.Rand, most int) string {
	var text strings.Builder
	for range source.IntN(most) {
		text.WriteByte("0001234567895"[source.IntN(13)])
	}
	return text.String()
}
