/**
 * The scripts that count in Redis. Each is atomic there, so several processes that ask at once are counted one after
 * another. Times are whole microseconds, which doubles hold exactly.
 */

/** Sets `now`. One clock for all processes: that of Redis. */
const REDIS_CLOCK = `
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]`

/** Lua would write a number of this size as 1.795e+15. */
const TEXT = `
local function text(number) return string.format('%.0f', number) end`

/**
 * A sliding log: a list of the times of admission that are less than a period old. A process that could not ask adds what
 * it admitted meanwhile: the latest ones, or all that it remembers if Redis knows of none.
 * ARGV: limit, period; then, if there is something to add, how many Redis has not heard of, and how long ago each was in
 * one text, the latest first. Answers: admitted, how many are left, how long until there is more.
 */
const TAKE = `
local key, limit, period = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local function at(index) return tonumber(redis.call('LINDEX', key, index) or nil) end
if ARGV[3] then
  local times, unreported = redis.call('LRANGE', key, 0, -1), tonumber(ARGV[3])
  if #times == 0 then unreported = math.huge end
  for index = 1, #times do times[index] = tonumber(times[index]) end
  for age in string.gmatch(ARGV[4], '%d+') do
    if unreported == 0 then break end
    table.insert(times, now - tonumber(age))
    unreported = unreported - 1
  end
  table.sort(times)
  redis.call('DEL', key)
  for _, time in ipairs(times) do redis.call('RPUSH', key, text(time)) end
  redis.call('PEXPIRE', key, math.ceil(period / 1000))
end
-- The clock went backwards: what lies ahead of it has happened by now.
local index, latest = -1, at(-1)
while latest and latest > now do
  redis.call('LSET', key, index, text(now))
  index = index - 1
  latest = at(index)
end
local used, oldest = redis.call('LLEN', key), at(0)
if oldest and oldest <= now - period then
  -- The first that still counts is sought by doubling and halving: a long list may be over all at once.
  local over, first = 0, 1
  while first < used and at(first) <= now - period do
    over = first
    first = math.min(first * 2, used)
  end
  while first - over > 1 do
    local middle = math.floor((over + first) / 2)
    if at(middle) <= now - period then over = middle else first = middle end
  end
  redis.call('LTRIM', key, first, -1)
  used, oldest = used - first, at(0)
end
if used >= limit then
  -- More than one has to leave if the limit was lowered within the window.
  if used > limit then oldest = at(used - limit) end
  return {0, 0, oldest + period - now}
end
redis.call('RPUSH', key, text(now))
redis.call('PEXPIRE', key, math.ceil(period / 1000))
return {1, limit - used - 1, (oldest or now) + period - now}`

/** A lease that lies further ahead than leases last was made before the clock went backwards. */
const DROP_OLD_LEASES = `
local key, lease = KEYS[1], tonumber(ARGV[1])
for _, id in ipairs(redis.call('ZRANGEBYSCORE', key, '(' .. text(now + lease), '+inf')) do
  redis.call('ZADD', key, text(now + lease), id)
end
redis.call('ZREMRANGEBYSCORE', key, '-inf', text(now))`

/** Takes a place. ARGV: how long a lease lasts, limit, id of the place. Answers: taken, how many are left. */
const ENTER = `${DROP_OLD_LEASES}
local limit, used = tonumber(ARGV[2]), redis.call('ZCARD', key)
if used >= limit then return {0, 0} end
redis.call('ZADD', key, text(now + lease), ARGV[3])
redis.call('PEXPIRE', key, math.ceil(lease / 1000))
return {1, limit - used - 1}`

/** Holds places on, also those that Redis has lost. ARGV: how long a lease lasts, ids of places. */
const RENEW = `
local key, lease = KEYS[1], tonumber(ARGV[1])
for index = 2, #ARGV do redis.call('ZADD', key, text(now + lease), ARGV[index]) end
redis.call('PEXPIRE', key, math.ceil(lease / 1000))`

/** The scripts by name. `clock` is Lua that sets `now`; tests give a clock that they can move. */
export function redisScripts(clock = REDIS_CLOCK) {
  const head = clock + TEXT
  return { take: head + TAKE, enter: head + ENTER, renew: head + RENEW }
}
