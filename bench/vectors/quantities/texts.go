package main

import (
	"math/big"
	"strings"
)

var (
	signs   = []string{"", "", "+", "-"}
	numbers = []string{
		"", "0", "00", "1", "2", "5", "05", "007", "10", "12", "64", "100", "999", "1000", "1001", "1023", "1024", "1025", "1500",
		"2048", "4000", "4096", "9999", "16384", "65536", "1000000", "1048576", "1048577", "123456789", "1234567890123", "2147483648",
		".", "0.", ".0", "0.0", "1.", "1.0", "1.000", "01.50", ".5", "0.5", "0.001", "0.0005", "0.1234567891", "1.5", "1.25", "1.234",
		"12.3456", "1.000000001", "1.0000000001", "0.000000001", "0.0000000001", "0.0000000009", "7.9999999999",
		"1..5", "1.5.", ".5.", "..", "1.2.3", "1,5", "1_000", "1 000", "0x10", "0b1", "0o7",
	}
	endings = []string{
		"", "n", "u", "m", "k", "K", "M", "G", "T", "P", "E", "e", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
		"ki", "mi", "ni", "ei", "kI", "KI", "Kib", "KiB", "KB", "MB", "Mb", "GB", "B", "b", "g", "t", "p", "Z", "Zi", "Y", "i", "ii", "mm", "kk", "Kik",
		"e0", "e1", "e3", "e03", "e+3", "e-3", "E3", "E0", "E+3", "E-3", "E6", "e9", "e18", "E18", "e19", "e-9", "e-10", "E-18", "e-19",
		"ee3", "eE3", "e3e3", "e3.5", "e.5", "e+", "e-", "E+", "e++3", "e+-3", "e 3", "e3 ", "E3k", "e3Ki", "Ee3", "k3", "m3", "Ki3", "Ki+3", "m-3", "%", "MiB/s",
	}
	letters = []string{
		"0", "0", "1", "2", "3", "5", "8", "9", ".", "+", "-", "e", "E", "i", "n", "u", "m", "k", "K", "M", "G", "T", "P", "Ki", "Mi", "e3", " ", "_",
	}
	// blanks are what an editor or a template may leave around a number; JSON has to escape some of them.
	blanks = []string{
		" ", "  ", "\t", "\n", "\r", "\v", "\f", "\x00", "\x1f", "\x7f", "\u0085", "\u00a0", "\u1680", "\u180e", "\u2000", "\u2003", "\u200a", "\u200b",
		"\u2028", "\u2029", "\u202f", "\u205f", "\u2060", "\u3000", "\ufeff",
	}
	foreign = []string{
		"１", "１２", "1２", "٣", "٣٤", "५", "²", "1²", "½", "Ⅳ", "一", "𝟙", "1\u0301", "−1", "–1", "＋1", "1．5", "1e３", "1ｋ", "1Кi", "1μ", "1µ", "\u200e1",
		"null", "true", "false", "nil", "None", "NaN", "nan", "Inf", "inf", "+Inf", "infinity", "~", "{}", "[]", "\"", "\"1\"", "'1'", "\\", "1\\", "1;", "1#", "1/2", "1:30",
		"<1", "1>", "&1", "a", "e", "E", "k", "Ki", "m", "+k", "-Ki", "++1", "--1", "+-1", "-+1", "1+", "1-", "1+1", "1-1", "- 1", "+ 1", "1 k", "1 Ki", "1e +3",
	}
	// literals are JSON values that are no strings.
	literals = []string{
		"null", "true", "false", "[]", "{}", "[1]", `{"a":1}`, "0", "-0", "1", "-1", "7", "64", "100", "1000", "1024", "4000", "4096", "1048576", "1048577",
		"9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551616",
		"100000000000000000000000", "1.0", "1.5", "0.5", "-0.5", "0.0", "-0.0", "1e3", "1E3", "1e+3", "1e-3", "1.5e3", "1.5e-3", "0.1", "0.001", "0.25", "123.456",
		"2e9", "1e18", "1e19", "1e22", "1e100", "1e-9", "1e-10", "1e-100", "1234567.125",
	}
)

// cornerTexts gives every sign, number and ending with each other, and the edges of size.
func cornerTexts() []string {
	texts := append([]string{}, foreign...)
	for _, sign := range signs[1:] {
		for _, number := range numbers {
			for index, ending := range endings {
				if index < shortEndings || len(number) < longNumber {
					texts = append(texts, sign+number+ending)
				}
			}
		}
	}
	for _, blank := range blanks {
		texts = append(texts, blank, blank+"5", "5"+blank, blank+"5"+blank, "5"+blank+"k", "5"+blank+"5", blank+"4Gi", "-"+blank+"5")
	}
	return append(texts, sizes()...)
}

const (
	shortEndings = 18 // the proper suffixes, which go with every number
	longNumber   = 2  // the other endings go with shorter numbers than this
)

// sizes gives values around the limits of int64, of a nano unit and of the parser's fast paths.
func sizes() []string {
	var texts []string
	for _, bits := range []uint{31, 32, 53, 60, 62, 63, 64, 65, 128} {
		for offset := int64(-1); offset <= 1; offset++ {
			number := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), bits), big.NewInt(offset)).String()
			texts = append(texts, number, "-"+number, "+"+number, number+".5", number+"m", number+"k", number+"Ki", number+"e-3", "0"+number)
		}
	}
	for _, suffix := range []string{"", "n", "m", "k", "P", "E", "Pi", "Ei"} {
		texts = append(texts, "7"+suffix, "8"+suffix, "9"+suffix, "10"+suffix, "2000"+suffix, "-2000"+suffix, "999999999999999999"+suffix,
			"9223372036854775807"+suffix, "9223372036854775808"+suffix, "-9223372036854775808"+suffix, ".9223372036854775808"+suffix,
			strings.Repeat("9", 18)+suffix, strings.Repeat("9", 19)+suffix, strings.Repeat("0", 400)+"5"+suffix, strings.Repeat("9", 400)+suffix,
			"-"+strings.Repeat("9", 400)+suffix, "0."+strings.Repeat("0", 400)+"1"+suffix, "1."+strings.Repeat("0", 400)+suffix, "4."+strings.Repeat("0", 400)+"1"+suffix,
			"1"+strings.Repeat("0", 64)+suffix, "1"+strings.Repeat("0", 63)+suffix, "0."+strings.Repeat("0", 70)+"1"+suffix)
	}
	for _, exponent := range []string{"17", "18", "19", "20", "30", "63", "64", "65", "99", "100", "400", "-8", "-9", "-10", "-17", "-18", "-19", "-63", "-64", "-65", "-99", "-100", "-400",
		"0000000003", "+0000000003", "-0000000003", "9223372036854775808", "-9223372036854775809", "99999999999999999999"} {
		for _, number := range []string{"0", "1", "-1", "1.5", "1000", "123456789012345678901234567890", ".000000000000000000000000000001"} {
			texts = append(texts, number+"e"+exponent, number+"E"+exponent)
		}
	}
	return texts
}
