-- The URL-seen test alone.
--
-- KEYS[1]  as in partition.lua
-- ARGV[1]  JSON: { marks: [mark...], seen: {...} }
-- Gives a text with `1` for each URL that is new and `0` for each that isn't.
local request = cjson.decode(ARGV[1])
local answers = unseen(request.marks, request.seen)
for index, fresh in ipairs(answers) do answers[index] = fresh and '1' or '0' end
return table.concat(answers)
