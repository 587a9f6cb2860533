-- The seen test `redis-set`: a set of fingerprints, as in Scrapy-Redis.
--
-- :seen          SET of SHA-1 digests, base64url
-- fingerprints   of URLs
local function unseen(fingerprints)
  check_passed(redis.call('SCARD', KEYS[1] .. ':seen'))
  local fresh, passed = {}, 0
  for index, fingerprint in ipairs(fingerprints) do
    fresh[index] = redis.call('SADD', KEYS[1] .. ':seen', fingerprint) == 1
    if fresh[index] then passed = passed + 1 end
  end
  count_passed(passed)
  return fresh
end
