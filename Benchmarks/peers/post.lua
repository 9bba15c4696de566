-- wrk: POSTs with events of one learner each, as apps send them. All events are new, ids count up, and times advance. Arguments:
-- the events per request, the number of learners, and the prefix of their names.
local thread_count = 0

function setup(thread)
   thread:set("number", thread_count)
   thread_count = thread_count + 1
end

function init(arguments)
   events = tonumber(arguments[1]) or 1
   learners = tonumber(arguments[2]) or 1000
   prefix = arguments[3] or ""
   count = 0
   started = os.time()
   wrk.method = "POST"
   wrk.headers["Content-Type"] = events == 1 and "application/cloudevents+json" or "application/x-ndjson"
end

function request()
   local lines = {}
   local learner = prefix .. "learner-" .. (count * 7 + number) % learners
   for i = 1, events do
      -- Each event is five seconds after the learner's last. Events of a later run are hours after those of an earlier run.
      local turn = math.floor(count / learners) * events + i
      local time = os.date("!%Y-%m-%dT%H:%M:%SZ", 1600000000 + started % 10000 * 10000 + turn * 5)
      lines[i] = string.format(
         '{"specversion":"1.0","id":"%d-%d","source":"wrk-%d","type":"line.spoken","subject":"%s","time":"%s","language":"es","data":{"accuracy":0.9}}',
         started, turn, number, learner, time)
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
