-- Creates a job if it doesn't exist.
--
-- KEYS[1]  `ow:{<job>}`: HASH  format, settings, secret (JSON), state, partitions, created; begun (1 once all
--          partitions are marked); widened, found (length of each of these keys of beat.lua)
-- ARGV     fields and values of a new job
-- Returns the HASH.
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('HSET', KEYS[1], unpack(ARGV)) end
return redis.call('HGETALL', KEYS[1])
