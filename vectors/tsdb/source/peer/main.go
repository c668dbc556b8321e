// Writes what the codecs of another server make of given samples, series and deletions, as a line of JSON each:
//
//	go run -mod=mod . > ../peer.jsonl
package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/tsdb/index"
	"github.com/prometheus/prometheus/tsdb/record"
	"github.com/prometheus/prometheus/tsdb/tombstones"
)

func line(v any) {
	b, err := json.Marshal(v)
	check(err)
	fmt.Println(string(b))
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// others writes an index, tombstones and records of the log.
func others() {
	dir, err := os.MkdirTemp("", "peer")
	check(err)
	defer os.RemoveAll(dir)

	type series struct {
		Labels map[string]string `json:"labels"`
		Chunks [][3]int64        `json:"chunks"`
	}
	sets := map[string][]series{
		"empty": {},
		"one":   {{map[string]string{"a": "b"}, [][3]int64{{-5, 10, 8}}}},
		"some": {
			{map[string]string{"__name__": "requests", "job": "a", "path": "/"}, [][3]int64{{0, 7199999, 8}, {7200000, 7200000, 99}, {7200001, 14400000, 1 << 32}}},
			{map[string]string{"__name__": "requests", "job": "b", "stra\u00dfe": "\U0001F600"}, [][3]int64{{1700000000000, 1700000119000, 1<<32 + 300}}},
			{map[string]string{"__name__": "up", "job": "a"}, [][3]int64{{1, 2, 1<<32 + 400}}},
		},
	}
	many := []series{}
	for i := 0; i < 70; i++ {
		many = append(many, series{map[string]string{"n": fmt.Sprintf("%03d", i)}, [][3]int64{{int64(i), int64(i) + 1, int64(8 + i*30)}}})
	}
	sets["many"] = many
	for _, name := range []string{"empty", "one", "some", "many"} {
		file := filepath.Join(dir, name)
		w, err := index.NewWriter(context.Background(), file)
		check(err)
		symbols := map[string]bool{}
		for _, s := range sets[name] {
			for n, v := range s.Labels {
				symbols[n] = true
				symbols[v] = true
			}
		}
		sorted := []string{}
		for s := range symbols {
			sorted = append(sorted, s)
		}
		slices.Sort(sorted)
		for _, s := range sorted {
			check(w.AddSymbol(s))
		}
		for i, s := range sets[name] {
			metas := []chunks.Meta{}
			for _, c := range s.Chunks {
				metas = append(metas, chunks.Meta{MinTime: c[0], MaxTime: c[1], Ref: chunks.ChunkRef(c[2])})
			}
			check(w.AddSeries(storage.SeriesRef(i+1), labels.FromMap(s.Labels), metas...))
		}
		check(w.Close())
		b, err := os.ReadFile(file)
		check(err)
		line(map[string]any{"name": "index-" + name, "hex": hex.EncodeToString(b), "symbols": sorted, "series": sets[name]})
	}

	type stone struct {
		Series uint64 `json:"series"`
		First  int64  `json:"first"`
		Last   int64  `json:"last"`
	}
	for i, stones := range [][]stone{{}, {{1, 0, 0}}, {{2, -1000, 5}, {2, 100, 1700000000000}, {70000, 1700000000000, 1700000000001}}} {
		mem := tombstones.NewMemTombstones()
		for _, s := range stones {
			mem.AddInterval(storage.SeriesRef(s.Series), tombstones.Interval{Mint: s.First, Maxt: s.Last})
		}
		_, err := tombstones.WriteFile(slog.Default(), dir, mem)
		check(err)
		b, err := os.ReadFile(filepath.Join(dir, tombstones.TombstonesFilename))
		check(err)
		line(map[string]any{"name": fmt.Sprintf("tombstones-%d", i), "hex": hex.EncodeToString(b), "stones": stones})
	}

	enc := record.Encoder{}
	put := func(name string, b []byte, told ...any) {
		line(map[string]any{"name": "record-" + name, "hex": hex.EncodeToString(b), "told": told})
	}
	put("series", enc.Series([]record.RefSeries{{Ref: 1, Labels: labels.FromStrings("__name__", "up", "job", "a")}, {Ref: 1 << 33, Labels: labels.FromStrings("stra\u00dfe", "\U0001F600")}}, nil),
		map[string]any{"series": 1, "labels": map[string]string{"__name__": "up", "job": "a"}}, map[string]any{"series": 1 << 33, "labels": map[string]string{"stra\u00dfe": "\U0001F600"}})
	put("series-without-labels", enc.Series([]record.RefSeries{{Ref: 7}}, nil), map[string]any{"series": 7, "labels": map[string]string{}})
	samples := []record.RefSample{{Ref: 5, T: 1700000000000, V: 1.5}, {Ref: 6, T: 1700000000000, V: math.Float64frombits(value.StaleNaN)}, {Ref: 3, T: 1699999999000, V: math.Inf(-1)}, {Ref: 1 << 20, T: 1700000900000, V: 0}}
	told := []any{}
	for _, s := range samples {
		told = append(told, map[string]any{"sample": s.Ref, "time": s.T, "bits": bits(s.V)})
	}
	put("samples", enc.Samples(samples, nil), told...)
	put("sample-of-old", enc.Samples([]record.RefSample{{Ref: 0, T: -1, V: -0.5}}, nil), map[string]any{"sample": 0, "time": -1, "bits": bits(-0.5)})
	put("tombstones", enc.Tombstones([]tombstones.Stone{{Ref: 9, Intervals: tombstones.Intervals{{Mint: -7, Maxt: 1700000000000}, {Mint: 1700000000005, Maxt: 1700000000006}}}}, nil),
		map[string]any{"tombstone": 9, "start": -7, "end": 1700000000000}, map[string]any{"tombstone": 9, "start": 1700000000005, "end": 1700000000006})
	h := &histogram.Histogram{Schema: 2, ZeroThreshold: 0.25, ZeroCount: 3, Count: 17, Sum: -2.5, PositiveSpans: []histogram.Span{{Offset: -1, Length: 2}, {Offset: 3, Length: 1}}, PositiveBuckets: []int64{5, -1, 0}, NegativeSpans: []histogram.Span{{Offset: 0, Length: 1}}, NegativeBuckets: []int64{1}}
	hb, rest := enc.HistogramSamples([]record.RefHistogramSample{{Ref: 4, T: 1700000000000, H: h}}, nil)
	if len(rest) > 0 {
		panic("rest")
	}
	put("histogram", hb, map[string]any{"of": 4, "time": 1700000000000, "histogram": fl(h.ToFloat(nil), true)})
	f := h.ToFloat(nil)
	f.CounterResetHint = histogram.GaugeType
	f.PositiveBuckets[1] = 4.25
	fb, frest := enc.FloatHistogramSamples([]record.RefFloatHistogramSample{{Ref: 4, T: -3, FH: f}}, nil)
	if len(frest) > 0 {
		panic("rest")
	}
	put("float-histogram", fb, map[string]any{"of": 4, "time": -3, "histogram": fl(f, false)})
}

type out struct {
	Name    string `json:"name"`
	Enc     int    `json:"encoding"`
	Hex     string `json:"hex"`
	Samples []any  `json:"samples"`
}

func bits(f float64) string { return fmt.Sprintf("%016x", math.Float64bits(f)) }

type span struct {
	Offset int32  `json:"offset"`
	Length uint32 `json:"length"`
}

func spans(s []histogram.Span) []span {
	r := []span{}
	for _, x := range s {
		r = append(r, span{x.Offset, x.Length})
	}
	return r
}
func fl(h *histogram.FloatHistogram, integer bool) any {
	pb := h.PositiveBuckets
	if pb == nil {
		pb = []float64{}
	}
	nb := h.NegativeBuckets
	if nb == nil {
		nb = []float64{}
	}
	cv := h.CustomValues
	if cv == nil {
		cv = []float64{}
	}
	hint := map[histogram.CounterResetHint]string{histogram.UnknownCounterReset: "unknown", histogram.CounterReset: "reset", histogram.NotCounterReset: "none", histogram.GaugeType: "gauge"}[h.CounterResetHint]
	return map[string]any{"schema": h.Schema, "zeroThreshold": h.ZeroThreshold, "zeroCount": h.ZeroCount, "count": h.Count, "sum": bits(h.Sum),
		"positiveSpans": spans(h.PositiveSpans), "negativeSpans": spans(h.NegativeSpans), "positive": pb, "negative": nb, "bounds": cv, "resetHint": hint, "isInteger": integer}
}

func dump(name string, c chunkenc.Chunk) {
	o := out{Name: name, Enc: int(c.Encoding()), Hex: hex.EncodeToString(c.Bytes())}
	it := c.Iterator(nil)
	for {
		switch it.Next() {
		case chunkenc.ValNone:
			if it.Err() != nil {
				panic(it.Err())
			}
			b, err := json.Marshal(o)
			if err != nil {
				panic(err)
			}
			fmt.Println(string(b))
			return
		case chunkenc.ValFloat:
			t, v := it.At()
			o.Samples = append(o.Samples, map[string]any{"time": t, "bits": bits(v)})
		case chunkenc.ValHistogram:
			t, h := it.AtHistogram(nil)
			if value.IsStaleNaN(h.Sum) {
				o.Samples = append(o.Samples, map[string]any{"time": t, "bits": bits(h.Sum)})
			} else {
				f := h.ToFloat(nil)
				o.Samples = append(o.Samples, map[string]any{"time": t, "histogram": fl(f, true)})
			}
		case chunkenc.ValFloatHistogram:
			t, h := it.AtFloatHistogram(nil)
			if value.IsStaleNaN(h.Sum) {
				o.Samples = append(o.Samples, map[string]any{"time": t, "bits": bits(h.Sum)})
			} else {
				o.Samples = append(o.Samples, map[string]any{"time": t, "histogram": fl(h, false)})
			}
		}
	}
}

type fs struct {
	st, t int64
	v     float64
}

func floats(name string, c chunkenc.Chunk, l []fs) {
	a, err := c.Appender()
	if err != nil {
		panic(err)
	}
	for _, s := range l {
		a.Append(s.st, s.t, s.v)
	}
	dump(name, c)
}

func hist(name string, c chunkenc.Chunk, st bool, hs []*histogram.Histogram, float bool) {
	a, err := c.Appender()
	if err != nil {
		panic(err)
	}
	for i, h := range hs {
		t := int64(1700000000000 + i*15000 + (i%3)*7)
		var s int64
		if st {
			s = 1699999990000 + int64(i/2)*20000
		}
		var n chunkenc.Chunk
		if float {
			n, _, a, err = a.AppendFloatHistogram(nil, s, t, h.ToFloat(nil), true)
		} else {
			n, _, a, err = a.AppendHistogram(nil, s, t, h, true)
		}
		if err != nil || n != nil {
			panic(fmt.Sprint(name, i, err, n))
		}
	}
	dump(name, c)
}

func main() {
	stale := math.Float64frombits(value.StaleNaN)
	base := int64(1700000000000)
	mk := func(vs ...float64) []fs {
		r := []fs{}
		for i, v := range vs {
			r = append(r, fs{0, base + int64(i)*15000, v})
		}
		return r
	}
	sets := map[string][]fs{}
	names := []string{}
	add := func(n string, l []fs) { sets[n] = l; names = append(names, n) }
	add("none", mk())
	add("one-sample", mk(1.5))
	add("two-samples", mk(1, 2))
	add("counter", mk(0, 1, 3, 3, 3, 10, 11, 200, 5, 6))
	add("constant", mk(7, 7, 7, 7, 7, 7, 7, 7, 7))
	add("stale", mk(1, 2, stale, 3, 3, stale, stale, 4))
	add("stale-first", mk(stale, 2, 3, 3))
	add("special", mk(math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0, math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 1))
	add("fractions", mk(0.1, 0.2, 0.30000000000000004, 1.0/3, -1.0/3, math.Pi))
	l := []fs{}
	t := base
	d := int64(100000)
	l = append(l, fs{0, t, 1})
	for i, c := range []int64{0, 1, -1, 4095, -4096, 4096, -4097, 8191, -8191, 8192, -8192, 8193, 65535, -65535, 65536, -65536, 65537, -65537, 524287, -524287, 524288, -524288, 524289, -524289, 1 << 31, -(1 << 31), 1 << 33, -(1 << 33)} {
		d += c
		t += d
		l = append(l, fs{0, t, float64(i % 3)})
	}
	add("steps", l)
	add("negative-times", []fs{{0, -5000, 1}, {0, -4999, 2}, {0, 0, 3}, {0, 1, 3}})
	l = nil
	for i := 0; i < 130; i++ {
		l = append(l, fs{0, base + int64(i)*1000, float64(i * i % 17)})
	}
	add("hundred-and-thirty", l)
	for _, n := range names {
		floats("xor-"+n, chunkenc.NewXORChunk(), sets[n])
	}
	for _, n := range names {
		if n == "none" {
			continue
		}
		floats("xor2-"+n, chunkenc.NewXOR2Chunk(), sets[n])
		w := []fs{}
		for i, s := range sets[n] {
			s.st = s.t - 1000 - int64(i/3)*10
			w = append(w, s)
		}
		floats("xor2-starts-"+n, chunkenc.NewXOR2Chunk(), w)
		w = nil
		for i, s := range sets[n] {
			if i >= 2 {
				s.st = s.t - 500
			}
			w = append(w, s)
		}
		floats("xor2-late-starts-"+n, chunkenc.NewXOR2Chunk(), w)
	}
	h := func(schema int32, zt float64, zc uint64, sum float64, hint histogram.CounterResetHint, ps []histogram.Span, pb []int64, ns []histogram.Span, nb []int64, cv []float64) *histogram.Histogram {
		x := &histogram.Histogram{Schema: schema, ZeroThreshold: zt, ZeroCount: zc, Sum: sum, CounterResetHint: hint, PositiveSpans: ps, PositiveBuckets: pb, NegativeSpans: ns, NegativeBuckets: nb, CustomValues: cv}
		c := zc
		cur := int64(0)
		for _, b := range pb {
			cur += b
			c += uint64(cur)
		}
		cur = 0
		for _, b := range nb {
			cur += b
			c += uint64(cur)
		}
		x.Count = c
		return x
	}
	sp := []histogram.Span{{Offset: -3, Length: 2}, {Offset: 4, Length: 3}}
	sn := []histogram.Span{{Offset: 0, Length: 1}}
	zt := math.Ldexp(0.5, -127)
	seq := func(hint histogram.CounterResetHint, thr float64, schema int32) []*histogram.Histogram {
		r := []*histogram.Histogram{}
		for i := 0; i < 8; i++ {
			k := int64(i)
			r = append(r, h(schema, thr, uint64(i*2), 0.5+float64(i)*3.25, hint, sp, []int64{3 + k, 1, -2 + k, 1000 * k, 5}, sn, []int64{k * k}, nil))
		}
		return r
	}
	counter := seq(histogram.UnknownCounterReset, zt, 3)
	hsets := map[string][]*histogram.Histogram{
		"counter":    counter,
		"gauge":      seq(histogram.GaugeType, 0, -4),
		"threshold":  seq(histogram.UnknownCounterReset, 0.001, 8)[:2],
		"stale":      append(append([]*histogram.Histogram{}, counter[:3]...), &histogram.Histogram{Sum: stale}, &histogram.Histogram{Sum: stale}),
		"stale-only": {&histogram.Histogram{Sum: stale}},
		"empty":      {h(0, 0, 0, 0, 0, nil, nil, nil, nil, nil), h(0, 0, 5, 1e300, 0, nil, nil, nil, nil, nil)},
		"large":      {h(0, 1, 1<<40, math.NaN(), 0, sp, []int64{1 << 49, -1, 0, 1, 2}, nil, nil, nil), h(0, 1, 1<<41, math.Inf(1), 0, sp, []int64{1 << 50, -1, 0, 1, 2}, nil, nil, nil)},
		"bounds":     {h(-53, 0, 0, 3.5, 0, []histogram.Span{{Offset: 0, Length: 3}}, []int64{1, 1, 0}, nil, nil, []float64{0.005, 2.5, math.Pi, 1e9}), h(-53, 0, 0, 4.5, 0, []histogram.Span{{Offset: 0, Length: 3}}, []int64{2, 1, 0}, nil, nil, []float64{0.005, 2.5, math.Pi, 1e9})},
	}
	for _, n := range []string{"counter", "gauge", "threshold", "stale", "stale-only", "empty", "large", "bounds"} {
		hist("histogram-"+n, chunkenc.NewHistogramChunk(), false, hsets[n], false)
		hist("float-histogram-"+n, chunkenc.NewFloatHistogramChunk(), false, hsets[n], true)
		hist("histogram-start-"+n, chunkenc.NewHistogramSTChunk(), true, hsets[n], false)
		hist("float-histogram-start-"+n, chunkenc.NewFloatHistogramSTChunk(), true, hsets[n], true)
	}
	others()
}
