-- Stores the report of an agent, and returns the state of the job.
--
-- KEYS[1]  as in join.lua
-- KEYS[2]  `ow:{<job>}:agents`: ZSET  agent -> time in ms until which it counts as present
-- KEYS[3]  `ow:{<job>}:widened`: LIST  URLs of hosts that joined the scope
-- KEYS[4]  `ow:{<job>}:hungry`: ZSET  agent that needs hosts that others lease -> as in KEYS[2]
-- KEYS[5]  `ow:{<job>}:found`: ZSET  `public <host>` or `private <host>`, the result of the first lookup of a seed's
--          host -> time of the report in ms
-- ARGV     agent, ms for which it counts as present (0: it leaves), '1' if it needs hosts that others lease, time of
--          its last beat in ms, number of lookup results, the lookup results, URLs of hosts that joined the scope
-- Returns JSON: { state, agents, hungry, widened: [url...], found: [text...], now }. `agents` and `hungry` are numbers;
--          `found` has the results since the agent's last beat. Returns `{}` if there is no such job.
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
-- The script writes first, so that a master that has become a replica refuses it. Otherwise, it could reply that there
-- is no such job.
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', now)
local state = redis.call('HGET', KEYS[1], 'state')
if not state then
  -- The agent ends now. It must not keep a user from deleting the rest of the job.
  redis.call('ZREM', KEYS[2], ARGV[1])
  redis.call('ZREM', KEYS[4], ARGV[1])
  return '{}'
end
local function held_in(field) return tonumber(redis.call('HGET', KEYS[1], field) or 0) end
if redis.call('LLEN', KEYS[3]) ~= held_in('widened') or redis.call('ZCARD', KEYS[5]) ~= held_in('found') then
  return redis.error_reply('DAMAGED its hosts (`widened`, `found`) are not as they were left')
end

local function note(name, is_in)
  if is_in then
    redis.call('ZADD', name, string.format('%.0f', now + ARGV[2]), ARGV[1])
  else
    redis.call('ZREM', name, ARGV[1])
  end
end

local is_here = tonumber(ARGV[2]) > 0
note(KEYS[2], is_here)
note(KEYS[4], is_here and ARGV[3] == '1')
local last_found = 5 + ARGV[5]
for place = 6, last_found do redis.call('ZADD', KEYS[5], 'NX', string.format('%.0f', now), ARGV[place]) end
for place = last_found + 1, #ARGV do
  if not redis.call('LPOS', KEYS[3], ARGV[place]) then redis.call('RPUSH', KEYS[3], ARGV[place]) end
end
if #ARGV > 5 then
  redis.call('HSET', KEYS[1], 'widened', redis.call('LLEN', KEYS[3]), 'found', redis.call('ZCARD', KEYS[5]))
end
return cjson.encode({
  state = state,
  agents = redis.call('ZCARD', KEYS[2]),
  hungry = redis.call('ZCARD', KEYS[4]),
  widened = redis.call('LRANGE', KEYS[3], 0, -1),
  found = redis.call('ZRANGEBYSCORE', KEYS[5], ARGV[4], '+inf'),
  now = string.format('%.0f', now),
})
