// The parser of the Prometheus server, on a page: lines "text FILE TIMES" or "openmetrics FILE TIMES" in, "samples cpuMicros wallMicros" out.
// With "labels" after TIMES it also creates the labels of every series.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
)

var types = map[string]string{
	"text":        "text/plain; version=0.0.4",
	"openmetrics": "application/openmetrics-text; version=1.0.0",
}

func cpu() time.Duration {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func pass(page []byte, contentType string, withLabels bool) int {
	parser, err := textparse.New(page, contentType, labels.NewSymbolTable(), textparse.ParserOptions{})
	if err != nil {
		panic(err)
	}
	samples := 0
	var series labels.Labels
	for {
		entry, err := parser.Next()
		if err == io.EOF {
			return samples
		}
		if err != nil {
			panic(err)
		}
		if entry == textparse.EntrySeries {
			parser.Series()
			if withLabels {
				parser.Labels(&series)
			}
			samples++
		}
	}
}

func main() {
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "github.com/prometheus/prometheus" {
				version = module.Version
			}
		}
	}
	fmt.Println("prometheus textparse " + version)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var format, file, what string
		var times int
		_, _ = fmt.Sscan(lines.Text(), &format, &file, &times, &what)
		page, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		began, wall := cpu(), time.Now()
		samples := 0
		for i := 0; i < times; i++ {
			samples += pass(page, types[format], what == "labels")
		}
		fmt.Println(samples, (cpu() - began).Microseconds(), time.Since(wall).Microseconds())
	}
}
