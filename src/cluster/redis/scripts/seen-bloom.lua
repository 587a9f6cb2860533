-- The seen test `redis-bloom`: Bloom filters in strings. When a filter is full, the next one has twice the capacity and
-- half the false-positive rate (Almeida et al. 2007), so the number of URLs needn't be known in advance.
--
-- :bloom             HASH  generation, held (number of URLs in the newest filter), `<g>:<s>` -> head of a segment
-- :bloom:<g>:<s>     STRING  segment s of the filter of generation g: a head of 64 bytes, then at most 131,072 blocks
--                    of 64 bytes. All bits of a URL are in one block (Putze et al. 2007), so one command reads them
--                    and one writes them. Since a filter has several segments, it may be larger than a string can be.
--                    The head is `<mark of the partition> <number of changes> <bytes>`, so an older copy or another
--                    segment has a different head.
-- fingerprints       of URLs: `<first>,<second>`, a keyed hash of two 32-bit words
-- seen.filters       [[URLs, bits per URL, blocks]...] by generation
local BLOCK, SEGMENT = 64, 131072
local floor = math.floor
local call = redis.call
local segments, changed = {}, {}
local MASKS = { 1, 2, 4, 8, 16, 32, 64, 128 }

-- Returns a segment. Fails if the segment differs from what the last call wrote.
local function segment_of(generation, number)
  local field = string.format('%d:%d', generation, number)
  if segments[field] then return segments[field] end
  local name = KEYS[1] .. ':bloom:' .. field
  local head = call('HGET', KEYS[1] .. ':bloom', field) or ''
  local bytes = call('STRLEN', name)
  local changes, length = string.match(head, ' (%d+) (%d+)%z*$')
  if call('GETRANGE', name, 0, BLOCK - 1) ~= head or bytes ~= tonumber(length or 0) then
    damaged('its seen set: ' .. name .. ' is not as it was left, or is gone')
  end
  segments[field] = { field = field, name = name, bytes = bytes, changes = tonumber(changes or 0) }
  return segments[field]
end

local function change(segment, start, block)
  call('SETRANGE', segment.name, start, block)
  segment.bytes = math.max(segment.bytes, start + BLOCK)
  changed[segment] = true
end

local function write_heads()
  local mark = call('HGET', KEYS[1], 'mark') or ''
  for segment in pairs(changed) do
    local head = string.format('%s %d %d', mark, segment.changes + 1, segment.bytes)
    head = head .. string.rep('\0', BLOCK - #head)
    call('SETRANGE', segment.name, 0, head)
    call('HSET', KEYS[1] .. ':bloom', segment.field, head)
  end
end

-- Returns true if any bit of the URL is unset in a filter. Sets all of its bits if `sets` is true.
local function is_missing(generation, filter, hash, sets)
  local number = floor(hash[1] * filter[3] / 4294967296)
  local segment = segment_of(generation, floor(number / SEGMENT))
  local start = (number % SEGMENT + 1) * BLOCK
  local block = call('GETRANGE', segment.name, start, start + BLOCK - 1)
  local bytes = { string.byte(block, 1, BLOCK) }
  for place = #bytes + 1, BLOCK do bytes[place] = 0 end
  local state, missing = hash[2], false
  for _ = 1, filter[2] do
    -- The highest 9 bits of a linear congruential generator (Numerical Recipes).
    state = (state * 1664525 + 1013904223) % 4294967296
    local bit_place = floor(state / 8388608)
    local place, mask = floor(bit_place / 8) + 1, MASKS[bit_place % 8 + 1]
    local byte = bytes[place]
    if byte % (2 * mask) < mask then
      missing = true
      bytes[place] = byte + mask
    end
  end
  if missing and sets then change(segment, start, string.char(unpack(bytes))) end
  return missing
end

local function unseen(fingerprints, seen)
  local facts = call('HMGET', KEYS[1] .. ':bloom', 'generation', 'held')
  local newest, held = tonumber(facts[1] or 0), tonumber(facts[2] or 0)
  local before = held
  for generation = 1, newest do before = before + seen.filters[generation][1] end
  check_passed(before)
  local fresh, passed = {}, 0
  for index, fingerprint in ipairs(fingerprints) do
    local first, second = string.match(fingerprint, '^(%d+),(%d+)$')
    local hash = { tonumber(first), tonumber(second) }
    local is_new = true
    for generation = 0, newest - 1 do
      is_new = is_new and is_missing(generation, seen.filters[generation + 1], hash, false)
    end
    fresh[index] = is_new and is_missing(newest, seen.filters[newest + 1], hash, true)
    if fresh[index] then
      passed, held = passed + 1, held + 1
      if held >= seen.filters[newest + 1][1] and seen.filters[newest + 2] then
        newest, held = newest + 1, 0
      end
    end
  end
  if passed > 0 then call('HSET', KEYS[1] .. ':bloom', 'generation', newest, 'held', held) end
  write_heads()
  count_passed(passed)
  return fresh
end
