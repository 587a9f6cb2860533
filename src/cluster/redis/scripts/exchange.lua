-- Exchanges leases and URLs of a partition with an agent, in one round trip: removes finished URLs, renews leases or
-- takes them back, and hands out more URLs of the agent's hosts, and more hosts.
--
-- KEYS[1]  as in partition.lua
-- ARGV[1]  JSON:
--   mark          mark of the partition
--   agent
--   token         unique to the call
--   ttl           ms of a lease
--   longestPause  maximum ms for which a host may have to wait
--   maxDepth      greatest depth that may be handed out
--   seen          parameters of the seen test
--   hosts         number of hosts to take
--   onlyOrphans   true to take only hosts whose lease has ended
--   batch         maximum number of URLs to hand out of each host that is taken
--   others        [host...]: the agent's leased hosts that are not in `held`. If present, hosts that the agent doesn't
--                 name are taken back from it
--   held          reports on leased hosts: [{ host, epoch, done, unfinished, want, release, wait, past, robots }...]
--     done        finished URLs: [[id, bytes of the body if the URL has a record]...]
--     unfinished  number of unfinished URLs that the agent has
--     want        number of further URLs to hand out
--     release     true to end the lease
--     wait        ms until the host may get a request
--     past        JSON about the host for its next agent; absent if unchanged
--     robots      {origin: JSON}
-- Returns JSON:
--   lost          [host...]: hosts with a newer lease, whose reports were ignored
--   known         number of URLs that were dropped because they were seen before
--   hosts         the hosts in `held` that were not released, then the hosts that were taken:
--                 [{ host, epoch, urls, hasMore, wait, past, robots, lostFor }...]
--     urls        [[id, text]...]
--     hasMore     true if the host has more URLs
--     wait, past, robots   as in `held`, only for hosts that were taken
--     lostFor     ms since the lease of an orphan ended

-- Maximum number of URLs of a host to test in one call, since a script blocks its server.
local MAX_TESTED = 2000
local request = cjson.decode(ARGV[1])
check_mark(request.mark)
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local ttl, max_depth, lost, hosts, known = request.ttl, request.maxDepth, {}, {}, 0
local visits, visited_bytes = 0, 0
-- This script only finishes, drops or puts back URLs, so no depth is added.
local depths = open_depths()

-- Returns a unique id. It contains the token because a replica that becomes master may repeat a number.
local function unique(counter)
  return string.format('%.0f.%s', redis.call('INCR', key(counter)), request.token)
end

local function ends_at()
  return string.format('%.0f', now + ttl)
end

-- Takes back hosts that the agent doesn't know of, since the reply that handed them out was lost.
local function recall_unknown()
  local named = {}
  for _, held in ipairs(request.held) do named[held.host] = true end
  for _, host in ipairs(request.others) do named[host] = true end
  for _, host in ipairs(redis.call('ZRANGE', key('leases'), 0, -1)) do
    local agent = redis.call('HGET', key('host:' .. host), 'agent')
    if agent == request.agent and not named[host] then recall(host, 0, depths) end
  end
end

local function finish(host, done)
  for _, finished in ipairs(done) do
    local id, bytes = finished[1], finished[2]
    local item = redis.call('HGET', key('out:' .. host), id)
    if item then
      redis.call('HDEL', key('out:' .. host), id)
      count(host, tonumber(string.match(item, '^%d+')), -1, 0)
      if bytes then visits, visited_bytes = visits + 1, visited_bytes + bytes end
    end
  end
end

-- Counts records in the step that finishes their URLs, so that each counts once even if the agent dies.
local function count_visits()
  if visits == 0 then return end
  redis.call('HINCRBY', partition, 'visits', visits)
  redis.call('HINCRBY', partition, 'bytes', string.format('%.0f', visited_bytes))
end

local function remember(held)
  local name = key('host:' .. held.host)
  if held.past then
    -- 1 is added since `now` is rounded down.
    local before = held.wait > 0 and now + held.wait + 1 or now
    redis.call('HSET', name, 'before', string.format('%.0f', before), 'past', held.past)
  end
  for origin, answer in pairs(held.robots or {}) do
    redis.call('HSET', key('robots:' .. held.host), origin, answer)
  end
end

