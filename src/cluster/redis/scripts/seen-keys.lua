-- The seen test `redis-keys`: one String key per URL. The keys expire.
--
-- :seen:<fingerprint>   key of a URL
-- marks                 fingerprints of URLs
-- seen.forget           ms after which a URL is forgotten
local function unseen(marks, seen)
  local fresh = {}
  for index, mark in ipairs(marks) do
    local name = KEYS[1] .. ':seen:' .. mark
    fresh[index] = redis.call('SET', name, 1, 'NX', 'PX', seen.forget) and true or false
  end
  return fresh
end
