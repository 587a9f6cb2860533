-- Puts a job into another state, where that follows from the one it is in.
--
-- KEYS[1]  as in join.lua
-- ARGV     the state, then those that it may follow
-- Gives the state that the job is in now; nil when there is no such job.
local state = redis.call('HGET', KEYS[1], 'state')
for place = 2, #ARGV do
  if state == ARGV[place] then
    redis.call('HSET', KEYS[1], 'state', ARGV[1])
    return ARGV[1]
  end
end
return state