-- Takes at most `most` URLs out of a queue and runs the seen test. Returns the URLs that are new or were tested before.
local function new_ones(host, depth, most)
  local rows, fingerprints, tested = {}, {}, {}
  for _, item in ipairs(redis.call('LPOP', queue_of(host, depth), most)) do
    local attempts, fingerprint, text = string.match(item, '^(%d+) (%S+) (.*)$')
    rows[#rows + 1] = { attempts, text }
    if fingerprint ~= '-' then
      fingerprints[#fingerprints + 1] = fingerprint
      tested[#tested + 1] = #rows
    end
  end
  for place, fresh in ipairs(unseen(fingerprints, request.seen)) do
    if not fresh then rows[tested[place]].known = true end
  end
  local fresh = {}
  for _, row in ipairs(rows) do
    if not row.known then fresh[#fresh + 1] = row end
  end
  known = known + #rows - #fresh
  count(host, depth, #fresh - #rows, #fresh)
  return fresh
end

-- Hands out at most `want` URLs of a host, in order of depth. Returns true if there are more.
local function hand_out(host, want, urls)
  local depth = nearest(host, depths)
  local tested = 0
  while want > 0 and tested < MAX_TESTED and depth and depth <= max_depth do
    for _, row in ipairs(new_ones(host, depth, want)) do
      local id = unique('ids')
      local text = string.format('%.0f %s %s', depth, row[1], row[2])
      redis.call('HSET', key('out:' .. host), id, text)
      urls[#urls + 1] = { id, text }
      want = want - 1
    end
    tested = tested + math.max(want, 64)
    depth = nearest(host, depths)
  end
  return depth ~= nil and depth <= max_depth
end

-- Returns all URLs that were handed out if the agent has fewer, since a reply to it was lost.
local function missed(held)
  if redis.call('HLEN', key('out:' .. held.host)) == held.unfinished then return {} end
  return handed_out(held.host)
end

local function take(host)
  local epoch = unique('epochs')
  local name = key('host:' .. host)
  redis.call('HSET', name, 'epoch', epoch, 'agent', request.agent)
  redis.call('ZADD', key('leases'), ends_at(), host)
  local facts = redis.call('HMGET', name, 'before', 'past', 'ended')
  if facts[3] then redis.call('HDEL', name, 'ended') end
  local urls = {}
  local has_more = hand_out(host, request.batch, urls)
  local answers = redis.call('HGETALL', key('robots:' .. host))
  local wait = math.min(request.longestPause, math.max(0, tonumber(facts[1] or 0) - now))
  hosts[#hosts + 1] = {
    host = host, epoch = epoch, urls = urls, hasMore = has_more, wait = wait, past = facts[2] or nil,
    robots = answers, lostFor = facts[3] and math.max(0, now - facts[3]) or nil,
  }
end

-- Bounds the waits of hosts, since the clock may have been wrong when they were stored.
local function bound_waits(set)
  local latest = string.format('%.0f', now + request.longestPause)
  local hosts = redis.call('ZRANGEBYSCORE', key(set), '(' .. latest, '+inf', 'LIMIT', 0, 100)
  for _, host in ipairs(hosts) do redis.call('ZADD', key(set), latest, host) end
end

for _, held in ipairs(request.held) do
  if redis.call('HGET', key('host:' .. held.host), 'epoch') ~= held.epoch then
    lost[#lost + 1] = held.host
  else
    finish(held.host, held.done)
    remember(held)
    if held.release then
      recall(held.host, 0, depths)
    else
      redis.call('ZADD', key('leases'), ends_at(), held.host)
      local urls = missed(held)
      local has_more = hand_out(held.host, held.want, urls)
      hosts[#hosts + 1] = { host = held.host, epoch = held.epoch, urls = urls, hasMore = has_more }
    end
  end
end
count_visits()
if request.others then recall_unknown() end

for _, host in ipairs(redis.call('ZRANGEBYSCORE', key('later'), '-inf', max_depth, 'LIMIT', 0, 100)) do
  redis.call('ZREM', key('later'), host)
  schedule(host, depths)
end
-- Number of further hosts to lease.
local room = request.hosts

-- Leases hosts of a set.
local function take_of(set)
  if room > 0 then bound_waits(set) end
  while room > 0 do
    local host = redis.call('ZRANGEBYSCORE', key(set), '-inf', now, 'LIMIT', 0, 1)[1]
    if not host then break end
    redis.call('ZREM', key(set), host)
    local depth = nearest(host, depths)
    if depth and depth <= max_depth then
      take(host)
      room = room - 1
    elseif depth then
      redis.call('ZADD', key('later'), depth, host)
    end
  end
end
take_of('orphans')
if not request.onlyOrphans then take_of('schedule') end

return cjson.encode({ lost = lost, hosts = hosts, known = known })
