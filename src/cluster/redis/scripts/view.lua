-- Counts the URLs and hosts of the partitions of one server, or of one partition of a cluster. Changes nothing.
--
-- KEYS     of partitions, as in partition.lua
-- ARGV[1]  greatest depth that may be handed out
-- Returns JSON: [{ mark, added, free (hosts with URLs that nobody leases), active (all hosts with URLs),
--             ended (leases that have ended), unheard (ms since the last exchange), open: [[depth, count]...] }...]
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local views = {}
for _, name in ipairs(KEYS) do
  local counts = redis.call('HGETALL', name .. ':counts')
  local open = {}
  for place = 1, #counts, 2 do open[#open + 1] = { tonumber(counts[place]), tonumber(counts[place + 1]) } end
  table.sort(open, function(a, b) return a[1] < b[1] end)
  local free = redis.call('ZCARD', name .. ':schedule')
    + redis.call('ZCOUNT', name .. ':later', '-inf', ARGV[1])
  views[#views + 1] = {
    mark = redis.call('HGET', name, 'mark') or '',
    added = tonumber(redis.call('HGET', name, 'added') or 0),
    free = free,
    active = free + redis.call('ZCARD', name .. ':leases'),
    ended = redis.call('ZCOUNT', name .. ':leases', '-inf', now),
    unheard = math.abs(now - (tonumber(redis.call('GET', name .. ':heard') or now) or now)),
    open = open,
  }
end
return cjson.encode(views)
