-- Changes the state of a job if its current state allows that.
--
-- KEYS[1]  as in join.lua
-- ARGV     the new state, then the states from which the job may change to it
-- Returns the state of the job after the call; nil if there is no such job.
local state = redis.call('HGET', KEYS[1], 'state')
for place = 2, #ARGV do
  if state == ARGV[place] then
    redis.call('HSET', KEYS[1], 'state', ARGV[1])
    return ARGV[1]
  end
end
return state
