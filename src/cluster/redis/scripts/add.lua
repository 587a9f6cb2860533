-- Adds URLs to the seen set only.
--
-- KEYS[1]  as in partition.lua
-- ARGV[1]  JSON: { fingerprints: [fingerprint...], seen: {...} }
-- Returns a text with `1` for each new URL and `0` for each known URL.
local request = cjson.decode(ARGV[1])
local answers = unseen(request.fingerprints, request.seen)
for index, fresh in ipairs(answers) do answers[index] = fresh and '1' or '0' end
return table.concat(answers)
