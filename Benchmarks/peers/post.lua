-- wrk: a POST of so many events of one learner each, all of them new. Arguments: events a request, learners.
local thread_count = 0

function setup(thread)
   thread:set("number", thread_count)
   thread_count = thread_count + 1
end

function init(arguments)
   events = tonumber(arguments[1]) or 1
   learners = tonumber(arguments[2]) or 1000
   count = 0
   started = os.time()
   wrk.method = "POST"
   wrk.headers["Content-Type"] = events == 1 and "application/cloudevents+json" or "application/x-ndjson"
end

function request()
   local lines = {}
   local learner = "learner-" .. (count * 7 + number) % learners
   for i = 1, events do
      lines[i] = string.format(
         '{"specversion":"1.0","id":"%d-%d-%d-%d","source":"wrk-%d","type":"line.spoken","subject":"%s","time":"2026-04-05T18:00:00Z","language":"es","data":{"accuracy":0.9}}',
         started, number, count, i, number, learner)
   end
   count = count + 1
   return wrk.format(nil, nil, nil, table.concat(lines, "\n"))
end

function done(summary, latency, requests)
   io.write(string.format(
      '{"requests":%d,"seconds":%.6f,"p50_ms":%.3f,"p99_ms":%.3f,"failed":%d}\n',
      summary.requests, summary.duration / 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
      summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
