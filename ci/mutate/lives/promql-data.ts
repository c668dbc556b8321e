/** Series for random queries, as a script (`vectors/promql/README.md`): gaps, resets, stale markers, odd floats, and histograms of every kind. */
export const DATA = `
load 1m
  requests_total{job="api",instance="a",code="200"} 0+7x40
  requests_total{job="api",instance="a",code="500"} 0+1.25x12 _x3 2+3x9 stale _x4 0+4x10
  requests_total{job="api",instance="b",code="200"} 100+13x17 0+13x22
  requests_total{job="api",instance="b",code="500"} _x6 0x8 1 1 4 4 0 2 _x5 9 9 3
  requests_total{job="web",instance="c",code="200"} 5 9 _ 20 stale stale 3 8 NaN 12 Inf 30 -5 7 8x9 9+1x12
  requests_total{job="web",instance="d",code="404"} _x15 1+1e15x10 0 1e300 1e301 0.1x8
  load1{job="api",instance="a"} 1 2 -3 0.5 NaN 4 -0 1e-9 1e9 7 -7.5+0.5x20 2 2 2
  load1{job="api",instance="b"} 3-0.25x30 Inf -Inf NaN 5 6 stale 4 4
  load1{job="web",instance="c"} _ _ 1e308 1e308 -1e308 1e308 0.1x6 0.3 0.7 _x10 stale 2.5+2.5x9
  up{job="api",instance="a"} 1x40
  up{job="api",instance="b"} 1x10 0x3 1x20
  up{job="web",instance="c"} 1 0 1 0 1 stale 1x10 stale
  target_info{job="api",instance="a",env="prod",region="n"} 1x40
  target_info{job="api",instance="b",env="prod"} 1x9 stale
  target_info{job="api",instance="b",env="test"} _x9 1x30
  target_info{job="web",instance="c",env="",zone="z"} 1x40
  build_info{job="api",instance="a",version="1.2"} 1x20
  build_info{job="api",instance="a",version="1.3"} _x18 1x20
  {"m.n","l.m"="x",job="api"} 1+1x30
  {"m.n","l.m"="y z",job="web"} 2-1x30
  took_bucket{job="api",le="0.1"} 0+1x40
  took_bucket{job="api",le="0.5"} 0+3x20 0+3x19
  took_bucket{job="api",le="1"} 0+5x20 0+5x19
  took_bucket{job="api",le="+Inf"} 0+6x20 0+6x19
  took_count{job="api"} 0+6x20 0+6x19
  took_sum{job="api"} 0+2.5x20 0+2.5x19
  took_bucket{job="web",le="-1"} 0+2x40
  took_bucket{job="web",le="0"} 0+3x40
  took_bucket{job="web",le="2.0"} 0+4x30
  took_bucket{job="web",le="+Inf"} 0+3.9999999x40
  took_bucket{job="odd",le="1"} 3x30
  took_bucket{job="odd",le="x"} 4x30
  took_bucket{job="odd",le="5"} 9x30
  native{job="api",instance="a"} {{schema:0 count:7 sum:12.5 z_bucket:1 z_bucket_w:0.001 buckets:[2 0 3 1]}}+{{schema:0 count:7 sum:12.5 z_bucket:1 z_bucket_w:0.001 buckets:[2 0 3 1]}}x18 {{schema:0 count:3 sum:4 buckets:[1 2]}}x6 _x4 {{schema:0 count:30 sum:40 buckets:[10 20]}}x8
  native{job="api",instance="b"} {{schema:2 count:12 sum:-4 z_bucket:2 z_bucket_w:0.5 buckets:[1 2 3] n_buckets:[3 1] offset:2 n_offset:3}}x12 stale _x2 {{schema:2 count:24 sum:-8 z_bucket:4 z_bucket_w:0.5 buckets:[2 4 6] n_buckets:[6 2] offset:2 n_offset:3}}x20
  native{job="web",instance="c"} {{schema:1 count:10 sum:20 buckets:[4 0 0 6] offset:-3}}x6 4 {{schema:1 count:11 sum:NaN buckets:[4 0 1 6] offset:-3}}x5 7 8 9 {{schema:-1 count:10 sum:20 buckets:[4 6] offset:1}}x12
  native{job="web",instance="d"} {{schema:0 count:4 sum:9 z_bucket:1 z_bucket_w:2 buckets:[3] offset:3}}x4 {{schema:0 count:9 sum:9 z_bucket:6 z_bucket_w:1 buckets:[3] offset:3}}x4 {{count:0 sum:0}}x4 {{schema:3 count:2.5 sum:2 buckets:[0.5 0 1.25 0.75] offset:-8}}x20
  gauges{job="api",instance="a"} {{schema:0 count:6 sum:3 buckets:[1 2 3] counter_reset_hint:gauge}}x10 {{schema:0 count:4 sum:3 buckets:[1 3] counter_reset_hint:gauge}}x20
  gauges{job="web",instance="c"} {{schema:1 count:6 sum:-3 n_buckets:[1 2 3] counter_reset_hint:gauge}}x20 {{schema:0 count:4 sum:3 buckets:[1 3]}}x10
  custom{job="api",instance="a"} {{schema:-53 count:10 sum:20 custom_values:[1 2 5] buckets:[1 4 3 2]}}+{{schema:-53 count:10 sum:20 custom_values:[1 2 5] buckets:[1 4 3 2]}}x30
  custom{job="api",instance="b"} {{schema:-53 count:6 sum:9 custom_values:[1 5 10] buckets:[1 2 3]}}x8 {{schema:-53 count:6 sum:9 custom_values:[-1 2 5] buckets:[1 0 3 2]}}x20
  custom{job="web",instance="c"} {{schema:-53 count:3 sum:9 custom_values:[2] buckets:[0 3]}}x20
  mixed{job="api",instance="a"} 1 2 {{schema:0 count:3 sum:4 buckets:[1 2]}}x3 5 6 {{schema:-53 count:3 sum:4 custom_values:[2] buckets:[1 2]}}x4 7x10
  mixed{job="api",instance="b"} {{schema:0 count:3 sum:4 buckets:[1 2]}}x20
  mixed{job="web",instance="c"} 3x20
  mixed{job="web",instance="e",le="1"} {{schema:-53 count:3 sum:4 custom_values:[2] buckets:[1 2]}}x20
  zeros{job="api",instance="a"} 0 -0 0 0 -0x5 0 -0 0x4 -0x4 0x4 -0x4 0x4 -0x4 0x4
  zeros{job="api",instance="b"} -0 0 0 -0 NaN 0 NaN -0x5 0x2 -0x4 0x4 -0x4 0x4 -0x4 0x4 -0x4
  zeros{job="web",instance="c"} -0x10 NaN Inf NaN -Inf NaN NaN 0x20
  idle_bucket{job="api",le="1"} 0x30
  idle_bucket{job="api",le="2"} 0x30
  idle_bucket{job="api",le="+Inf"} 0x30
  idle_bucket{job="web",le="+Inf"} 7x30
  idle_bucket{job="odd",le="-Inf"} 1x30
  idle_bucket{job="odd",le="3"} 2 NaN 1 2x30
  idle_bucket{job="odd",le="+Inf"} 5 NaN 3 NaN 5x30
  idle_bucket{job="same",le="1"} 2x30
  idle_bucket{job="same",le="1.0"} 3x30
  idle_bucket{job="same",le="1e0"} 3x30
  idle_bucket{job="same",le="+Inf"} 4x30
  empties{job="api",instance="a"} {{}}x10 {{count:0 sum:0 z_bucket_w:1}}x10 {{schema:-53 custom_values:[1 2]}}x10
  empties{job="api",instance="b"} {{schema:0 count:3 sum:NaN buckets:[1 1]}}x10 {{schema:0 count:4 sum:Inf z_bucket:2 z_bucket_w:0.25 buckets:[0 1] n_buckets:[1]}}x20
  empties{job="web",instance="c"} {{schema:0 count:4 sum:-3 n_buckets:[1 0 3] n_offset:-2}}x10 {{schema:-53 count:5 sum:4 custom_values:[-2 0 3] buckets:[1 1 2 1]}}x20
load 1s
  fine{job="api"} 0+1x100
  fine{job="web"} 5 _x9 8 _x20 9 9 3 _x30 11
`;
