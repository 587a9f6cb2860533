-- Returns the commands that the user may not run.
--
-- KEYS[1]  any key of a job
-- ARGV     names of commands
-- Returns the names of the commands that are refused.
local refused = {}
for _, command in ipairs(ARGV) do
  if not redis.acl_check_cmd(command, KEYS[1], KEYS[1], KEYS[1]) then refused[#refused + 1] = command end
end
return refused
