-- The seen test `redis-set`: a set of fingerprints, as Scrapy-Redis has it.
--
-- :seen   SET of SHA-1 digests, base64url
-- marks   fingerprints
local function unseen(marks)
  local fresh = {}
  for index, mark in ipairs(marks) do
    fresh[index] = redis.call('SADD', KEYS[1] .. ':seen', mark) == 1
  end
  return fresh
end
