-- Which commands this user may not give.
--
-- KEYS[1]  any key of ours
-- ARGV     names of commands
-- Gives those that are refused.
local refused = {}
for _, command in ipairs(ARGV) do
  if not redis.acl_check_cmd(command, KEYS[1], KEYS[1], KEYS[1]) then refused[#refused + 1] = command end
end
return refused
