-- Functions that take leases back. They need the functions of partition.lua, which precedes this file.

-- Returns the URLs of a host that were handed out, as pairs of id and item.
local function handed_out(host)
  local out = redis.call('HGETALL', key('out:' .. host))
  local items = {}
  for place = 1, #out, 2 do items[#items + 1] = { out[place], out[place + 1] } end
  return items
end

-- Ends the lease of a host. Its URLs go back to the front of their queues, in their old order. Adds `penalty` to the
-- attempts of each. Returns the number of these URLs.
local function recall(host, penalty, depths)
  local items = handed_out(host)
  local function number(item) return tonumber(string.match(item[1], '^%d+')) end
  table.sort(items, function(a, b) return number(a) > number(b) end)
  for _, item in ipairs(items) do
    local depth, attempts, text = string.match(item[2], '^(%d+) (%d+) (.*)$')
    redis.call('LPUSH', queue_of(host, tonumber(depth)), (attempts + penalty) .. ' - ' .. text)
  end
  redis.call('DEL', key('out:' .. host))
  redis.call('HDEL', key('host:' .. host), 'epoch', 'agent')
  redis.call('ZREM', key('leases'), host)
  schedule(host, depths)
  return #items
end
