-- Posts one body again and again, and prints one line of figures: latencies in microseconds.
local file = assert(io.open(os.getenv("BENCH_BODY"), "rb"))
wrk.method = "POST"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "application/json"
file:close()

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("FIGURES %d %d %d %d %d\n", summary.requests, summary.duration, failed,
    latency:percentile(50), latency:percentile(99)))
end
