-- The seen test `redis-keys`: one String key per URL. The keys expire.
--
-- :seen:<fingerprint>   key of a URL
-- fingerprints          of URLs
-- seen.forget           ms after which a URL is forgotten
local function unseen(fingerprints, seen)
  local fresh = {}
  for index, fingerprint in ipairs(fingerprints) do
    local name = KEYS[1] .. ':seen:' .. fingerprint
    fresh[index] = redis.call('SET', name, 1, 'NX', 'PX', seen.forget) and true or false
  end
  return fresh
end
