/**
 * The scripts that count in Redis. Each script is atomic, so concurrent processes are counted one after another. Times are
 * whole microseconds, which doubles represent exactly.
 */

/** Sets `now` from the clock of Redis, which is the same for all processes. */
const REDIS_CLOCK = `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]`

/** Formats a number, because Lua would write one of this size as 1.795e+15. */
const TEXT = `
local function text(number) return string.format('%.0f', number) end`

/** Returns the log with the reported admissions that it lacks: the latest ones, or all of them if it is empty. */
const MERGE = `
local function merge(key, unreported, ages)
  local times = redis.call('LRANGE', key, 0, -1)
  if #times == 0 then unreported = math.huge end
  for index = 1, #times do times[index] = tonumber(times[index]) end
  for age in string.gmatch(ages, '%d+') do
    if unreported == 0 then break end
    table.insert(times, now - tonumber(age))
    unreported = unreported - 1
  end
  table.sort(times)
  return times
end`

/** Counts the first times up to a bound by doubling and bisection, because a long list may expire all at once. */
const COUNT_EXPIRED = `
local function countExpired(used, at, bound)
  if used == 0 or at(0) > bound then return 0 end
  local over, first = 0, 1
  while first < used and at(first) <= bound do
    over = first
    first = math.min(first * 2, used)
  end
  while first - over > 1 do
    local middle = math.floor((over + first) / 2)
    if at(middle) <= bound then over = middle else first = middle end
  end
  return first
end`

/**
 * A sliding log: a list of the admission times within the last period. A process that could not reach Redis adds what it
 * admitted in the meantime.
 * ARGV: limit, period; then, if there is something to add, the number of admissions unknown to Redis, and the age of each, in
 * one text, latest first. Returns: admitted, remaining, time until the reset.
 */
const TAKE = `
local key, limit, period = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local function at(index) return tonumber(redis.call('LINDEX', key, index) or nil) end
if ARGV[3] then
  local times = merge(key, tonumber(ARGV[3]), ARGV[4])
  redis.call('DEL', key)
  for _, time in ipairs(times) do redis.call('RPUSH', key, text(time)) end
  redis.call('PEXPIRE', key, math.ceil(period / 1000))
end
-- If the clock went backwards, move times in the future to now.
local index, latest = -1, at(-1)
while latest and latest > now do
  redis.call('LSET', key, index, text(now))
  index = index - 1
  latest = at(index)
end
local used = redis.call('LLEN', key)
local expired = countExpired(used, at, now - period)
if expired > 0 then
  redis.call('LTRIM', key, expired, -1)
  used = used - expired
end
local oldest = at(0)
if used >= limit then
  -- If the limit was lowered within the window, more than one admission has to expire.
  if used > limit then oldest = at(used - limit) end
  return {0, 0, oldest + period - now}
end
redis.call('RPUSH', key, text(now))
redis.call('PEXPIRE', key, math.ceil(period / 1000))
return {1, limit - used - 1, (oldest or now) + period - now}`

/** Returns what TAKE would, with the same arguments, and writes nothing. */
const PEEK = `
local key, limit, period = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local used = redis.call('LLEN', key)
-- If the clock went backwards, times in the future count as now.
local function at(index) return math.min(now, tonumber(redis.call('LINDEX', key, index))) end
if ARGV[3] then
  local times = merge(key, tonumber(ARGV[3]), ARGV[4])
  used = #times
  at = function(index) return math.min(now, times[index + 1]) end
end
local expired = countExpired(used, at, now - period)
local free = limit - (used - expired)
if free <= 0 then return {0, 0, at(used - limit) + period - now} end
local oldest = used > expired and at(expired) or now
return {1, free - 1, oldest + period - now}`

/** Drops expired leases. Shortens leases that end too far in the future because the clock went backwards. */
const DROP_OLD_LEASES = `
local key, lease = KEYS[1], tonumber(ARGV[1])
for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, '(' .. text(now + lease), '+inf')) do
  redis.call('ZADD', key, text(now + lease), id)
end
redis.call('ZREMRANGEBYSCORE', key, '-inf', text(now))`

/** Takes a slot. ARGV: duration of a lease, limit, id of the slot. Returns: taken, remaining. */
const ENTER = `${DROP_OLD_LEASES}
local limit, used = tonumber(ARGV[2]), redis.call('ZCARD', key)
if used >= limit then return {0, 0} end
redis.call('ZADD', key, text(now + lease), ARGV[3])
redis.call('PEXPIRE', key, math.ceil(lease / 1000))
return {1, limit - used - 1}`

/** Counts the slots whose leases have not expired, and writes nothing. */
const COUNT = `
return {redis.call('ZCOUNT', KEYS[1], '(' .. text(now), '+inf')}`

/** Renews slots, including those that Redis has lost. ARGV: duration of a lease, ids of slots. */
const RENEW = `
local key, lease = KEYS[1], tonumber(ARGV[1])
for index = 2, #ARGV do redis.call('ZADD', key, text(now + lease), ARGV[index]) end
redis.call('PEXPIRE', key, math.ceil(lease / 1000))`

/** Returns the scripts by name. `clock` is Lua that sets `now`; tests pass a clock that they can advance. */
export function redisScripts(clock = REDIS_CLOCK) {
  const head = clock + TEXT
  const log = head + MERGE + COUNT_EXPIRED
  return {
    take: log + TAKE,
    peek: log + PEEK,
    enter: head + ENTER,
    count: head + COUNT,
    renew: head + RENEW,
  }
}
