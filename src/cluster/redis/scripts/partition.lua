-- What the scripts on a partition have in common; put before each of them.
--
-- KEYS[1]  `ow:{<job>:<partition>}`. All keys begin with it: the braces keep them in one slot, so that
--          a Redis Cluster has them on one node. They are:
--   :counts                HASH  depth -> URLs that are not finished
--   :added                 how many URLs were ever enqueued, known or not
--   :ids :epochs           counters
--   :schedule              ZSET  hosts that nobody holds and that have URLs -> ms when they may be asked
--   :later                 ZSET  the same, whose nearest URL lies beyond the horizon -> its depth
--   :leases                ZSET  hosts that are held -> ms when the lease ends
--   :heard                 ms of the last exchange
--   :queue:<depth>:<host>  LIST  URLs that wait: `<attempts> <mark> <JSON>`. The mark is what the URL-seen test
--                          knows the URL by; `-` where it was put to the test
--   :out:<host>            HASH  id (`<number>.<token>`) -> URL that was handed out: `<depth> <attempts> <JSON>`
--   :host:<host>           HASH  epoch, agent (who holds it; while it is held), before (ms), past (JSON)
--   :robots:<host>         HASH  origin -> JSON
local function key(name)
  return KEYS[1] .. ':' .. name
end

local function queue_of(host, depth)
  return key('queue:' .. string.format('%.0f', depth) .. ':' .. host)
end

-- Depths at which something is not finished, the least first: few, for URLs come level by level.
local function open_depths()
  local depths = redis.call('HKEYS', key('counts'))
  for index, depth in ipairs(depths) do depths[index] = tonumber(depth) end
  table.sort(depths)
  return depths
end

-- Depth of the URL of a host that is next; nil when none waits.
local function nearest(host, depths)
  for _, depth in ipairs(depths) do
    if redis.call('EXISTS', queue_of(host, depth)) == 1 then return depth end
  end
end

local function count(depth, change)
  local field = string.format('%.0f', depth)
  if redis.call('HINCRBY', key('counts'), field, change) <= 0 then
    redis.call('HDEL', key('counts'), field)
  end
end

-- A host that nobody holds may be taken again, if it has URLs.
local function schedule(host, depths)
  local facts = redis.call('HMGET', key('host:' .. host), 'epoch', 'before')
  if facts[1] or not nearest(host, depths) then return end
  redis.call('ZREM', key('later'), host)
  redis.call('ZADD', key('schedule'), facts[2] or 0, host)
end
