type Channel = Int16Array | Float32Array | Float64Array

/** Creates an array of the same type. */
function alike<Kind extends Channel>(model: Kind, length: number): Kind
function alike(model: Channel, length: number): Channel {
  if (model instanceof Int16Array) return new Int16Array(length)
  return model instanceof Float32Array ? new Float32Array(length) : new Float64Array(length)
}

/**
 * Interleaves separate channels to frames with one sample of each.
 *
 * @param channels at least one, all of the same length and type
 * @param into destination with room for all samples; by default a new array
 * @throws RangeError if there is no channel, the lengths differ, or `into` is too short
 * @example
 * console.log(interleave([Int16Array.of(1, 2), Int16Array.of(3, 4)])) // Int16Array [1, 3, 2, 4]
 */
export function interleave<Kind extends Channel>(channels: readonly Kind[], into?: Kind): Kind {
  const [first] = channels
  if (first === undefined || channels.some((channel) => channel.length !== first.length))
    throw new RangeError('There must be at least one channel, and all must have the same length')
  const count = channels.length
  const frames = into ?? alike(first, first.length * count)
  if (frames.length < first.length * count)
    throw new RangeError('The array to fill must have room for all channels')
  for (const [position, channel] of channels.entries())
    for (let index = 0, at = position; index < channel.length; index++, at += count)
      frames[at] = channel[index] ?? 0
  return frames
}

/**
 * Separates interleaved frames to one array per channel.
 *
 * @param into one destination per channel, with room for all its samples; by default new arrays
 * @throws RangeError if the samples are not whole frames, or `into` has no room for them
 * @example
 * console.log(deinterleave(Int16Array.of(1, 3, 2, 4), 2)) // [Int16Array [1, 2], Int16Array [3, 4]]
 */
export function deinterleave<Kind extends Channel>(
  frames: Kind,
  channelCount: number,
  into?: readonly Kind[],
): readonly Kind[] {
  if (!Number.isInteger(channelCount) || channelCount < 1 || frames.length % channelCount !== 0)
    throw new RangeError('Samples must be whole frames of at least one channel')
  const length = frames.length / channelCount
  const channels = into ?? Array.from({ length: channelCount }, () => alike(frames, length))
  if (channels.length !== channelCount || channels.some((channel) => channel.length < length))
    throw new RangeError('There must be one array to fill per channel, with room for all its samples')
  for (const [position, channel] of channels.entries())
    for (let index = 0, at = position; index < length; index++, at += channelCount)
      channel[index] = frames[at] ?? 0
  return channels
}

/**
 * Mixes interleaved frames to mono as the mean of their channels, which never clips.
 *
 * @throws RangeError if the samples are not whole frames
 * @example
 * console.log(mixToMono(Int16Array.of(100, 300, -2, 0), 2)) // Int16Array [200, -1]
 */
export function mixToMono<Kind extends Channel>(frames: Kind, channelCount: number): Kind {
  if (!Number.isInteger(channelCount) || channelCount < 1 || frames.length % channelCount !== 0)
    throw new RangeError('Samples must be whole frames of at least one channel')
  const mono = alike(frames, frames.length / channelCount)
  const whole = frames instanceof Int16Array
  for (let index = 0, at = 0; index < mono.length; index++) {
    let sum = 0
    for (const end = at + channelCount; at < end; at++) sum += frames[at] ?? 0
    mono[index] = whole ? Math.round(sum / channelCount) : sum / channelCount
  }
  return mono
}
