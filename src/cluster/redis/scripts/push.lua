-- Adds URLs to the queues of a partition. The seen test runs when they are handed out, so that each URL gets the depth
-- of its shortest path (as in the sieve of BUbiNG, Boldi et al. 2014).
--
-- KEYS[1]  as in partition.lua
-- ARGV     mark of the partition, then host, depth, fingerprint and text of each URL
check_mark(ARGV[1])
local touched = {}
for place = 2, #ARGV, 4 do
  local host, depth = ARGV[place], tonumber(ARGV[place + 1])
  redis.call('RPUSH', queue_of(host, depth), '0 ' .. ARGV[place + 2] .. ' ' .. ARGV[place + 3])
  count(host, depth, 1, 1)
  touched[host] = true
end
redis.call('HINCRBY', KEYS[1], 'added', (#ARGV - 1) / 4)
local depths = open_depths()
for host in pairs(touched) do schedule(host, depths) end
