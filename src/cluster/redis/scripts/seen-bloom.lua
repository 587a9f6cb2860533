-- The seen test `redis-bloom`: Bloom filters in strings. When one is full another follows, with twice the room and
-- half the false-positive rate (Almeida et al. 2007), so the number of URLs need not be known.
--
-- :bloom             HASH  generation, held (URLs in the newest filter)
-- :bloom:<g>:<s>     segment s of the filter of generation g: 131,072 blocks of 64 bytes. All bits of a
--                    URL are in one block (Putze et al. 2007), so it is read and written by one command
--                    each, and a filter may have more bits than a string can.
-- marks              `<first>,<second>`: a keyed hash, two words of 32 bits
-- seen.filters       [[URLs, bits per URL, blocks]...] by generation
local BLOCK, SEGMENT = 64, 131072
local floor = math.floor
local call = redis.call
local names = {}
local MASKS = { 1, 2, 4, 8, 16, 32, 64, 128 }

-- Returns true if a bit of the URL is unset in a filter. Sets them all if `sets`.
local function is_missing(generation, filter, hash, sets)
  local number = floor(hash[1] * filter[3] / 4294967296)
  local segment = floor(number / SEGMENT)
  local key_number = generation * 65536 + segment
  local name = names[key_number]
  if not name then
    name = string.format('%s:bloom:%d:%d', KEYS[1], generation, segment)
    names[key_number] = name
  end
  local start = (number - segment * SEGMENT) * BLOCK
  local block = call('GETRANGE', name, start, start + BLOCK - 1)
  local bytes = { string.byte(block, 1, BLOCK) }
  for place = #bytes + 1, BLOCK do bytes[place] = 0 end
  local state, missing = hash[2], false
  for _ = 1, filter[2] do
    -- A linear congruential generator (Numerical Recipes), of which the highest 9 bits are taken.
    state = (state * 1664525 + 1013904223) % 4294967296
    local bit_place = floor(state / 8388608)
    local place, mask = floor(bit_place / 8) + 1, MASKS[bit_place % 8 + 1]
    local byte = bytes[place]
    if byte % (2 * mask) < mask then
      missing = true
      bytes[place] = byte + mask
    end
  end
  if missing and sets then call('SETRANGE', name, start, string.char(unpack(bytes))) end
  return missing
end

local function unseen(marks, seen)
  local facts = call('HMGET', KEYS[1] .. ':bloom', 'generation', 'held')
  local newest, held = tonumber(facts[1] or 0), tonumber(facts[2] or 0)
  local fresh, is_any = {}, false
  for index, mark in ipairs(marks) do
    local first, second = string.match(mark, '^(%d+),(%d+)$')
    local hash = { tonumber(first), tonumber(second) }
    local isNew = true
    for generation = 0, newest - 1 do
      isNew = isNew and is_missing(generation, seen.filters[generation + 1], hash, false)
    end
    fresh[index] = isNew and is_missing(newest, seen.filters[newest + 1], hash, true)
    if fresh[index] then
      is_any, held = true, held + 1
      if held >= seen.filters[newest + 1][1] and seen.filters[newest + 2] then
        newest, held = newest + 1, 0
      end
    end
  end
  if is_any then call('HSET', KEYS[1] .. ':bloom', 'generation', newest, 'held', held) end
  return fresh
end
