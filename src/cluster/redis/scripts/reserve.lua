-- Reserves permits of rates that all processes of a job share. The permits of a rate are due at even intervals.
--
-- KEYS     `ow:{<job>}`, then `ow:{<job>}:rate:<name>` for each rate: STRING  time when its next permit is due, in µs
-- ARGV     µs for which permits may be reserved ahead, then for each rate: µs between two permits, number of permits
--          that are needed now, number of further permits to add if enough are available
-- Returns the time in µs, then for each rate: µs until the first permit is due, number of permits
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]
local ahead = tonumber(ARGV[1])
local granted = { now }
-- A process may end later than its job is deleted.
local has_job = redis.call('EXISTS', KEYS[1]) == 1
for place = 1, #KEYS - 1 do
  local key = KEYS[place + 1]
  local interval = tonumber(ARGV[3 * place - 1])
  local needed = tonumber(ARGV[3 * place])
  local wanted = tonumber(ARGV[3 * place + 1])
  local due = math.max(now, tonumber(redis.call('GET', key) or 0) or 0)
  -- The clock may have been set back, or a server that took the place of another may have one that is behind.
  local latest = now + ahead + interval
  local is_ahead = due > latest
  due = math.min(due, latest)
  local free = due > now + ahead and 0 or math.floor((now + ahead - due) / interval) + 1
  local count = math.min(free, needed)
  count = count + math.min(math.floor((free - count) / 2), wanted)
  if has_job and (count > 0 or is_ahead) then
    redis.call('SET', key, string.format('%.2f', due + count * interval))
  end
  granted[2 * place] = math.floor(due - now)
  granted[2 * place + 1] = count
end
return granted
