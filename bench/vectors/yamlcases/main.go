// Program yamlcases writes what kubectl reads from a table of YAML and JSON files.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// bufferSize is how far kubectl looks for the brace that makes a file JSON.
const bufferSize = 4096

type result struct {
	Name      string            `json:"name"`
	YAML      string            `json:"yaml"`
	Base64    string            `json:"base64,omitempty"`
	Documents []json.RawMessage `json:"documents"`
	Error     string            `json:"error,omitempty"`
}

func main() {
	names := map[string]bool{}
	separator := "["
	for _, one := range cases() {
		if names[one.name] {
			panic("two cases are called " + one.name)
		}
		names[one.name] = true
		fmt.Printf("%s%s", separator, line(read(one)))
		separator = ",\n"
	}
	fmt.Println("\n]")
}

// read does what k8s.io/cli-runtime's FileVisitor and StreamVisitor do with a file.
func read(one file) result {
	found := result{Name: one.name, Documents: []json.RawMessage{}}
	if utf8.ValidString(one.text) {
		found.YAML = one.text
	} else {
		found.Base64 = base64.StdEncoding.EncodeToString([]byte(one.text))
	}
	stream := transform.NewReader(bytes.NewReader([]byte(one.text)), unicode.BOMOverride(unicode.UTF8.NewDecoder()))
	decoder := yaml.NewYAMLOrJSONDecoder(stream, bufferSize)
	for {
		var document runtime.RawExtension
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			found.Error = err.Error()
			return found
		}
		raw := bytes.TrimSpace(document.Raw)
		if len(raw) > 0 && !bytes.Equal(raw, []byte("null")) {
			found.Documents = append(found.Documents, decoded(raw))
		}
	}
}

// decoded gives JSON as Go reads it: the last of two equal keys, U+FFFD for half a surrogate pair, numbers as written.
func decoded(raw []byte) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		panic(err)
	}
	return line(value)
}

func line(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(out.Bytes())
}
