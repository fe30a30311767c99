-- Posts the bodies of a file by turns, one a line, and prints one line of figures: latencies in microseconds.
local requests, turn = {}, 0

function init()
  local headers = { ["Content-Type"] = "application/json" }
  for body in io.lines(os.getenv("BENCH_BODIES")) do
    requests[#requests + 1] = wrk.format("POST", nil, headers, body)
  end
end

function request()
  turn = turn % #requests + 1
  return requests[turn]
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  io.write(string.format("FIGURES %d %d %d %d %d\n", summary.requests, summary.duration, failed,
    latency:percentile(50), latency:percentile(99)))
end
