-- Functions for the scripts on a partition; put before each of them.
--
-- KEYS[1]  `ow:{<job>:<partition>}`: HASH
--            mark    stands for the job and the partition: keys of another one are refused
--            added   number of URLs that were ever pushed, known or not
--            passed  number of URLs that passed the seen test
--            visits  number of finished URLs with a record
--            bytes   sum of the bytes of their bodies
--          All keys begin with it: the braces keep them in one slot, so that a Redis Cluster has them on one node.
--          The others are:
--   :counts                HASH  depth -> URLs that are not finished
--   :ids :epochs           counters
--   :schedule              ZSET  hosts with URLs that nobody leases -> ms when they may get a request
--   :orphans               ZSET  the same, whose lease has ended: agents take them before all others
--   :later                 ZSET  the same, whose nearest URL is too deep yet -> its depth
--   :leases                ZSET  leased hosts -> ms when the lease ends
--   :heard                 ms of the last call by an agent that watches leases, but for a short time
--   :queue:<depth>:<host>  LIST  URLs that wait: `<attempts> <mark> <JSON>`. The mark stands for the URL in the
--                          seen test; `-` after the test
--   :out:<host>            HASH  id (`<number>.<token>`) -> URL that was handed out: `<depth> <attempts> <JSON>`
--   :host:<host>           HASH  epoch and agent of the lease; before (ms), past (JSON); ended (ms) of an orphan
--   :robots:<host>         HASH  origin -> JSON
local partition = KEYS[1]

local function key(name)
  return partition .. ':' .. name
end

local function queue_of(host, depth)
  return key('queue:' .. string.format('%.0f', depth) .. ':' .. host)
end

-- Ends the script: the keys are not as scripts left them.
local function damaged(text)
  error({ err = 'DAMAGED ' .. text })
end

local function check_mark(mark)
  if redis.call('HGET', partition, 'mark') ~= mark then
    damaged(partition .. ' belongs to another job, or is gone')
  end
end

-- Checks that a seen set holds as many URLs as passed its test.
local function check_passed(held)
  local passed = tonumber(redis.call('HGET', partition, 'passed') or 0)
  if held ~= passed then
    damaged(string.format('its seen set: expected %s URLs, got %s', tostring(passed), tostring(held)))
  end
end

local function count_passed(urls)
  if urls > 0 then redis.call('HINCRBY', partition, 'passed', urls) end
end

-- Returns the depths with unfinished URLs, the least first: few, since URLs come level by level.
local function open_depths()
  local depths = redis.call('HKEYS', key('counts'))
  for index, depth in ipairs(depths) do depths[index] = tonumber(depth) end
  table.sort(depths)
  return depths
end

-- Returns the depth of the next URL of a host; nil when none waits.
local function nearest(host, depths)
  for _, depth in ipairs(depths) do
    if redis.call('EXISTS', queue_of(host, depth)) == 1 then return depth end
  end
end

-- Changes the number of unfinished URLs of a depth. At least `least` must be left, and none may wait at the end.
local function count(host, depth, change, least)
  local field = string.format('%.0f', depth)
  local left = redis.call('HINCRBY', key('counts'), field, change)
  if left < least or (left == 0 and redis.call('EXISTS', queue_of(host, depth)) == 1) then
    damaged('its counts: expected more URLs of depth ' .. field)
  end
  if left == 0 then redis.call('HDEL', key('counts'), field) end
end

-- Makes a host available again, if nobody leases it and it has URLs.
local function schedule(host, depths)
  local facts = redis.call('HMGET', key('host:' .. host), 'epoch', 'before', 'ended')
  if facts[1] or not nearest(host, depths) then return end
  redis.call('ZREM', key('later'), host)
  redis.call('ZADD', key(facts[3] and 'orphans' or 'schedule'), facts[2] or 0, host)
end
