-- Functions for the scripts on a partition. This file precedes each of them.
--
-- KEYS[1]  `ow:{<job>:<partition>}`: HASH
--            mark    identifies the job and the partition: keys with another mark are refused
--            added   number of URLs that were ever pushed, including known ones
--            passed  number of URLs that passed the seen test
--            visits  number of finished URLs with a record
--            bytes   sum of the bytes of their bodies
--          All other keys of the partition begin with this one. Its braces put them into one slot, so a Redis Cluster
--          has them on one node. All times are in ms. The other keys are:
--   :counts                HASH    depth -> number of unfinished URLs
--   :ids :epochs           STRING  counters
--   :schedule              ZSET    host with URLs that nobody leases -> time from which it may get a request
--   :orphans               ZSET    the same for hosts whose lease has ended. Agents take these hosts first
--   :later                 ZSET    host with URLs that nobody leases, all of which are too deep so far -> least depth
--   :leases                ZSET    leased host -> time when the lease ends
--   :heard                 STRING  approximate time of the last call by an agent that watches leases
--   :queue:<depth>:<host>  LIST    waiting URL: `<attempts> <fingerprint> <JSON>`. The fingerprint is for the seen
--                          test, or `-` if the URL has passed the test
--   :out:<host>            HASH    id (`<number>.<token>`) -> URL that was handed out: `<depth> <attempts> <JSON>`
--   :host:<host>           HASH    epoch and agent of the lease; before (time from which it may get a request);
--                          past (JSON); ended (time when the lease of an orphan ended)
--   :robots:<host>         HASH    origin -> JSON
local partition = KEYS[1]

local function key(name)
  return partition .. ':' .. name
end

-- While a Redis Cluster moves the slot, its keys are on two nodes, and both refuse commands on several missing keys. So
-- they refuse this one, and the script ends before it changes anything. No key has these names.
redis.call('EXISTS', key('moving:1'), key('moving:2'))

local function queue_of(host, depth)
  return key('queue:' .. string.format('%.0f', depth) .. ':' .. host)
end

-- Ends the script with an error, since the keys differ from what scripts wrote.
local function damaged(text)
  error({ err = 'DAMAGED ' .. text })
end

local function check_mark(mark)
  local found = redis.call('HGET', partition, 'mark')
  if not found then damaged(partition .. ' is gone: it was deleted, or Redis lost its data') end
  if found ~= mark then damaged(partition .. ' belongs to another job') end
end

-- Checks that a seen set contains as many URLs as passed its test.
local function check_passed(held)
  local passed = tonumber(redis.call('HGET', partition, 'passed') or 0)
  if held ~= passed then
    damaged(string.format('its seen set: expected %s URLs, got %s', tostring(passed), tostring(held)))
  end
end

local function count_passed(urls)
  if urls > 0 then redis.call('HINCRBY', partition, 'passed', urls) end
end

-- Returns the depths with unfinished URLs, in ascending order. They are few, since a crawl proceeds level by level.
local function open_depths()
  local depths = redis.call('HKEYS', key('counts'))
  for index, depth in ipairs(depths) do depths[index] = tonumber(depth) end
  table.sort(depths)
  return depths
end

-- Returns the depth of the next waiting URL of a host; nil if there is none.
local function nearest(host, depths)
  for _, depth in ipairs(depths) do
    if redis.call('EXISTS', queue_of(host, depth)) == 1 then return depth end
  end
end

-- Adds `change` to the number of unfinished URLs of a depth. Fails if the result is less than `least`, or if it is 0
-- although URLs of the host wait.
local function count(host, depth, change, least)
  local field = string.format('%.0f', depth)
  local left = redis.call('HINCRBY', key('counts'), field, change)
  if left < least or (left == 0 and redis.call('EXISTS', queue_of(host, depth)) == 1) then
    damaged('its counts: expected more URLs of depth ' .. field)
  end
  if left == 0 then redis.call('HDEL', key('counts'), field) end
end

-- Makes a host available if it has waiting URLs and nobody leases it.
local function schedule(host, depths)
  local facts = redis.call('HMGET', key('host:' .. host), 'epoch', 'before', 'ended')
  if facts[1] or not nearest(host, depths) then return end
  redis.call('ZREM', key('later'), host)
  redis.call('ZADD', key(facts[3] and 'orphans' or 'schedule'), facts[2] or 0, host)
end
