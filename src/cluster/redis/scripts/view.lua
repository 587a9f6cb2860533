-- Counts the URLs and hosts of the partitions of one server, or of one partition of a cluster. If an agent calls it,
-- first takes back the leases that have ended.
--
-- KEYS     keys of partitions, as in partition.lua
-- ARGV     greatest depth that may be handed out, ms of a lease (0: changes nothing), time in ms from which
--          the agent has been calling (empty if unknown), then the mark of each partition
-- Returns JSON: [{ now, mark, added, visits, bytes, free, orphans, active, endsIn, open: [[depth, URLs]...] }...]
--   now                         time in ms
--   mark, added, visits, bytes  as in partition.lua
--   free                        number of hosts with URLs that nobody leases, without those whose URLs are all too deep
--   orphans                     number of free hosts whose lease has ended and that may get a request now
--   active                      number of free and of leased hosts
--   endsIn                      ms until the first lease ends; absent if there is none
--   open                        number of unfinished URLs of each depth

-- Maximum numbers of leases to take back in one call, and of their URLs, since a script blocks its server.
local MAX_LEASES, MAX_URLS = 200, 5000
-- Milliseconds by which a synchronized clock may be set back.
local SET_BACK = 1000
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local max_depth, ttl, called = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local taken, urls = 0, 0

-- Extends leases by the time in which agents called but no call arrived. In that time, the server was unavailable, not
-- the agents, or its clock was set.
local function forgive()
  local heard = tonumber(redis.call('GET', key('heard')) or now) or now
  if heard == now or math.abs(now - heard) > ttl / 16 then
    redis.call('SET', key('heard'), string.format('%.0f', now))
  end
  local silence = now - heard
  if silence > 0 and called then silence = math.min(silence, now - called) end
  if silence <= ttl / 2 and silence >= -SET_BACK then return end
  local leases = redis.call('ZRANGE', key('leases'), 0, -1, 'WITHSCORES')
  for place = 1, #leases, 2 do
    local before = tonumber(leases[place + 1])
    local ends = before + silence
    if silence > 0 then
      ends = math.max(before, math.min(ends, now + ttl))
    elseif before <= now + ttl then
      -- Renewed since the clock was set back.
      ends = before
    end
    redis.call('ZADD', key('leases'), string.format('%.0f', ends), leases[place])
  end
end

local function take_back()
  local ended = redis.call('ZRANGEBYSCORE', key('leases'), '-inf', now, 'WITHSCORES', 'LIMIT', 0, MAX_LEASES - taken)
  if #ended == 0 then return end
  local depths = open_depths()
  for place = 1, #ended, 2 do
    if urls >= MAX_URLS then return end
    redis.call('HSET', key('host:' .. ended[place]), 'ended', ended[place + 1])
    urls = urls + recall(ended[place], 1, depths)
    taken = taken + 1
  end
end

local views = {}
for place, name in ipairs(KEYS) do
  partition = name
  local mark = redis.call('HGET', name, 'mark') or ''
  if ttl > 0 and mark == ARGV[3 + place] then
    forgive()
    take_back()
  end
  local counts = redis.call('HGETALL', key('counts'))
  local open = {}
  for field = 1, #counts, 2 do open[#open + 1] = { tonumber(counts[field]), tonumber(counts[field + 1]) } end
  table.sort(open, function(a, b) return a[1] < b[1] end)
  local free = redis.call('ZCARD', key('schedule')) + redis.call('ZCARD', key('orphans'))
    + redis.call('ZCOUNT', key('later'), '-inf', max_depth)
  local first = redis.call('ZRANGE', key('leases'), 0, 0, 'WITHSCORES')[2]
  local sums = redis.call('HMGET', name, 'added', 'visits', 'bytes')
  views[#views + 1] = {
    now = now,
    mark = mark,
    added = tonumber(sums[1] or 0),
    visits = tonumber(sums[2] or 0),
    bytes = tonumber(sums[3] or 0),
    free = free,
    orphans = redis.call('ZCOUNT', key('orphans'), '-inf', now),
    active = free + redis.call('ZCARD', key('leases')),
    endsIn = first and math.max(0, math.floor(first - now)) or nil,
    open = open,
  }
end
return cjson.encode(views)
