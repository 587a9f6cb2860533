-- The URL-seen test `redis-bloom`: Bloom filters in bitmaps. When one is full another follows, with
-- twice the room and half the rate (Almeida et al. 2007), so that no host's share must be known before.
--
-- :bloom             HASH  generation, held (URLs in the newest filter), added (URLs in all)
-- :bloom:<g>:<s>     bitmap: segment s of the filter of generation g, of at most 2^26 bits. All bits of a
--                    URL are in one segment, so a filter may have more bits than a bitmap can.
-- marks              `<first>,<second>`: a keyed hash, two words of 32 bits
-- seen.room          URLs that the first filter is made for
-- seen.rate          greatest share of new URLs that all filters together may lose
local SEGMENT = 67108864
-- Lua hands at most 8,000 values to a command; an operation of BITFIELD is four of them.
local MOST = 7900

local function plan(seen, generation)
  local urls = seen.room * 2 ^ generation
  local rate = seen.rate / 2 ^ (generation + 1)
  local hashes = math.max(1, math.floor(0.5 - math.log(rate) / math.log(2)))
  local bits = math.ceil(-urls * hashes / math.log(1 - rate ^ (1 / hashes)))
  local segments = math.ceil(bits / SEGMENT)
  -- Odd: with an even number the lowest bit of a step lives on in every position.
  local size = math.max(4097, math.ceil(bits / segments))
  return { urls = urls, hashes = hashes, segments = segments, size = size + 1 - size % 2 }
end

-- One BITFIELD for many URLs; those that have a bit unset are marked in `missing`.
local function flush(name, batch, hashes, missing)
  local bits = redis.call('BITFIELD', name, unpack(batch.operations))
  for place, bit in ipairs(bits) do
    if bit == 0 then missing[batch.urls[math.ceil(place / hashes)]] = true end
  end
end

-- Looks at all bits of the URLs `which`, and sets them where `sets`; gives those with one unset.
local function probe(hashes_of, which, generation, filter, sets)
  local batches, missing = {}, {}
  local hashes, size = filter.hashes, filter.size
  for _, index in ipairs(which) do
    local place = hashes_of[index][2] * filter.segments / 4294967296
    local segment = math.floor(place)
    local name = string.format('%s:bloom:%d:%d', KEYS[1], generation, segment)
    local batch = batches[name]
    if not batch or #batch.operations + 4 * hashes > MOST then
      if batch then flush(name, batch, hashes, missing) end
      batch = { operations = {}, urls = {} }
      batches[name] = batch
    end
    batch.urls[#batch.urls + 1] = index
    -- Enhanced double hashing (Dillinger & Manolios 2004).
    local operations, length = batch.operations, #batch.operations
    local position = math.floor(hashes_of[index][1] * size / 4294967296)
    local step = math.floor((place - segment) * size)
    for turn = 1, hashes do
      operations[length + 1] = sets and 'SET' or 'GET'
      operations[length + 2] = 'u1'
      operations[length + 3] = position
      if sets then operations[length + 4] = 1 end
      length = length + (sets and 4 or 3)
      position = (position + step) % size
      step = (step + turn) % size
    end
  end
  for name, batch in pairs(batches) do flush(name, batch, hashes, missing) end
  return missing
end

local function unseen(marks, seen)
  local facts = redis.call('HMGET', KEYS[1] .. ':bloom', 'generation', 'held')
  local newest, held = tonumber(facts[1] or 0), tonumber(facts[2] or 0)
  local hashes_of, which = {}, {}
  for index, mark in ipairs(marks) do
    local first, second = string.match(mark, '^(%d+),(%d+)$')
    hashes_of[index] = { tonumber(first), tonumber(second) }
    which[index] = index
  end
  for generation = 0, newest - 1 do
    local missing = probe(hashes_of, which, generation, plan(seen, generation), false)
    local left = {}
    for _, index in ipairs(which) do
      if missing[index] then left[#left + 1] = index end
    end
    which = left
  end
  local filter = plan(seen, newest)
  local missing = probe(hashes_of, which, newest, filter, true)
  local fresh, added = {}, 0
  for index = 1, #marks do
    fresh[index] = missing[index] or false
    if missing[index] then added = added + 1 end
  end
  if added > 0 then
    redis.call('HINCRBY', KEYS[1] .. ':bloom', 'added', added)
    local isFull = held + added >= filter.urls
    local now = { newest + (isFull and 1 or 0), isFull and 0 or held + added }
    redis.call('HSET', KEYS[1] .. ':bloom', 'generation', now[1], 'held', now[2])
  end
  return fresh
end
